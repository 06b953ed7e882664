// The base library for scripts. Its functions don't catch a spent limit, and never show an address.

#include "Internal.h"

#include <string.h>

// MARK: Catching

/// Ends a protected call: raises again the errors that scripts may not catch.
static int protectedEnd(lua_State *L, int status, lua_KContext extra) {
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)extra;
  clua_Host *h = clua_host(L);
  if (status == LUA_ERRMEM) clua_caughtMemory(h, L, true);
  if (h->tripped != CLUA_TRIP_NONE) return clua_raiseTrip(L);
  if (clua_isRefusal(h, L, -1)) return lua_error(L);
  lua_pushboolean(L, 0);
  lua_pushvalue(L, -2);
  return 2;
}

static int protectedCall(lua_State *L) {
  clua_checkStack(clua_host(L), L);
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  return protectedEnd(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, protectedEnd), 0);
}

/// Calls a script's message handler, unless a limit is spent or the error is a refusal. If a hook raised the error, Lua
/// runs the handler without hooks, so the script's handler must not run.
static int guardedHandler(lua_State *L) {
  clua_Host *h = clua_host(L);
  if (h->tripped != CLUA_TRIP_NONE || clua_isRefusal(h, L, 1)) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

static int protectedCallWithHandler(lua_State *L) {
  clua_checkStack(clua_host(L), L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, guardedHandler, 1);
  lua_replace(L, 2);
  int arguments = lua_gettop(L) - 2;
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  return protectedEnd(L, lua_pcallk(L, arguments, LUA_MULTRET, 2, 2, protectedEnd), 2);
}

bool clua_isCatcher(lua_CFunction function) { return function == protectedCall || function == protectedCallWithHandler; }

// MARK: Showing

static int baseTostring(lua_State *L) {
  luaL_checkany(L, 1);
  clua_tostring(L, 1, NULL);
  return 1;
}

// MARK: Raw access to tables

/// Replaces a frozen table at the index by the table behind it, for reading.
static void readThrough(lua_State *L, int index) {
  if (clua_thawed(L, index)) lua_replace(L, index);
}

int clua_baseNext(lua_State *L) {
  clua_Host *h = clua_host(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  readThrough(L, 1);
  do {
    if (!lua_next(L, 1)) {
      lua_pushnil(L);
      return 1;
    }
    if (!clua_isHiddenKey(h, L, -2)) return 2;
    lua_settop(L, -2);
  } while (true);
}

static int pairsEnd(lua_State *L, int status, lua_KContext extra) {
  (void)L, (void)status, (void)extra;
  return 3;
}

int clua_basePairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_callk(L, 1, 3, 0, pairsEnd);
    return 3;
  }
  lua_pushcfunction(L, clua_baseNext);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

static int baseRawget(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  readThrough(L, 1);
  lua_rawget(L, 1);
  return 1;
}

static int baseRawset(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (clua_thawed(L, 1)) return luaL_error(L, "this table is shared by all scripts and can't be changed");
  if (clua_isHostObject(L, 1)) return luaL_error(L, "rawset can't write to an object of the host's");
  lua_rawset(L, 1);
  return 1;
}

static int baseRawlen(lua_State *L) {
  int type = lua_type(L, 1);
  luaL_argexpected(L, type == LUA_TTABLE || type == LUA_TSTRING, 1, "table or string");
  if (type == LUA_TTABLE) readThrough(L, 1);
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
  return 1;
}

static int baseCollectgarbage(lua_State *L) {
  const char *what = luaL_optstring(L, 1, "collect");
  if (strcmp(what, "count") != 0)
    return luaL_error(L, "collectgarbage can only \"count\" here: memory is the host's business");
  lua_pushnumber(L, (lua_Number)lua_gc(L, LUA_GCCOUNT) + (lua_Number)lua_gc(L, LUA_GCCOUNTB) / 1024);
  return 1;
}

void clua_openBase(lua_State *L) {
  static const luaL_Reg own[] = {
      {"pcall", protectedCall},   {"xpcall", protectedCallWithHandler}, {"tostring", baseTostring}, {"next", clua_baseNext},
      {"pairs", clua_basePairs},       {"rawget", baseRawget},               {"rawset", baseRawset},     {"rawlen", baseRawlen},
      {"collectgarbage", baseCollectgarbage}, {NULL, NULL},
  };
  static const char *const kept[] = {"assert", "error", "ipairs", "rawequal", "select", "tonumber", "type", "_VERSION"};
  luaL_setfuncs(L, own, 0);
  luaL_requiref(L, "_G", luaopen_base, 0);
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    lua_getfield(L, -1, kept[i]);
    lua_setfield(L, -3, kept[i]);
  }
  lua_settop(L, -2);
  clua_charge(L, "tonumber");
}
