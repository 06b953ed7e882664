// The mark of a table or a userdata as the host's own, to which no script may write raw.

#include "Internal.h"

static char hostObjectKey;

/// Marks the metatable on top as one of a host object: nobody may write to such an object raw.
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
