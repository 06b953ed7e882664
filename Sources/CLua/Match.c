#include "Internal.h"
void clua_openMatcher(lua_State *L) {
  lua_pushcfunction(L, luaopen_string);
  lua_call(L, 0, 1);
  const char *n[] = {"find","match","gmatch","gsub"};
  for (int i = 0; i < 4; i++) { lua_getfield(L, -1, n[i]); lua_setfield(L, -3, n[i]); }
  lua_settop(L, -2);
}
