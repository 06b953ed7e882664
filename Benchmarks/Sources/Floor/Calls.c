// A protected call, and whole scripts.

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

floor_Case *floor_call(const char *script) {
  floor_Case *c = floor_make(runCall, script, true);
  if (c == NULL) return NULL;
  c->function = luaL_ref(c->L, LUA_REGISTRYINDEX);
  lua_createtable(c->L, 0, 0);
  c->table = luaL_ref(c->L, LUA_REGISTRYINDEX);
  return c;
}

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
