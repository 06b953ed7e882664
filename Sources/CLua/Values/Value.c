// The stack and its values, in host mode: no function here can raise or run script code.

#include "Internal.h"
#include <stdio.h>

bool clua_room(lua_State *L, int32_t count) { return lua_checkstack(L, count) != 0; }
int32_t clua_top(lua_State *L) { return lua_gettop(L); }
void clua_setTop(lua_State *L, int32_t top) { lua_settop(L, top); }
void clua_pop(lua_State *L, int32_t count) { lua_settop(L, -count - 1); }
int32_t clua_type(lua_State *L, int32_t index) { return lua_type(L, index); }
bool clua_isInteger(lua_State *L, int32_t index) { return lua_isinteger(L, index) != 0; }
bool clua_rawEqual(lua_State *L, int32_t a, int32_t b) { return lua_rawequal(L, a, b) != 0; }
const void *clua_identity(lua_State *L, int32_t index) { return lua_topointer(L, index); }
void clua_copy(lua_State *L, int32_t index) { lua_pushvalue(L, index); }
void clua_insert(lua_State *L, int32_t index) { lua_insert(L, index); }
void clua_replace(lua_State *L, int32_t index) { lua_replace(L, index); }

void clua_pushNil(lua_State *L) { lua_pushnil(L); }
void clua_pushBool(lua_State *L, bool value) { lua_pushboolean(L, value); }
void clua_pushInteger(lua_State *L, int64_t value) { lua_pushinteger(L, value); }
void clua_pushNumber(lua_State *L, double value) { lua_pushnumber(L, value); }
void clua_pushBytes(lua_State *L, const void *bytes, size_t length) { lua_pushlstring(L, bytes, length); }

bool clua_bool(lua_State *L, int32_t index) { return lua_toboolean(L, index) != 0; }
int64_t clua_integer(lua_State *L, int32_t index) { return lua_tointegerx(L, index, NULL); }
double clua_number(lua_State *L, int32_t index) { return lua_tonumberx(L, index, NULL); }

const char *clua_bytes(lua_State *L, int32_t index, size_t *length) {
  // Only a string is read: a number would be converted in place.
  return lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, length) : NULL;
}

// MARK: Tables

void clua_newTable(lua_State *L, int32_t array, int32_t fields) { lua_createtable(L, array, fields); }
void clua_pushGlobals(lua_State *L) { lua_pushglobaltable(L); }
uint64_t clua_rawLength(lua_State *L, int32_t index) { return lua_rawlen(L, index); }

bool clua_rawSet(lua_State *L, int32_t index) {
  lua_Number key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
  if (lua_isnil(L, -2) || key != key) {
    lua_settop(L, -3);
    return false;
  }
  lua_rawset(L, index);
  return true;
}

void clua_rawGet(lua_State *L, int32_t index) { lua_rawget(L, index); }
void clua_rawSetAt(lua_State *L, int32_t index, int64_t key) { lua_rawseti(L, index, key); }
void clua_rawGetAt(lua_State *L, int32_t index, int64_t key) { lua_rawgeti(L, index, key); }

static int nextEntry(lua_State *L) {
  return lua_next(L, 1) ? 2 : 0;
}

/// Returns true if the table at the index has a value for the key on top.
static bool hasKey(lua_State *L, int index) {
  lua_pushvalue(L, -1);
  bool has = lua_rawget(L, index) != LUA_TNIL;
  lua_settop(L, -2);
  return has;
}

bool clua_next(lua_State *L, int32_t index) {
  clua_Host *h = clua_host(L);
  index = lua_absindex(L, index);
  int base = lua_gettop(L) - 1;
  do {
    // lua_next raises for an unknown key: then it runs where the error is caught.
    if (lua_istable(L, index) && (lua_isnil(L, -1) || hasKey(L, index))) {
      if (!lua_next(L, index)) return false;
    } else {
      lua_pushcfunction(L, nextEntry);
      lua_insert(L, -2);
      lua_pushvalue(L, index);
      lua_insert(L, -2);
      if (lua_pcall(L, 2, LUA_MULTRET, 0) != LUA_OK || lua_gettop(L) == base) {
        lua_settop(L, base);
        return false;
      }
    }
    if (!clua_isHiddenKey(h, L, -2)) return true;
    lua_settop(L, -2);
  } while (true);
}

