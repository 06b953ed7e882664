// Charging for functions that loop over strings.

#include "Internal.h"

void clua_chargeArguments(lua_State *L) {
  size_t total = 0, most = clua_host(L)->limits.block;
  for (int i = lua_gettop(L); i > 0 && total <= most; i--)
    if (lua_type(L, i) == LUA_TSTRING) total += lua_rawlen(L, i);
  // The same long string a thousand times is a thousand times the work, and nothing interrupts it.
  if (total > most) luaL_error(L, "the arguments are longer together than one string can be");
  clua_spend(L, total);
}

static int charged(lua_State *L) {
  clua_chargeArguments(L);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void clua_charge(lua_State *L, const char *name) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, charged, 1);
  lua_setfield(L, -2, name);
}
