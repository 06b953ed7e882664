// Values that are equal to themselves only; the refusal is one.

#include "Internal.h"

static int nameOfSentinel(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

/// Makes a value that is equal to itself only.
const void *clua_sentinel(lua_State *L, const char *name, int32_t *reference) {
  lua_newuserdatauv(L, 1, 0);
  lua_createtable(L, 0, 2);
  lua_pushstring(L, name);
  lua_pushcclosure(L, nameOfSentinel, 1);
  lua_setfield(L, -2, "__tostring");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  const void *identity = lua_topointer(L, -1);
  *reference = luaL_ref(L, LUA_REGISTRYINDEX);
  return identity;
}

int32_t clua_newSentinel(lua_State *L, const char *name) {
  int32_t reference;
  clua_sentinel(L, name, &reference);
  return reference;
}