bool clua_metatable(lua_State *L, int32_t index) { return lua_getmetatable(L, index) != 0; }

// MARK: References

int32_t clua_reference(lua_State *L) { return luaL_ref(L, LUA_REGISTRYINDEX); }
void clua_pushReference(lua_State *L, int32_t reference) { lua_rawgeti(L, LUA_REGISTRYINDEX, reference); }

void clua_release(lua_State *L, int32_t reference) {
  clua_host(L)->released++;
  luaL_unref(L, LUA_REGISTRYINDEX, reference);
}

int32_t clua_functionPlace(lua_State *L, int32_t index, char *source, size_t capacity) {
  lua_Debug ar;
  if (capacity == 0) return 0;
  source[0] = 0;
  if (!lua_isfunction(L, index)) return 0;
  lua_pushvalue(L, index);
  if (lua_getinfo(L, ">S", &ar) == 0 || ar.linedefined < 0) return 0;
  size_t length = clua_nameLength(&ar), n = length < capacity - 1 ? length : capacity - 1;
  for (size_t i = 0; i < n; i++) source[i] = ar.source[i];
  source[n] = 0;
  return ar.linedefined == 0 ? 1 : ar.linedefined;
}

void clua_pushParameter(lua_State *L, int32_t index, int32_t number) {
  lua_pushvalue(L, index);
  const char *name = lua_getlocal(L, NULL, number);  // of the function on top, which stays there
  lua_settop(L, -2);
  if (name != NULL) lua_pushstring(L, name);
  else lua_pushnil(L);
}

bool clua_functionLines(lua_State *L, int32_t index, int32_t *first, int32_t *last) {
  lua_Debug ar;
  if (!lua_isfunction(L, index)) return false;
  lua_pushvalue(L, index);
  if (lua_getinfo(L, ">S", &ar) == 0 || ar.linedefined < 0) return false;
  *first = ar.linedefined;
  *last = ar.lastlinedefined;
  return true;
}

// Values that are equal only to themselves, such as the refusal.

static int nameOfSentinel(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

/// Makes a value that is equal only to itself.
const void *clua_sentinel(lua_State *L, const char *name, int32_t *reference) {
  lua_newuserdatauv(L, 1, 0);
  lua_createtable(L, 0, 2);
  lua_pushstring(L, name);
  lua_pushcclosure(L, nameOfSentinel, 1);
  lua_setfield(L, -2, "__tostring");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  const void *identity = lua_topointer(L, -1);
  *reference = luaL_ref(L, LUA_REGISTRYINDEX);
  return identity;
}

int32_t clua_newSentinel(lua_State *L, const char *name) {
  int32_t reference;
  clua_sentinel(L, name, &reference);
  return reference;
}

// Values as text for scripts, without addresses.

/// Returns a number that distinguishes objects without revealing their addresses.
static uint64_t disguise(clua_Host *h, const void *address) {
  uint64_t x = (uint64_t)(uintptr_t)address ^ h->secret;
  for (int i = 0; i < 3; i++) {
    x *= 0x9E3779B97F4A7C15u | 1u;
    x ^= x >> 29;
    x += h->secret;
  }
  return x;
}

const char *clua_tostring(lua_State *L, int index, size_t *length) {
  index = lua_absindex(L, index);
  if (luaL_callmeta(L, index, "__tostring")) {
    if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
    return lua_tolstring(L, -1, length);
  }
  switch (lua_type(L, index)) {
    case LUA_TNIL: lua_pushliteral(L, "nil"); break;
    case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"); break;
    case LUA_TNUMBER:
    case LUA_TSTRING: lua_pushvalue(L, index); break;
    default: {
      int name = luaL_getmetafield(L, index, "__name");
      const char *kind = name == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, index);
      char number[24];
      snprintf(number, sizeof number, "0x%014llx",
               (unsigned long long)(disguise(clua_host(L), lua_topointer(L, index)) & 0xFFFFFFFFFFFFFFu));
      lua_pushfstring(L, "%s: %s", kind, number);
      if (name != LUA_TNIL) lua_remove(L, -2);
    }
  }
  return lua_tolstring(L, -1, length);
}
