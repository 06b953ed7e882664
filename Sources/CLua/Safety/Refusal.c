// A refusal: an error that no script can catch.

#include "Internal.h"

bool clua_isRefusal(clua_Host *h, lua_State *L, int index) { return lua_topointer(L, index) == h->refusal; }

bool clua_isRefusalRecord(lua_State *L) {
  clua_errorPart(L, CLUA_ERROR_VALUE);
  bool refused = clua_isRefusal(clua_host(L), L, -1);
  lua_settop(L, -2);
  return refused;
}

void clua_pushRefusal(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, clua_host(L)->refusalRef); }

/// If the record on top is of a refusal, replaces it by the reason.
bool clua_takeRefusal(clua_Host *h, lua_State *L) {
  if (!clua_isRefusalRecord(L)) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->reasonRef);
  lua_replace(L, -2);
  return true;
}
