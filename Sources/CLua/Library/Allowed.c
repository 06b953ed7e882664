// The list of all Lua functions that scripts may find. An interpreter whose library differs from it isn't opened.

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

/// Sorted by their bytes.
static const char *const allowed[] = {
    "_VERSION", "assert", "collectgarbage", "coroutine.create", "coroutine.isyieldable", "coroutine.resume", "coroutine.running",
    "coroutine.status", "coroutine.wrap", "coroutine.yield", "error", "getmetatable", "ipairs", "math.abs", "math.acos", "math.asin",
    "math.atan", "math.ceil", "math.cos", "math.deg", "math.exp", "math.floor", "math.fmod", "math.huge", "math.log", "math.max",
    "math.maxinteger", "math.min", "math.mininteger", "math.modf", "math.pi", "math.rad", "math.random", "math.randomseed", "math.sin",
    "math.sqrt", "math.tan", "math.tointeger", "math.type", "math.ult", "next", "os.clock", "os.date", "os.difftime", "os.time", "pairs",
    "pcall", "rawequal", "rawget", "rawlen", "rawset", "select", "setmetatable", "string.byte", "string.char", "string.find",
    "string.format", "string.gmatch", "string.gsub", "string.len", "string.lower", "string.match", "string.pack", "string.packsize",
    "string.rep", "string.reverse", "string.sub", "string.unpack", "string.upper", "table.concat", "table.insert", "table.move",
    "table.pack", "table.remove", "table.sort", "table.unpack", "tonumber", "tostring", "type", "utf8.char", "utf8.charpattern",
    "utf8.codepoint", "utf8.codes", "utf8.len", "utf8.offset", "xpcall",
};

static int compare(const void *name, const void *entry) { return strcmp(name, *(const char *const *)entry); }

/// Whether everything in the table on top is allowed; counts the entries. Only libraries may be tables, and may not contain any.
static bool areAllowed(lua_State *L, const char *library, size_t *count) {
  int table = lua_gettop(L);
  char name[64];
  size_t start = strlen(library), length;
  memcpy(name, library, start);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (lua_type(L, -2) != LUA_TSTRING) return false;
    const char *key = lua_tolstring(L, -2, &length);
    if (start + length + 2 > sizeof name) return false;
    memcpy(name + start, key, length + 1);
    if (lua_istable(L, -1)) {
      if (start > 0 || !clua_thawed(L, -1)) return false;
      memcpy(name + length, ".", 2);
      if (!areAllowed(L, name, count)) return false;
    } else {
      if (bsearch(name, allowed, sizeof allowed / sizeof *allowed, sizeof *allowed, compare) == NULL) return false;
      ++*count;
    }
    lua_settop(L, table + 1);
  }
  return true;
}

bool clua_isAsAllowed(clua_Host *h, lua_State *L) {
  int top = lua_gettop(L);
  size_t count = 0;
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->libraryRef);
  bool same = areAllowed(L, "", &count) && count == sizeof allowed / sizeof *allowed;
  lua_settop(L, top);
  return same;
}
