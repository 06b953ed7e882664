#include "CStockOracle.h"

#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>
#include <string.h>

char *stock_run(const char *chunk, const char *argument) {
  lua_State *L = luaL_newstate();
  if (L == NULL) return NULL;
  luaL_openlibs(L);
  if (luaL_loadbufferx(L, chunk, strlen(chunk), "=runner", "t") == LUA_OK) {
    lua_pushstring(L, argument);
    lua_pcall(L, 1, 1, 0);
  }
  const char *text = luaL_tolstring(L, -1, NULL);
  char *copy = strdup(text);
  lua_close(L);
  return copy;
}
