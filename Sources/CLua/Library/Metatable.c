// getmetatable and setmetatable. All metamethods work except four, whose names are buried (Names.c); scripts get an
// error for them. Weak values still work: the host sets them under the real name. It never does for a metatable,
// because Lua 5.4.4 frees the metamethods of a weak one during their use (its bug 983bc433).

#include "Internal.h"

#include <string.h>

/// Returns true if tables with the metatable at the index have weak values.
static bool makesWeak(lua_State *L, int index) {
  index = lua_absindex(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_host(L)->weakKey);
  bool weak = lua_rawget(L, index) != LUA_TNIL;
  lua_settop(L, -2);
  return weak;
}

static bool isWeak(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  bool weak = makesWeak(L, -1);
  lua_settop(L, -2);
  return weak;
}

static bool isMetatable(lua_State *L, int index) {
  index = lua_absindex(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_host(L)->metatablesRef);
  lua_pushvalue(L, index);
  bool known = lua_rawget(L, -2) != LUA_TNIL;
  lua_settop(L, -3);
  return known;
}

static void noteMetatable(lua_State *L, int index) {
  clua_Host *h = clua_host(L);
  h->hostDepth++;  // so that memory for the host's book-keeping isn't refused
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->metatablesRef);
  lua_pushvalue(L, index);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_settop(L, -2);
  h->hostDepth--;
}

static void refuse(lua_State *L, const char *name, const char *why) {
  lua_pushstring(L, name);
  if (lua_rawget(L, 2) != LUA_TNIL) luaL_error(L, "metamethod '%s' is not available to scripts: %s", name, why);
  lua_settop(L, -2);
}

/// Returns true if the metatable at 2 requests weak values; refuses any other mode.
static bool asksForWeakValues(lua_State *L) {
  lua_pushliteral(L, "__mode");
  int type = lua_rawget(L, 2);
  bool weak = type == LUA_TSTRING && strcmp(lua_tostring(L, -1), "v") == 0;
  if (type != LUA_TNIL && !weak)
    luaL_error(L, "metamethod '__mode' can only be \"v\": weak keys let a script stall the collector");
  lua_settop(L, -2);
  return weak;
}

static int baseSetmetatable(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
  lua_settop(L, 2);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
  if (lua_istable(L, 2)) {
    refuse(L, "__gc", "it would run where no limit holds; release what you hold in a hook instead");
    refuse(L, "__close", "it would run while errors unwind; close what you hold before you return");
    refuse(L, "__concat", "this Lua has a bug there; write a function, or use __tostring");
    bool weak = asksForWeakValues(L);
    if (weak && (isMetatable(L, 1) || lua_rawequal(L, 1, 2)))
      return luaL_error(L, "a table that is a metatable can't have weak values");
    // Tables that already have this metatable would become weak too, and some of them may be metatables.
    if (weak && isMetatable(L, 2) && !makesWeak(L, 2))
      return luaL_error(L, "a metatable that is in use can't begin to make values weak");
    if (isWeak(L, 2)) return luaL_error(L, "a table with weak values can't be a metatable");
    lua_rawgeti(L, LUA_REGISTRYINDEX, clua_host(L)->weakKey);
    if (weak) lua_pushliteral(L, "v");
    else lua_pushnil(L);
    lua_rawset(L, 2);
    if (!isMetatable(L, 2)) noteMetatable(L, 2);
  }
  lua_setmetatable(L, 1);
  return 1;
}

static int baseGetmetatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (!lua_getmetatable(L, 1)) {
    lua_pushnil(L);
    return 1;
  }
  luaL_getmetafield(L, 1, "__metatable");
  return 1;
}

void clua_openMetatables(lua_State *L) {
  clua_Host *h = clua_host(L);
  static const luaL_Reg own[] = {{"setmetatable", baseSetmetatable}, {"getmetatable", baseGetmetatable}, {NULL, NULL}};
  luaL_setfuncs(L, own, 0);
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->weakKey);
  lua_pushliteral(L, "k");
  lua_rawset(L, -3);
  lua_setmetatable(L, -2);
  h->metatablesRef = luaL_ref(L, LUA_REGISTRYINDEX);
}
