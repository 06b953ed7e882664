#include "CLua.h"
#include <lua5.4/lua.h>
#include <lua5.4/lauxlib.h>
int32_t clua_probe(void) { lua_State *L = luaL_newstate(); int32_t v = (int32_t)lua_version(L); lua_close(L); return v; }
