// A validation pass: providers once, then two calls an item, and a row of plain data for each.

#include "Case.h"

#include <stdlib.h>
#include <string.h>

enum { TITLE, SUBTITLE, ICON, STATE, HIDDEN, DESTRUCTIVE, ANSWERS, ARENA = 1 << 20 };

static const char *const names[ANSWERS] = {"title", "subtitle", "icon", "state", "hidden", "destructive"};

/// Text in the arena.
typedef struct {
  uint32_t at, length;
} Span;

typedef struct {
  bool enabled, on, hidden, destructive;
  Span reason, text[ICON + 1];
} RowData;

/// What a pass fills.
typedef struct {
  const char *keys[ANSWERS];  // the addresses of Lua's own strings: a key is known by its address
  uint32_t used;
  RowData rows[];
} Snapshot;

static Span copyText(floor_Case *c, int index) {
  Snapshot *s = c->rows;
  size_t length = 0;
  const char *text = lua_tolstring(c->L, index, &length);
  if (text == NULL || s->used + length > ARENA) return (Span){0, 0};
  Span span = {s->used, (uint32_t)length};
  memcpy((char *)c->arena + s->used, text, length);
  s->used += span.length;
  return span;
}

static bool askCan(floor_Case *c, int context, RowData *row) {
  lua_State *L = c->L;
  floor_pushCall(c, c->can, context);
  if (lua_pcall(L, 2, 2, 0) != LUA_OK) return false;
  row->enabled = lua_toboolean(L, -2);
  if (!row->enabled) row->reason = copyText(c, -1);
  lua_settop(L, context);
  return true;
}

/// Reads the pair on top into the row.
static void readAnswer(floor_Case *c, RowData *row) {
  Snapshot *s = c->rows;
  const char *key = lua_tolstring(c->L, -2, NULL);
  int which = 0;
  while (which < ANSWERS && key != s->keys[which]) which++;
  switch (which) {
    case TITLE: case SUBTITLE: case ICON: row->text[which] = copyText(c, -1); break;
    case STATE: row->on = lua_toboolean(c->L, -1); break;
    case HIDDEN: row->hidden = lua_toboolean(c->L, -1); break;
    case DESTRUCTIVE: row->destructive = lua_toboolean(c->L, -1); break;
    default: break;
  }
}

static bool askLook(floor_Case *c, int context, RowData *row) {
  lua_State *L = c->L;
  floor_pushCall(c, c->look, context);
  if (lua_pcall(L, 2, 1, 0) != LUA_OK) return false;
  if (lua_type(L, -1) == LUA_TTABLE) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      readAnswer(c, row);
      lua_settop(L, -2);
    }
  }
  lua_settop(L, context);
  return true;
}

static bool pass(floor_Case *c) {
  lua_State *L = c->L;
  Snapshot *s = c->rows;
  s->used = 0;
  lua_createtable(L, 0, c->providers + 1);
  int context = lua_gettop(L);
  if (!floor_provide(c, context)) return false;
  for (int32_t i = 0; i < c->items; i++) {
    RowData *row = &s->rows[i];
    memset(row, 0, sizeof *row);
    lua_pushinteger(L, i + 1);
    lua_setfield(L, context, "n");
    if (!askCan(c, context, row) || !askLook(c, context, row)) return false;
  }
  lua_settop(L, context - 1);
  return true;
}

/// A sum that tells one answer from another.
static int64_t sum(floor_Case *c) {
  Snapshot *s = c->rows;
  int64_t sum = s->used;
  for (int32_t i = 0; i < c->items; i++) sum += s->rows[i].enabled + 2 * s->rows[i].on;
  return sum;
}

static int64_t runPass(floor_Case *c, int64_t n) {
  int64_t all = 0;
  for (int64_t i = 0; i < n; i++) {
    if (!pass(c)) return -1;
    all += sum(c);
  }
  return all;
}

/// Keeps the names that `look` answers with, so that their addresses stay.
static void pinNames(floor_Case *c) {
  Snapshot *s = c->rows;
  for (int i = 0; i < ANSWERS; i++) {
    s->keys[i] = lua_pushstring(c->L, names[i]);
    luaL_ref(c->L, LUA_REGISTRYINDEX);
  }
}

floor_Case *floor_pass(const char *script, int32_t items) {
  floor_Case *c = floor_make(runPass, script, true);
  if (c == NULL) return NULL;
  floor_readResponder(c);
  c->items = items;
  c->rows = calloc(1, sizeof(Snapshot) + (size_t)items * sizeof(RowData));
  c->arena = malloc(ARENA);
  if (c->rows == NULL || c->arena == NULL) {
    floor_close(c);
    return NULL;
  }
  pinNames(c);
  return c;
}
