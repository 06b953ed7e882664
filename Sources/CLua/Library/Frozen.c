// Frozen tables: scripts get an empty proxy, and can't reach the real table to write to it.

#include "Internal.h"

static char frozenKey;

static int refuseWrite(lua_State *L) {
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
  return luaL_error(L, "'%s' can't be set: this table is shared by all scripts and can't be changed", key);
}

void clua_freeze(lua_State *L) {
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 4);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, refuseWrite);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -3);
  lua_rawsetp(L, -2, &frozenKey);
  lua_setmetatable(L, -2);
  lua_replace(L, -2);
}

void clua_freezeTable(lua_State *L) { clua_freeze(L); }

bool clua_thawed(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  if (lua_rawgetp(L, -1, &frozenKey) == LUA_TNIL) {
    lua_settop(L, -3);
    return false;
  }
  lua_replace(L, -2);
  return true;
}
