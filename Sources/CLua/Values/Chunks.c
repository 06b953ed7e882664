// The loaded chunks, by name. Most are released once they have run, and collected some time later; until then their code can be read without
// compiling it again. The owner who last loaded a chunk under a name is kept for good.

#include "Internal.h"

static const char registryKey[] = "clua.chunks", ownersKey[] = "clua.owners";

/// Pushes the table of chunks, whose values are weak.
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

void clua_noteChunk(lua_State *L, const char *name, int32_t owner) {
  pushChunks(L);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_settop(L, -2);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, ownersKey);
  lua_pushinteger(L, owner);
  lua_setfield(L, -2, name);
  lua_settop(L, -2);
}

bool clua_isChunkOfOther(lua_State *L, const char *name, int32_t owner) {
  int top = lua_gettop(L);
  bool isOfOther = lua_getfield(L, LUA_REGISTRYINDEX, ownersKey) == LUA_TTABLE
                   && lua_getfield(L, -1, name) == LUA_TNUMBER && lua_tointeger(L, -1) != owner;
  lua_settop(L, top);
  return isOfOther;
}

void clua_pushChunk(lua_State *L, const char *name) {
  pushChunks(L);
  lua_getfield(L, -1, name);
  lua_replace(L, -2);
}
