// A house with lamps. The lamps are here, in C; menus, keys, palette, questions, undo and plugins are menuctl's.
//
//     cc -o lamps lamps.c -ljansson && ./lamps            with a face in this terminal
//     ./lamps SOCKET                                      for a live app of lamps.lua that listens there
#include <jansson.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64, BRIGHTEST = 8 };

typedef struct {
  int id, level;
  char name[64];
} Lamp;

static Lamp lamps[MOST];
static int count, lastID, current;
static FILE *app;

static void tell(const char *method, json_t *params) {
  json_t *message = json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params);
  json_dumpf(message, app, JSON_COMPACT);
  fputc('\n', app);
  fflush(app);
  json_decref(message);
}

// A lamp as the app knows it: an object that scripts pass on and can't look into.
static json_t *object(int id) { return json_pack("{s:s, s:i}", "$", "object", "id", id); }

static Lamp *find(int id) {
  for (int i = 0; i < count; i++)
    if (lamps[i].id == id) return &lamps[i];
  return NULL;
}

static Lamp *named(const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(lamps[i].name, name) == 0) return &lamps[i];
  return NULL;
}

// Tells ahead what menus ask, so that none of them waits for this program.
static void tellAll(void) {
  json_t *list = json_array();
  int lit = 0;
  for (int i = 0; i < count; i++) {
    lit += lamps[i].level;
    json_array_append_new(
      list, json_pack("{s:o, s:s, s:i}", "lamp", object(lamps[i].id), "name", lamps[i].name, "level", lamps[i].level));
  }
  Lamp *lamp = find(current);
  const char *none = "choose a lamp first";
  tell("set", json_pack("{s:s, s:{s:o}, s:{s:{s:b, s:s}, s:{s:b, s:s}, s:{s:b, s:s}, s:{s:b, s:s}, s:{s:b, s:s}}}",
    "responder", "house", "context", "lamps", list, "actions",
    "brighter", "enabled", lamp && lamp->level < BRIGHTEST, "reason", lamp ? "it is as bright as it can be" : none,
    "dimmer", "enabled", lamp && lamp->level > 0, "reason", lamp ? "it is off" : none,
    "remove", "enabled", lamp != NULL, "reason", none, "rename", "enabled", lamp != NULL, "reason", none,
    "all_off", "enabled", lit > 0, "reason", "all are off"));
}

static json_t *undo(const char *action, json_t *args, const char *title, const char *coalesce) {
  return json_pack(
    "{s:{s:s, s:o, s:s, s:s*}}", "undo", "perform", action, "args", args, "title", title, "coalesce", coalesce);
}

static json_t *refuse(const char *reason) { return json_pack("{s:s}", "reason", reason); }

static json_t *setLevel(Lamp *lamp, int level) {
  json_t *args = json_pack("{s:o, s:i}", "lamp", object(lamp->id), "level", lamp->level);
  char key[32];
  snprintf(key, sizeof key, "level %d", lamp->id);
  lamp->level = level < 0 ? 0 : level > BRIGHTEST ? BRIGHTEST : level;
  return undo("level", args, "Brightness", key);
}

static json_t *add(const char *name, int level, int id) {
  if (count == MOST) return refuse("the house has no room for another lamp");
  if (named(name)) return refuse("there is a lamp of that name");
  Lamp *lamp = &lamps[count++];
  *lamp = (Lamp){.id = id ? id : ++lastID, .level = level};
  snprintf(lamp->name, sizeof lamp->name, "%s", name);
  current = lamp->id;
  return undo("remove", json_pack("{s:o}", "lamp", object(lamp->id)), "Add", NULL);
}

static json_t *removeLamp(Lamp *lamp) {
  json_t *args = json_pack("{s:s, s:i, s:i}", "name", lamp->name, "level", lamp->level, "id", lamp->id);
  memmove(lamp, lamp + 1, (size_t)(&lamps[--count] - lamp) * sizeof *lamp);
  return undo("add", args, "Remove", NULL);
}

static json_t *renameLamp(Lamp *lamp, const char *name) {
  if (named(name)) return refuse("there is a lamp of that name");
  json_t *args = json_pack("{s:o, s:s}", "lamp", object(lamp->id), "name", lamp->name);
  snprintf(lamp->name, sizeof lamp->name, "%s", name);
  return undo("rename", args, "Rename", NULL);
}

