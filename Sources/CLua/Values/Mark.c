// The mark in the metatable of a host object, a table or userdata to which no script may write raw.

#include "Internal.h"

static char hostObjectKey;

/// Marks the metatable on top as one of host objects, to which no script may write raw.
void clua_markHostObject(lua_State *L) {
  lua_pushboolean(L, 1);
  lua_rawsetp(L, -2, &hostObjectKey);
}

bool clua_isHostObject(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  bool marked = lua_rawgetp(L, -1, &hostObjectKey) != LUA_TNIL;
  lua_settop(L, -3);
  return marked;
}
