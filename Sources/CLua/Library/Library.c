// The library of scripts, an allow-list. The tables are shared and frozen; an environment is a new table of them.

#include "Internal.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

// MARK: load

static int refuseLength(lua_State *L) {
  return luaL_error(L, "a chunk that a script loads can have %d bytes at most", (int)clua_host(L)->limits.sourceInner);
}

static int refuseName(lua_State *L) {
  return luaL_error(L, "line %d: " CLUA_LONG_NAME, (int)lua_tointeger(L, lua_upvalueindex(1)), CLUA_PARTS);
}

/// Joins the pieces from a reader function, the only argument.
static int joinPieces(lua_State *L) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  size_t total = 0;
  while (true) {
    lua_pushvalue(L, 1);
    lua_call(L, 0, 1);
    size_t n = lua_isnil(L, -1) ? 0 : lua_rawlen(L, -1);
    if (!lua_isnil(L, -1) && !lua_isstring(L, -1)) {
      luaL_where(L, 2);
      lua_pushliteral(L, "reader function must return a string");
      lua_concat(L, 2);
      return lua_error(L);
    }
    if (lua_type(L, -1) == LUA_TNUMBER) lua_tolstring(L, -1, &n);
    total += n;
    if (total > clua_host(L)->limits.sourceInner) refuseLength(L);
    if (n == 0) break;
    clua_spend(L, n);
    luaL_addvalue(&b);
  }
  lua_settop(L, -2);
  luaL_pushresult(&b);
  return 1;
}

/// Returns nil and the message on top, like load after a failure. Raises a spent limit or a refusal again.
static int loadFailed(clua_Host *h, lua_State *L, int status) {
  if (status == LUA_ERRMEM) clua_caughtMemory(h, L, true);
  if (h->tripped != CLUA_TRIP_NONE) return clua_raiseTrip(L);
  if (clua_isRefusal(h, L, -1)) return lua_error(L);
  luaL_pushfail(L);
  lua_insert(L, -2);
  return 2;
}

/// Compiles the text at 1 under the name at 2. No message handler may be active: the compiler would pass it "C stack
/// overflow", and the script would get the handler's result.
static int compileText(lua_State *L) {
  size_t length;
  const char *source = lua_tolstring(L, 1, &length);
  if (luaL_loadbufferx(L, source, length, lua_touserdata(L, 2), "t") != LUA_OK) return lua_error(L);
  return 1;
}

/// Compiles the text at 1, which may be a function that returns pieces.
static int compile(lua_State *L, const char *name) {
  if (!lua_isstring(L, 1)) {
    lua_pushcfunction(L, joinPieces);
    lua_pushvalue(L, 1);
    int status = lua_pcall(L, 1, 1, 0);
    if (status != LUA_OK) return status;
    lua_replace(L, 1);
  }
  size_t length;
  const char *source = lua_tolstring(L, 1, &length);
  if (length > clua_host(L)->limits.sourceInner) {
    lua_pushcfunction(L, refuseLength);
    return lua_pcall(L, 0, 1, 0);
  }
  clua_spend(L, 4 * length);
  int32_t line = clua_host(L)->limits.longName(source, length);
  if (line > 0) {
    lua_pushinteger(L, line);
    lua_pushcclosure(L, refuseName, 1);
    return lua_pcall(L, 0, 1, 0);
  }
  lua_pushcfunction(L, compileText);
  lua_pushvalue(L, 1);
  lua_pushlightuserdata(L, (void *)name);
  return lua_pcall(L, 2, 1, 0);
}

/// Marks the function on top as its caller's, for any globals, under the name for errors. If no chunk called load, it
/// gets no owner.
static int markAsCallers(lua_State *L) {
  lua_Debug made;
  char name[LUA_IDSIZE + 1] = "=";
  lua_pushvalue(L, -1);
  if (lua_getinfo(L, ">S", &made) != 0) memcpy(name + 1, made.short_src, strlen(made.short_src) + 1);
  int32_t caller = clua_host(L)->viewRef != 0 && !clua_isCalledByName(L) ? CLUA_NONE : clua_caller(L, 1);
  if (caller == CLUA_NONE) caller = CLUA_NOBODY;
  if (!clua_isChunkOfOther(L, name, caller)) return clua_mark(L, name, caller);
  // Otherwise errors would show another owner's file.
  char quoted[sizeof name + 16];
  snprintf(quoted, sizeof quoted, "=[string \"%s\"]", name + 1);
  return clua_mark(L, quoted, caller);
}

/// load: takes only text of limited length. Its globals are the environment in upvalue 1 unless given.
static int baseLoad(lua_State *L) {
  clua_Host *h = clua_host(L);
  bool hasEnvironment = !lua_isnone(L, 4);
  const char *mode = luaL_optstring(L, 3, "t");
  bool text = lua_isstring(L, 1);
  if (!text) luaL_checktype(L, 1, LUA_TFUNCTION);
  const char *name = luaL_optstring(L, 2, text ? lua_tostring(L, 1) : "=(load)");
  lua_settop(L, 4);
  if (strchr(mode, 't') == NULL) {
    luaL_pushfail(L);
    lua_pushfstring(L, "attempt to load a text chunk (mode is '%s')", mode);
    return 2;
  }
  int status = compile(L, name);
  if (status == LUA_OK) status = markAsCallers(L);
  if (status != LUA_OK || h->tripped != CLUA_TRIP_NONE) return loadFailed(h, L, status);
  lua_pushvalue(L, hasEnvironment ? 4 : lua_upvalueindex(1));
  if (lua_setupvalue(L, -2, 1) == NULL) lua_settop(L, -2);
  return 1;
}

