// Opens this target's part of an interpreter; clua_open calls it through clua_above().

#include "Script.h"

static void openAbove(lua_State *L) {
  clua_Host *h = clua_host(L);
  clua_openRuns(h, L);
  h->showAgain = clua_showAgain;
  lua_createtable(L, 0, 32);
  clua_openContextCalls(L);
  clua_openUndo(L);
  clua_script(h)->callsRef = luaL_ref(L, LUA_REGISTRYINDEX);
  clua_openContexts(h, L);
}

const clua_Above *clua_above(void) {
  static const clua_Above above = {sizeof(clua_Script), openAbove};
  return &above;
}
