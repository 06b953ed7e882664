// The table of an outcome, made in one crossing.

#include "Script.h"

static void setField(lua_State *L, int32_t key, int32_t value) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, key);
  lua_rawgeti(L, LUA_REGISTRYINDEX, value);
  lua_rawset(L, -3);
}

void clua_pushOutcome(lua_State *L, const clua_OutcomeKeys *keys, int32_t status, int32_t via, const void *by, size_t count,
                      int32_t fields) {
  lua_createtable(L, 0, fields);
  if (status != 0) setField(L, keys->status, status);
  if (via != 0) setField(L, keys->via, via);
  if (by != NULL) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, keys->by);
    clua_pushBytes(L, by, count);
    lua_rawset(L, -3);
  }
  lua_insert(L, -2);
  if (lua_isnil(L, -1)) {
    lua_settop(L, -2);
    return;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, keys->result);
  lua_insert(L, -2);
  lua_rawset(L, -3);
}
