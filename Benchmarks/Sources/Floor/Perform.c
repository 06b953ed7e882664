// A perform: what no host can leave out.

#include "Case.h"

/// What a perform ends with.
typedef struct {
  bool handled;
  const char *reason;
  int64_t result;
} Outcome;

static bool isAllowed(floor_Case *c, int context, Outcome *outcome) {
  if (c->can == LUA_REFNIL) return true;
  lua_State *L = c->L;
  floor_pushCall(c, c->can, context);
  if (lua_pcall(L, 2, 2, 0) != LUA_OK) return false;
  bool yes = lua_toboolean(L, -2);
  if (!yes) outcome->reason = lua_tostring(L, -1);
  lua_settop(L, -3);
  return yes;
}

static bool handle(floor_Case *c, int context, Outcome *outcome) {
  lua_State *L = c->L;
  floor_pushCall(c, c->on, context);
  if (lua_pcall(L, 2, 1, 0) != LUA_OK) return false;
  outcome->handled = true;
  outcome->result = lua_tointegerx(L, -1, NULL);
  lua_settop(L, -2);
  return true;
}

static inline bool perform(floor_Case *c, Outcome *outcome) {
  lua_State *L = c->L;
  *outcome = (Outcome){false, NULL, 0};
  lua_createtable(L, 0, c->providers + 1);
  int context = lua_gettop(L);
  if (!floor_provide(c, context)) return false;
  lua_pushinteger(L, 1);
  lua_setfield(L, context, "n");
  bool done = isAllowed(c, context, outcome) && handle(c, context, outcome);
  lua_settop(L, context - 1);
  return done;
}

static int64_t runPerform(floor_Case *c, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; i++) {
    Outcome outcome;
    if (!perform(c, &outcome)) return -1;
    sum += outcome.result;
  }
  return sum;
}

floor_Case *floor_perform(const char *script) {
  floor_Case *c = floor_make(runPerform, script, true);
  if (c != NULL) floor_readResponder(c);
  return c;
}

// MARK: A handler replaced before each

static bool replaceHandler(floor_Case *c, int with) {
  lua_State *L = c->L;
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->change);
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
  lua_rawgeti(L, LUA_REGISTRYINDEX, with);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) return false;
  luaL_unref(L, LUA_REGISTRYINDEX, c->on);
  lua_rawgeti(L, LUA_REGISTRYINDEX, with);
  c->on = luaL_ref(L, LUA_REGISTRYINDEX);
  return true;
}

static int64_t runChurn(floor_Case *c, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; i++) {
    Outcome outcome;
    if (!replaceHandler(c, i % 2 == 0 ? c->other : c->value) || !perform(c, &outcome)) return -1;
    sum += outcome.result;
  }
  return sum;
}

floor_Case *floor_churn(const char *script) {
  floor_Case *c = floor_make(runChurn, script, true);
  if (c == NULL) return NULL;
  floor_readResponder(c);
  lua_rawgeti(c->L, LUA_REGISTRYINDEX, c->on);
  c->value = luaL_ref(c->L, LUA_REGISTRYINDEX);
  lua_createtable(c->L, 0, 1);
  c->table = luaL_ref(c->L, LUA_REGISTRYINDEX);
  return c;
}
