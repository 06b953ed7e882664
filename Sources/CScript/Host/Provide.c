// Finds what a provider supplied, by comparing a context with a copy made before the provider ran.

#include "Script.h"

void clua_copyTable(lua_State *L) {
  int table = lua_gettop(L);
  lua_checkstack(L, 8);
  lua_createtable(L, 0, 8);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_remove(L, table);
}

bool clua_nextOther(lua_State *L, int32_t index, int32_t before) {
  while (lua_next(L, index)) {
    lua_pushvalue(L, -2);
    lua_rawget(L, before);
    bool same = lua_rawequal(L, -1, -2);
    lua_settop(L, same ? -3 : -2);
    if (!same) return true;
  }
  return false;
}
