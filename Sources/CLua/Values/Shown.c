// Values as the text that scripts see, without addresses.

#include "Internal.h"

#include <stdio.h>

/// A number that distinguishes objects without revealing their addresses.
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
