// The string library without patterns (Match.c). It checks sizes before building values, and shows no address.

#include "Internal.h"

#include <string.h>

static int stringRep(lua_State *L) {
  size_t length, width;
  const char *text = luaL_checklstring(L, 1, &length);
  lua_Integer count = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &width);
  size_t most = clua_host(L)->limits.block;
  if (count <= 0 || (length == 0 && width == 0)) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (length + width > most || (size_t)count > most / (length + width))
    return luaL_error(L, "resulting string too large");
  clua_spend(L, (size_t)count);
  size_t total = (size_t)count * length + ((size_t)count - 1) * width;
  luaL_Buffer b;
  char *to = luaL_buffinitsize(L, &b, total);
  for (lua_Integer i = 0; i < count; i++) {
    memcpy(to, text, length);
    to += length;
    if (i + 1 == count || width == 0) continue;
    memcpy(to, separator, width);
    to += width;
  }
  luaL_pushresultsize(&b, total);
  return 1;
}

/// string.format: shows %s values in the form for scripts, refuses %p, and leaves the rest to Lua's format, upvalue 1.
static int stringFormat(lua_State *L) {
  size_t length;
  const char *format = luaL_checklstring(L, 1, &length);
  clua_chargeArguments(L);
  int argument = 1, last = lua_gettop(L);
  for (const char *at = format; at < format + length; at++) {
    if (*at != '%' || *++at == '%') continue;
    at += strspn(at, "-+ #0123456789.");
    if (++argument > last) break;
    if (*at == 'p') return luaL_error(L, "'%%p' is not available to scripts: it would show an address");
    if (*at != 's' || lua_type(L, argument) == LUA_TSTRING) continue;
    clua_tostring(L, argument, NULL);
    lua_replace(L, argument);
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void clua_openStrings(lua_State *L) {
  static const char *const kept[] = {"byte", "char",    "len",  "lower",    "upper", "reverse",
                                     "sub",  "pack", "unpack", "packsize", "format"};
  luaL_requiref(L, "string", luaopen_string, 0);
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    lua_getfield(L, -1, kept[i]);
    lua_setfield(L, -3, kept[i]);
  }
  lua_settop(L, -2);
  lua_pushcfunction(L, stringRep);
  lua_setfield(L, -2, "rep");
  lua_getfield(L, -1, "format");
  lua_pushcclosure(L, stringFormat, 1);
  lua_setfield(L, -2, "format");
  clua_charge(L, "lower");
  clua_charge(L, "upper");
  clua_charge(L, "reverse");
  clua_charge(L, "char");
  clua_charge(L, "pack");
  clua_charge(L, "packsize");
  clua_charge(L, "unpack");
  clua_openMatcher(L);

  // Makes these functions the methods of strings, and hides the metatable of strings from scripts.
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_settop(L, -3);
}

// Cuts texts into lines.

/// lines(text): returns a list of its lines, without their line ends.
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
