// What GLib takes for what the host does: `gaction TASK COUNT` does a task so often and prints the nanoseconds of the
// processor that it took, then the sum of what was answered.

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 1000 };

static gint64 sum = 0;

static void act(GSimpleAction *action, GVariant *target, gpointer data) {
  (void)action, (void)data;
  sum += g_variant_get_int32(target);
}

/// Activates the action by its name, with an argument that is made each time.
static void activate(GActionGroup *group, GMenuModel *menu) {
  (void)menu;
  g_action_group_activate_action(group, "act", g_variant_new_int32(1));
}

/// The same from text, which is parsed each time.
static void activateText(GActionGroup *group, GMenuModel *menu) {
  (void)menu;
  char *name = NULL;
  GVariant *target = NULL;
  if (!g_action_parse_detailed_name("act(1)", &name, &target, NULL)) return;
  g_action_group_activate_action(group, name, target);
  g_variant_unref(target);
  g_free(name);
}

/// Asks for each item's title, action and target, whether the action is enabled, and whether the item is the one chosen.
static void query(GActionGroup *group, GMenuModel *menu) {
  int count = g_menu_model_get_n_items(menu);
  for (int i = 0; i < count; i++) {
    char *title = NULL, *name = NULL;
    gboolean enabled = FALSE;
    GVariant *state = NULL;
    GVariant *target = g_menu_model_get_item_attribute_value(menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
    if (target != NULL && g_menu_model_get_item_attribute(menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &title)
        && g_menu_model_get_item_attribute(menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &name)
        && g_action_group_query_action(group, name, &enabled, NULL, NULL, NULL, &state)) {
      sum += enabled + 2 * (state != NULL && g_variant_equal(state, target));
    }
    if (state != NULL) g_variant_unref(state);
    if (target != NULL) g_variant_unref(target);
    g_free(name);
    g_free(title);
  }
}

static GMenuModel *makeMenu(void) {
  GMenu *menu = g_menu_new();
  for (int i = 1; i <= ITEMS; i++) {
    char title[32];
    snprintf(title, sizeof title, "item %d", i);
    GMenuItem *item = g_menu_item_new(title, NULL);
    g_menu_item_set_action_and_target_value(item, "act", g_variant_new_int32(i));
    g_menu_append_item(menu, item);
    g_object_unref(item);
  }
  return G_MENU_MODEL(menu);
}

static gint64 now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (gint64)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(GActionGroup *, GMenuModel *);
  } tasks[] = {{"activate", activate}, {"text", activateText}, {"query", query}};
  long count = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
  for (size_t i = 0; count > 0 && i < G_N_ELEMENTS(tasks); i++) {
    if (strcmp(argv[1], tasks[i].name) != 0) continue;
    GSimpleActionGroup *group = g_simple_action_group_new();
    GSimpleAction *action = g_simple_action_new_stateful("act", G_VARIANT_TYPE_INT32, g_variant_new_int32(7));
    g_signal_connect(action, "activate", G_CALLBACK(act), NULL);
    g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(action));
    GMenuModel *menu = makeMenu();
    for (long n = 0; n <= count / 4; n++) tasks[i].run(G_ACTION_GROUP(group), menu);
    sum = 0;
    gint64 start = now();
    for (long n = 0; n < count; n++) tasks[i].run(G_ACTION_GROUP(group), menu);
    gint64 took = now() - start;
    printf("%lld %lld\n", (long long)took, (long long)sum);
    return 0;
  }
  fputs("usage: gaction activate|text|query COUNT\n", stderr);
  return 2;
}
