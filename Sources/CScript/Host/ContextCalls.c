// The calls of a context: append, each, flag, has and refuse. All but refuse work on a reader; append raises there.

#include "Script.h"

#include <ctype.h>
#include <string.h>

static char listKey;

/// The shift of the group in the mark of an append list: the last group, and the number of its values in front.
enum { GROUP_SHIFT = 32 };

/// The fewest bytes of a value in a table.
enum { VALUE = 16 };

static void checkContext(lua_State *L) {
  if (!clua_isHostObject(L, 1)) luaL_error(L, "call it with a colon: ctx:append(key, value)");
}

/// Charges a script for steps, but not the program for its own reads.
static void charge(lua_State *L, lua_Integer steps) {
  if (clua_host(L)->hostDepth == 0) clua_chargeWork(L, (uint64_t)steps);
}

/// Returns true if a table has no field.
static bool isEmpty(lua_State *L, int index) {
  lua_pushnil(L);
  if (lua_next(L, index) == 0) return true;
  lua_settop(L, -3);
  return false;
}

void clua_makeList(lua_State *L) {
  int value = lua_gettop(L);
  bool isTable = lua_istable(L, value) && clua_hostNumber(L, value) < 0;
  lua_createtable(L, 4, 1);
  lua_Integer count = 0;
  // Not up to the border, which is arbitrary in a table with gaps.
  while (isTable && lua_rawgeti(L, value, count + 1) != LUA_TNIL) lua_rawseti(L, value + 1, ++count);
  lua_settop(L, value + 1);
  charge(L, count);
  if (count == 0 && !lua_isnil(L, value) && !(isTable && isEmpty(L, value))) {
    lua_pushvalue(L, value);
    lua_rawseti(L, -2, 1);
  }
  lua_replace(L, value);
}

/// Returns the number of values on top up to a gap. With values far behind it, the table's border is arbitrary.
static lua_Integer lengthOf(lua_State *L, const clua_Host *h) {
  lua_Unsigned border = lua_rawlen(L, -1);
  if (border <= h->live / VALUE) return (lua_Integer)border;
  lua_Integer count = 0;
  while (lua_rawgeti(L, -1, count + 1) != LUA_TNIL) {
    lua_settop(L, -2);
    count++;
  }
  lua_settop(L, -2);
  return count;
}

/// Pops key and value. Puts the value into the list table[key], before the values of other groups.
void clua_appendNearest(lua_State *L, int32_t index, int64_t group) {
  clua_Host *h = clua_host(L);
  index = lua_absindex(L, index);
  int key = lua_gettop(L) - 1, value = key + 1;
  lua_pushvalue(L, key);
  lua_rawget(L, index);
  bool isList = false;
  int64_t mark = 0;
  if (lua_istable(L, -1)) {
    isList = lua_rawgetp(L, -1, &listKey) == LUA_TNUMBER;
    mark = lua_tointeger(L, -1);
    lua_settop(L, -2);
  }
  if (!isList) {
    clua_makeList(L);
    lua_pushvalue(L, key);
    lua_pushvalue(L, -2);
    lua_rawset(L, index);
  }
  int64_t front = mark >> GROUP_SHIFT == group ? mark & 0xFFFFFFFF : 0;
  lua_Integer count = lengthOf(L, h);
  if (front > count) front = count;
  for (lua_Integer i = count; i > front; i--) {
    lua_rawgeti(L, -1, i);
    lua_rawseti(L, -2, i + 1);
  }
  charge(L, count - front);
  lua_pushvalue(L, value);
  lua_rawseti(L, -2, front + 1);
  lua_pushinteger(L, group << GROUP_SHIFT | (front + 1));
  lua_rawsetp(L, -2, &listKey);
  lua_settop(L, key - 1);
}

bool clua_isAppended(lua_State *L, int32_t index) {
  if (!lua_istable(L, index)) return false;
  bool marked = lua_rawgetp(L, index, &listKey) == LUA_TNUMBER;
  lua_settop(L, -2);
  return marked;
}

static int append(lua_State *L) {
  clua_Host *h = clua_host(L);
  checkContext(L);
  size_t length;
  const char *key = luaL_checklstring(L, 2, &length);
  luaL_checkany(L, 3);
  if (lua_isnil(L, 3)) return 0;  // nothing is supplied, as with an assignment
  lua_settop(L, 3);
  if (clua_isHostName(h, L, 2)) return luaL_error(L, "'%s' is a name of the context's own: choose another", key);
  // A reader can't be written: its __newindex raises.
  if (!clua_pushSupplied(L, 1)) {
    lua_settable(L, 1);
    return 0;
  }
  lua_replace(L, 1);
  clua_spend(L, 8);
  clua_appendNearest(L, 1, clua_script(h)->group);
  return 0;
}

static int nextOfList(lua_State *L) {
  lua_Integer i = lua_tointeger(L, lua_upvalueindex(2)) + 1;
  lua_pushinteger(L, i);
  lua_replace(L, lua_upvalueindex(2));
  lua_rawgeti(L, lua_upvalueindex(1), i);
  return 1;
}

static int each(lua_State *L) {
  checkContext(L);
  luaL_checkstring(L, 2);
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  lua_gettable(L, 1);
  clua_makeList(L);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, nextOfList, 2);
  return 1;
}

static bool saysYes(const char *text, size_t length) {
  static const char *const words[] = {"true", "yes", "on", "1"};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
    if (strlen(words[w]) != length) continue;
    size_t i = 0;
    while (i < length && tolower((unsigned char)text[i]) == words[w][i]) i++;
    if (i == length) return true;
  }
  return false;
}

static int flag(lua_State *L) {
  checkContext(L);
  luaL_checkstring(L, 2);
  lua_settop(L, 2);
  lua_gettable(L, 1);
  size_t length;
  bool on = false;
  switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN: on = lua_toboolean(L, -1); break;
    case LUA_TNUMBER: on = lua_tonumber(L, -1) != 0 && lua_tonumber(L, -1) == lua_tonumber(L, -1); break;
    case LUA_TSTRING: {
      const char *text = lua_tolstring(L, -1, &length);
      on = saysYes(text, length);
      break;
    }
  }
  lua_pushboolean(L, on);
  return 1;
}

static int has(lua_State *L) {
  checkContext(L);
  luaL_checkstring(L, 2);
  lua_settop(L, 2);
  lua_gettable(L, 1);
  lua_pushboolean(L, !lua_isnil(L, -1));
  return 1;
}

/// ctx:refuse(reason)
static int refuse(lua_State *L) {
  clua_Host *h = clua_host(L);
  if (h->phase == CLUA_ASKING) return luaL_error(L, "ctx:refuse is for handlers: here, return false and the reason");
  if (!clua_isHostObject(L, 1)) return luaL_error(L, "call it with a colon: ctx:refuse(reason)");
  if (!clua_isRunning(h, L, 1))
    return luaL_error(L, "call ctx:refuse(reason) in a running handler, on its own context");
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) lua_pushliteral(L, "");
  else clua_tostring(L, 2, NULL);
  lua_rawseti(L, LUA_REGISTRYINDEX, h->reasonRef);
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->refusalRef);
  return lua_error(L);
}

void clua_openContextCalls(lua_State *L) {
  static const luaL_Reg calls[] = {{"append", append}, {"each", each}, {"flag", flag}, {"has", has},
                                   {"refuse", refuse}, {NULL, NULL}};
  luaL_setfuncs(L, calls, 0);
}
