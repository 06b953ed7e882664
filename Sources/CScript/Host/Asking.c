// Used by performs and validation passes alike: writes arguments over supplied values, then asks whether the action may be done.

#include "Script.h"

void clua_putArguments(lua_State *L, const clua_Argument *arguments, int32_t count, int context) {
  for (int32_t i = 0; i < count; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, arguments[i].key);
    clua_pushArgument(L, &arguments[i]);
    lua_rawset(L, context);
  }
}

clua_Said clua_mayBeDone(clua_Host *h, lua_State *L, const clua_Asked *asked, int context, int32_t *lacking) {
  *lacking = -1;
  for (int32_t i = 0; i < asked->needCount; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, asked->needs[i]);
    bool isMissing = lua_gettable(L, context) == LUA_TNIL;
    lua_settop(L, -2);
    if (!isMissing) continue;
    *lacking = i;
    return CLUA_LACKING;
  }
  if (asked->can.function == 0) return CLUA_YES;
  clua_pushHandler(h, L, asked->can, context);
  clua_callAsking(h, L, context, asked->canOnlyReads, 1, 2);
  if (clua_isPassAnswer(h, L, -2)) return CLUA_SAID_PASS;
  return lua_toboolean(L, -2) ? CLUA_YES : CLUA_SAID_NO;
}
