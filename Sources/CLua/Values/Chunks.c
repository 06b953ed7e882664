// The chunks that were loaded, by their names. Most are let go once they have run, and collected some time later: who wants to read one
// before that is spared compiling it again.

#include "Internal.h"

static const char registryKey[] = "clua.chunks";

/// A table whose values don't hold what they are.
static void pushChunks(lua_State *L) {
  if (lua_getfield(L, LUA_REGISTRYINDEX, registryKey) == LUA_TTABLE) return;
  lua_settop(L, -2);
  lua_createtable(L, 0, 1);
  lua_createtable(L, 0, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_host(L)->weakKey);
  lua_pushliteral(L, "v");
  lua_rawset(L, -3);
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, registryKey);
}

void clua_noteChunk(lua_State *L, const char *name) {
  pushChunks(L);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_settop(L, -2);
}

void clua_pushChunk(lua_State *L, const char *name) {
  pushChunks(L);
  lua_getfield(L, -1, name);
  lua_replace(L, -2);
}