// MARK: math.randomseed: without an argument Lua would show a script an address and the time

static int mathRandomseed(lua_State *L) {
  if (lua_isnone(L, 1)) {
    lua_Integer seed[2] = {0, 0};
    if (getrandom(seed, sizeof seed, 0) < 0) seed[0] = (lua_Integer)clua_host(L)->used;
    lua_pushinteger(L, seed[0]);
    lua_pushinteger(L, seed[1]);
  }
  // Lua's function keeps its state in an upvalue, so the original closure must be called.
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

// MARK: os.date: each conversion takes long, and there may be half a million of them in a block

static int osDate(lua_State *L) {
  enum { LONGEST = 4096 };
  size_t length;
  luaL_optlstring(L, 1, "", &length);
  luaL_argcheck(L, length <= LONGEST, 1, "format is too long");
  clua_spend(L, 16 * length);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// MARK: Opening

/// Copies the named functions of a Lua library into the table on top.
static void keep(lua_State *L, lua_CFunction open, const char *const *names) {
  lua_pushcfunction(L, open);
  lua_call(L, 0, 1);
  for (; *names != NULL; names++) {
    lua_getfield(L, -1, *names);
    lua_setfield(L, -3, *names);
  }
  lua_settop(L, -2);
}

static void openUtf8(lua_State *L) {
  static const char *const names[] = {"char", "charpattern", "codepoint", "codes", "len", "offset", NULL};
  keep(L, luaopen_utf8, names);
  clua_charge(L, "len");
  clua_charge(L, "offset");
  clua_charge(L, "codepoint");
  clua_charge(L, "char");
}

static void openOs(lua_State *L) {
  static const char *const names[] = {"time", "date", "clock", "difftime", NULL};
  keep(L, luaopen_os, names);
  lua_getfield(L, -1, "date");
  lua_pushcclosure(L, osDate, 1);
  lua_setfield(L, -2, "date");
}

static void openMath(lua_State *L) {
  static const char *const names[] = {"abs", "ceil",       "cos",    "deg",        "exp", "floor", "fmod", "huge", "log",
                                      "max", "maxinteger", "min",    "mininteger", "modf", "pi",   "rad",  "random",
                                      "sin", "sqrt",       "tan",    "tointeger",  "type", "ult",  "asin", "acos",
                                      "atan", "randomseed", NULL};
  keep(L, luaopen_math, names);
  clua_charge(L, "max");
  clua_charge(L, "min");
  lua_getfield(L, -1, "randomseed");
  lua_pushcclosure(L, mathRandomseed, 1);
  // Lua seeds with the clock and an address, which four random numbers would reveal.
  lua_pushvalue(L, -1);
  lua_call(L, 0, 0);
  lua_setfield(L, -2, "randomseed");
}

void clua_openLibrary(clua_Host *h, lua_State *L) {
  static const struct {
    const char *name;
    void (*open)(lua_State *);
  } libraries[] = {{"string", clua_openStrings}, {"table", clua_openTable}, {"math", openMath},
                   {"utf8", openUtf8},           {"os", openOs},            {"coroutine", clua_openCoroutine}};
  lua_createtable(L, 0, 32);
  clua_openBase(L);
  clua_openMetatables(L);
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
    lua_createtable(L, 0, 16);
    libraries[i].open(L);
    clua_freezeTable(L);
    lua_setfield(L, -2, libraries[i].name);
  }
  h->libraryRef = luaL_ref(L, LUA_REGISTRYINDEX);
  clua_newEnvironment(L);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  // luaL_requiref noted the unguarded libraries here.
  lua_pushnil(L);
  lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
}

void clua_newGlobals(lua_State *L) {
  clua_newEnvironment(L);
  lua_createtable(L, 0, 16);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "_G");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, baseLoad, 1);
  lua_setfield(L, -3, "load");
  // The host has its own `os`, which suggests a replacement for each missing function.
  lua_pushnil(L);
  lua_setfield(L, -3, "os");
}

void clua_newEnvironment(lua_State *L) {
  lua_createtable(L, 0, 48);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_host(L)->libraryRef);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -5);
  }
  lua_settop(L, -2);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "_G");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, baseLoad, 1);
  lua_setfield(L, -2, "load");
}

// Frozen tables: scripts get an empty proxy, and can't reach the real table to write to it.

static char frozenKey;

static int refuseWrite(lua_State *L) {
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
  return luaL_error(L, "'%s' can't be set: this table is shared by all scripts and can't be changed", key);
}

void clua_freezeTable(lua_State *L) {
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 4);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, refuseWrite);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -3);
  lua_rawsetp(L, -2, &frozenKey);
  lua_setmetatable(L, -2);
  lua_replace(L, -2);
}

bool clua_thawed(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  if (lua_rawgetp(L, -1, &frozenKey) == LUA_TNIL) {
    lua_settop(L, -3);
    return false;
  }
  lua_replace(L, -2);
  return true;
}
