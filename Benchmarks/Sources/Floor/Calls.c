// A protected call, a round trip, a table, a context, an error, an interpreter.

#include "Case.h"

#include <string.h>

static int64_t runCall(floor_Case *c, int64_t n) {
  lua_State *L = c->L;
  for (int64_t i = 0; i < n; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->function);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) return -1;
  }
  return n;
}

floor_Case *floor_call(const char *script, bool hook) {
  floor_Case *c = floor_make(runCall, script, hook);
  if (c == NULL) return NULL;
  c->function = luaL_ref(c->L, LUA_REGISTRYINDEX);
  lua_createtable(c->L, 0, 0);
  c->table = luaL_ref(c->L, LUA_REGISTRYINDEX);
  return c;
}

// MARK: There and back

static int twice(lua_State *L) {
  lua_pushinteger(L, 2 * lua_tointegerx(L, 1, NULL));
  return 1;
}

static int64_t runRoundTrip(floor_Case *c, int64_t n) {
  lua_State *L = c->L;
  int64_t sum = 0;
  for (int64_t i = 0; i < n; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->function);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->value);
    lua_pushinteger(L, i);
    if (lua_pcall(L, 2, 1, 0) != LUA_OK) return -1;
    sum += lua_tointegerx(L, -1, NULL);
    lua_settop(L, -2);
  }
  return sum;
}

/// A case whose function is given a C function.
static floor_Case *makeWithCallback(int64_t (*run)(floor_Case *, int64_t), const char *script, lua_CFunction callback) {
  floor_Case *c = floor_make(run, script, true);
  if (c == NULL) return NULL;
  c->function = luaL_ref(c->L, LUA_REGISTRYINDEX);
  lua_pushcfunction(c->L, callback);
  c->value = luaL_ref(c->L, LUA_REGISTRYINDEX);
  return c;
}

floor_Case *floor_roundTrip(const char *script) { return makeWithCallback(runRoundTrip, script, twice); }

// MARK: An error

static int raise(lua_State *L) {
  floor_Case *c = *(floor_Case **)lua_getextraspace(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
  return lua_error(L);
}

static int64_t runThrow(floor_Case *c, int64_t n) {
  lua_State *L = c->L;
  int64_t caught = 0;
  for (int64_t i = 0; i < n; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->function);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->value);
    if (lua_pcall(L, 1, 0, 0) == LUA_OK) return -1;
    caught += lua_touserdata(L, -1) == c;
    lua_settop(L, -2);
  }
  return caught;
}

floor_Case *floor_throw(const char *script) {
  floor_Case *c = makeWithCallback(runThrow, script, raise);
  if (c == NULL) return NULL;
  lua_pushlightuserdata(c->L, c);
  c->table = luaL_ref(c->L, LUA_REGISTRYINDEX);
  return c;
}

// MARK: A table, and a context

static inline void pushFields(lua_State *L) {
  lua_createtable(L, 0, 5);
  lua_pushlstring(L, "photo", 5);
  lua_setfield(L, -2, "kind");
  lua_pushlstring(L, "sunset", 6);
  lua_setfield(L, -2, "title");
  lua_pushlstring(L, "jpeg", 4);
  lua_setfield(L, -2, "format");
  lua_pushlstring(L, "ana", 3);
  lua_setfield(L, -2, "owner");
  lua_pushlstring(L, "lisbon", 6);
  lua_setfield(L, -2, "place");
}

static int64_t runTable(floor_Case *c, int64_t n) {
  int64_t fields = 0;
  for (int64_t i = 0; i < n; i++) {
    pushFields(c->L);
    fields += 5 * (lua_type(c->L, -1) == LUA_TTABLE);
    luaL_unref(c->L, LUA_REGISTRYINDEX, luaL_ref(c->L, LUA_REGISTRYINDEX));
  }
  return fields;
}

floor_Case *floor_table(void) { return floor_make(runTable, NULL, true); }

static int64_t runContext(floor_Case *c, int64_t n) {
  lua_State *L = c->L;
  int64_t yes = 0;
  for (int64_t i = 0; i < n; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->function);
    pushFields(L);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) return -1;
    yes += lua_toboolean(L, -1);
    lua_settop(L, -2);
  }
  return yes;
}

floor_Case *floor_context(const char *script) {
  floor_Case *c = floor_make(runContext, script, true);
  if (c != NULL) c->function = luaL_ref(c->L, LUA_REGISTRYINDEX);
  return c;
}

// MARK: An interpreter

static int64_t runOpen(floor_Case *c, int64_t n) {
  int64_t opened = 0;
  for (int64_t i = 0; i < n; i++) {
    lua_State *L = luaL_newstate();
    if (L == NULL) return -1;
    luaL_openlibs(L);
    floor_setHook(L, c);
    opened += lua_gettop(L) == 0;
    lua_close(L);
  }
  return opened;
}

floor_Case *floor_open(void) { return floor_make(runOpen, NULL, true); }

// MARK: Whole scripts

static int64_t runAnswer(floor_Case *c, int64_t n) {
  lua_State *L = c->L;
  int64_t sum = 0;
  for (int64_t i = 0; i < n; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->function);
    if (lua_pcall(L, 0, 1, 0) != LUA_OK) return -1;
    sum += lua_tointegerx(L, -1, NULL);
    lua_settop(L, -2);
  }
  return sum;
}

floor_Case *floor_answer(const char *script) {
  floor_Case *c = floor_make(runAnswer, script, true);
  if (c != NULL) c->function = luaL_ref(c->L, LUA_REGISTRYINDEX);
  return c;
}

static int64_t runLoad(floor_Case *c, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; i++) {
    floor_Case *other = floor_make(NULL, c->scripts[0], true);
    if (other == NULL) return -1;
    if (luaL_loadstring(other->L, c->scripts[1]) == LUA_OK && lua_pcall(other->L, 0, 0, 0) == LUA_OK) sum++;
    floor_close(other);
  }
  return sum;
}

floor_Case *floor_load(const char *first, const char *second) {
  floor_Case *c = floor_make(runLoad, NULL, true);
  if (c == NULL) return NULL;
  c->scripts[0] = strdup(first);
  c->scripts[1] = strdup(second);
  return c;
}
