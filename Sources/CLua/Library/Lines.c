// Cuts texts into lines.

#include "Internal.h"

#include <string.h>

/// lines(text): a list of its lines, without their line ends.
static int lines(lua_State *L) {
  if (lua_type(L, 1) != LUA_TSTRING)
    return luaL_error(L, "lines takes a text, not %s", lua_isnone(L, 1) ? "nothing" : luaL_typename(L, 1));
  size_t length;
  const char *from = lua_tolstring(L, 1, &length), *end = from + length;
  lua_createtable(L, 0, 0);
  for (lua_Integer count = 1; from < end; count++) {
    const char *stop = memchr(from, '\n', (size_t)(end - from));
    const char *next = stop == NULL ? end : stop + 1;
    if (stop == NULL) stop = end;
    else if (stop > from && stop[-1] == '\r') stop--;
    lua_pushlstring(L, from, (size_t)(stop - from));
    lua_rawseti(L, -2, count);
    clua_spend(L, (size_t)(next - from) / 16 + 1);
    from = next;
  }
  return 1;
}

void clua_pushLines(lua_State *L) { lua_pushcfunction(L, lines); }