// Sets all levels: those in a list, or none.
static json_t *setAll(json_t *levels) {
  json_t *before = json_array();
  for (int i = 0; i < count; i++) {
    json_array_append_new(before, json_integer(lamps[i].level));
    lamps[i].level = (int)json_integer_value(json_array_get(levels, (size_t)i));
  }
  return undo("all_off", json_pack("{s:o}", "levels", before), "All Off", NULL);
}

// Does an action, and returns the members of the answer.
static json_t *perform(const char *action, json_t *args) {
  json_t *given = json_object_get(json_object_get(args, "lamp"), "id");
  const char *name = json_string_value(json_object_get(args, "name"));
  int level = (int)json_integer_value(json_object_get(args, "level"));
  Lamp *lamp = find(given ? (int)json_integer_value(given) : current);
  if (strcmp(action, "add") == 0 && name) return add(name, level, (int)json_integer_value(json_object_get(args, "id")));
  if (strcmp(action, "all_off") == 0) return setAll(json_object_get(args, "levels"));
  if (!lamp) return refuse("that lamp is gone");
  if (strcmp(action, "brighter") == 0) return setLevel(lamp, lamp->level + 1);
  if (strcmp(action, "dimmer") == 0) return setLevel(lamp, lamp->level - 1);
  if (strcmp(action, "level") == 0) return setLevel(lamp, level);
  if (strcmp(action, "remove") == 0) return removeLamp(lamp);
  if (strcmp(action, "rename") == 0 && name) return renameLamp(lamp, name);
  if (strcmp(action, "select") == 0) current = lamp->id;
  return json_object();
}

static int joined(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  for (int tries = 0; tries < 100; tries++, usleep(100000))
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  return -1;
}

int main(int argc, char **argv) {
  char path[108], script[4096], folder[4096];
  snprintf(folder, sizeof folder, "%s", argv[0]);
  snprintf(script, sizeof script, "%s/lamps.lua", dirname(folder));
  snprintf(path, sizeof path, "/tmp/lamps-%d.sock", (int)getpid());
  const char *tool = getenv("MENUCTL") ? getenv("MENUCTL") : "menuctl";
  signal(SIGPIPE, SIG_IGN);
  pid_t face = argc > 1 ? 0 : fork();
  if (argc < 2 && face == 0) return execlp(tool, tool, "ui", script, "--socket", path, (char *)NULL);
  int descriptor = joined(argc > 1 ? argv[1] : path);
  FILE *heard = descriptor < 0 ? NULL : fdopen(dup(descriptor), "r");
  if (!heard || !(app = fdopen(descriptor, "w"))) return fputs("lamps: the app lets nobody in\n", stderr), 1;
  const char *names[] = {"Kitchen", "Hall", "Desk"};
  for (int i = 0; i < 3; i++) json_decref(add(names[i], 3 * i, 0));
  const char *name = "[{s:s, s:s, s:s}]";
  tell("hello", json_pack("{s:{s:s}}", "client", "name", "lamps"));
  tell("register", json_pack("{s:s, s:b, s:{s:{}, s:{}, s:{}, s:{}, s:{}, s:{}, s:{s:o}, s:{s:o}}}",
    "responder", "house", "window", 1, "on", "select", "brighter", "dimmer", "level", "remove", "all_off",
    "add", "takes", json_pack(name, "key", "name", "type", "string", "title", "Name"),
    "rename", "takes", json_pack(name, "key", "name", "type", "string", "title", "Name")));
  tell("focus", json_pack("{s:s}", "name", "house"));
  tellAll();
  char *line = NULL;
  for (size_t room = 0; getline(&line, &room, heard) > 0;) {
    json_t *message = json_loads(line, 0, NULL), *params = json_object_get(message, "params");
    const char *method = json_string_value(json_object_get(message, "method"));
    if (method && strcmp(method, "do") == 0) {
      json_t *answer =
        perform(json_string_value(json_object_get(params, "action")), json_object_get(params, "args"));
      json_object_set(answer, "call", json_object_get(params, "call"));
      tellAll();
      tell("done", answer);
    }
    json_decref(message);
  }
  free(line);
  if (face > 0) waitpid(face, NULL, 0);
  return 0;
}
