// Four metamethods must not work for scripts: __gc and __close run without hooks, __concat and weak keys reach bugs of
// 5.4.4. Checking metatables is not enough, because scripts can write them later. So the names are buried. Lua finds a
// metamethod by the address of its name, made once when a state opens. The bytes of that string are changed here,
// before any script is read. A script's "__gc" is then another, meaningless string. The host keeps references.

#include "Internal.h"

#include <string.h>

static const char *const buried[] = {"__gc", "__close", "__concat", "__mode"};
enum { FINALIZER = 0, CLOSING = 1, WEAK = 3, BURIED = 4 };
static const char registryKey[] = "clua.names";

/// Changes the first two bytes so that no script's string is ever found to be this string. Equal bytes must be in
/// another bucket of the string table, at its smallest size and therefore at every size.
static bool bury(lua_State *L, const char *name) {
  size_t length;
  lua_pushstring(L, name);
  char *bytes = (char *)lua_tolstring(L, -1, &length);
  for (int i = 1; i < 31 * 31; i++) {
    bytes[0] = (char)(1 + i / 31);
    bytes[1] = (char)(1 + i % 31);
    const char *twin = lua_pushlstring(L, bytes, length);
    lua_settop(L, -2);
    if (twin != bytes) return true;
  }
  return false;
}

/// Makes the metatable of the boxes in which Lua's library builds long strings, before the names are buried. Its keys
/// are these strings, so it continues to work.
static void makeBufferBoxes(lua_State *L) {
  luaL_Buffer b;
  luaL_buffinitsize(L, &b, LUAL_BUFFERSIZE + 1);
  luaL_pushresultsize(&b, 0);
  lua_settop(L, -2);
}

static bool areBuried(lua_State *L) {
  bool all = true;
  lua_getfield(L, LUA_REGISTRYINDEX, registryKey);
  for (int i = 0; i < BURIED; i++) {
    lua_rawgeti(L, -1, i + 1);
    const char *real = lua_tostring(L, -1);
    const char *spelled = lua_pushstring(L, buried[i]);
    if (real == spelled || strcmp(real, spelled) == 0) all = false;
    lua_settop(L, -3);
  }
  lua_settop(L, -2);
  return all;
}

bool clua_buryNames(clua_Host *h, lua_State *L) {
  makeBufferBoxes(L);
  lua_createtable(L, BURIED, 0);
  for (int i = 0; i < BURIED; i++) {
    if (!bury(L, buried[i])) return false;
    if (i == WEAK) {
      lua_pushvalue(L, -1);
      h->weakName = lua_tostring(L, -1);
      h->weakKey = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, LUA_REGISTRYINDEX, registryKey);
  return areBuried(L);
}

static void pushName(lua_State *L, int which) {
  lua_getfield(L, LUA_REGISTRYINDEX, registryKey);
  lua_rawgeti(L, -1, which + 1);
  lua_replace(L, -2);
}

void clua_pushFinalizerName(lua_State *L) { pushName(L, FINALIZER); }

void clua_pushClosingName(lua_State *L) { pushName(L, CLOSING); }
