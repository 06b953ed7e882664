// The table library. Every loop is charged, so neither a false length nor a slow metamethod can make it endless.

#include "Internal.h"

#include <limits.h>
#include <string.h>

enum { READS = 1, WRITES = 2, MEASURES = 4 };

static bool has(lua_State *L, const char *event) {
  lua_pushstring(L, event);
  bool there = lua_rawget(L, -2) != LUA_TNIL;
  lua_settop(L, -2);
  return there;
}

/// Raises unless the value is a table, or has the metamethods to act as a table.
static void checkTable(lua_State *L, int index, int what) {
  if (lua_istable(L, index)) return;
  if (lua_getmetatable(L, index)) {
    bool fit = (!(what & READS) || has(L, "__index")) && (!(what & WRITES) || has(L, "__newindex")) &&
               (!(what & MEASURES) || has(L, "__len"));
    lua_settop(L, -2);
    if (fit) return;
  }
  luaL_checktype(L, index, LUA_TTABLE);
}

static lua_Integer length(lua_State *L, int index, int what) {
  checkTable(L, index, what | MEASURES);
  return luaL_len(L, index);
}

static int tableInsert(lua_State *L) {
  lua_Integer end = length(L, 1, READS | WRITES);
  end = (lua_Integer)((lua_Unsigned)end + 1);
  lua_Integer position = end;
  if (lua_gettop(L) == 3) {
    position = luaL_checkinteger(L, 2);
    luaL_argcheck(L, (lua_Unsigned)position - 1u < (lua_Unsigned)end, 2, "position out of bounds");
    for (lua_Integer i = end; i > position; i--) {
      clua_spend(L, 1);
      lua_geti(L, 1, i - 1);
      lua_seti(L, 1, i);
    }
  } else if (lua_gettop(L) != 2) {
    return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, position);
  return 0;
}

static int tableRemove(lua_State *L) {
  lua_Integer size = length(L, 1, READS | WRITES);
  lua_Integer position = luaL_optinteger(L, 2, size);
  if (position != size)
    luaL_argcheck(L, (lua_Unsigned)position - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
  lua_geti(L, 1, position);
  for (; position < size; position++) {
    clua_spend(L, 1);
    lua_geti(L, 1, position + 1);
    lua_seti(L, 1, position);
  }
  lua_pushnil(L);
  lua_seti(L, 1, position);
  return 1;
}

static int tableMove(lua_State *L) {
  lua_Integer from = luaL_checkinteger(L, 2), end = luaL_checkinteger(L, 3), to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  checkTable(L, 1, READS);
  checkTable(L, target, WRITES);
  if (end >= from) {
    luaL_argcheck(L, from > 0 || end < LUA_MAXINTEGER + from, 3, "too many elements to move");
    lua_Integer count = end - from + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    // If the target begins inside the source, copying upwards would read values that were just written.
    bool overlaps = to > from && to <= end && (target == 1 || lua_compare(L, 1, 5, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      lua_Integer k = overlaps ? count - 1 - i : i;
      clua_spend(L, 1);
      lua_geti(L, 1, from + k);
      lua_seti(L, target, to + k);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

static void addElement(lua_State *L, luaL_Buffer *b, lua_Integer i) {
  lua_geti(L, 1, i);
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1), (LUAI_UACINT)i);
  luaL_addvalue(b);
}

static int tableConcat(lua_State *L) {
  lua_Integer size = length(L, 1, READS);
  size_t width;
  const char *separator = luaL_optlstring(L, 2, "", &width);
  lua_Integer i = luaL_optinteger(L, 3, 1);
  size = luaL_optinteger(L, 4, size);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (; i < size; i++) {
    clua_spend(L, 1);
    addElement(L, &b, i);
    luaL_addlstring(&b, separator, width);
  }
  if (i == size) addElement(L, &b, i);
  luaL_pushresult(&b);
  return 1;
}

static int tablePack(lua_State *L) {
  int count = lua_gettop(L);
  lua_createtable(L, count, 1);
  lua_insert(L, 1);
  for (int i = count; i >= 1; i--) lua_seti(L, 1, i);
  lua_pushinteger(L, count);
  lua_setfield(L, 1, "n");
  return 1;
}

static int tableUnpack(lua_State *L) {
  lua_Integer i = luaL_optinteger(L, 2, 1);
  lua_Integer end = luaL_opt(L, luaL_checkinteger, 3, luaL_len(L, 1));
  if (i > end) return 0;
  lua_Unsigned count = (lua_Unsigned)end - (lua_Unsigned)i;
  if (count >= INT_MAX || !lua_checkstack(L, (int)++count)) return luaL_error(L, "too many results to unpack");
  for (; i < end; i++) {
    clua_spend(L, 1);
    lua_geti(L, 1, i);
  }
  lua_geti(L, 1, end);
  return (int)count;
}

// MARK: Sorting, by a heap: never worse than n log n, and content with any order function

/// Returns the steps for comparing or converting a value.
static size_t weight(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TSTRING ? lua_rawlen(L, index) / 8 : 0;
}

static bool comesBefore(lua_State *L, int a, int b) {
  clua_spend(L, 4 + weight(L, a) + weight(L, b));
  if (lua_isnil(L, 2)) return lua_compare(L, a, b, LUA_OPLT);
  a = lua_absindex(L, a);
  b = lua_absindex(L, b);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  lua_call(L, 2, 1);
  bool answer = lua_toboolean(L, -1);
  lua_settop(L, -2);
  return answer;
}

/// Pops a value and puts it into its place below `root`, in a heap of `count`.
static void siftDown(lua_State *L, lua_Integer root, lua_Integer count) {
  int value = lua_gettop(L);
  for (lua_Integer child = 2 * root; child <= count; root = child, child = 2 * root) {
    lua_geti(L, 1, child);
    if (child < count) {
      lua_geti(L, 1, child + 1);
      if (comesBefore(L, -2, -1)) {
        child++;
        lua_replace(L, -2);
      } else {
        lua_settop(L, -2);
      }
    }
    if (!comesBefore(L, value, -1)) {
      lua_settop(L, value);
      break;
    }
    lua_seti(L, 1, root);
  }
  lua_seti(L, 1, root);
}

static int tableSort(lua_State *L) {
  lua_Integer count = length(L, 1, READS | WRITES);
  if (count < 2) return 0;
  luaL_argcheck(L, count < INT_MAX, 1, "array too big");
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  for (lua_Integer root = count / 2; root >= 1; root--) {
    lua_geti(L, 1, root);
    siftDown(L, root, count);
  }
  for (lua_Integer last = count; last > 1; last--) {
    lua_geti(L, 1, last);
    lua_geti(L, 1, 1);
    lua_seti(L, 1, last);
    siftDown(L, 1, last - 1);
  }
  return 0;
}

void clua_openTable(lua_State *L) {
  static const luaL_Reg own[] = {
      {"insert", tableInsert}, {"remove", tableRemove}, {"move", tableMove}, {"concat", tableConcat},
      {"pack", tablePack},     {"unpack", tableUnpack}, {"sort", tableSort}, {NULL, NULL},
  };
  luaL_setfuncs(L, own, 0);
}

// Charging for functions that loop over strings.

void clua_chargeArguments(lua_State *L) {
  size_t total = 0, most = clua_host(L)->limits.block;
  for (int i = lua_gettop(L); i > 0 && total <= most; i--)
    if (lua_type(L, i) == LUA_TSTRING) total += lua_rawlen(L, i);
  // The same long string a thousand times means a thousand times the work, without interruption.
  if (total > most) luaL_error(L, "the arguments are longer together than one string can be");
  clua_spend(L, total);
}

static int charged(lua_State *L) {
  clua_chargeArguments(L);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void clua_charge(lua_State *L, const char *name) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, charged, 1);
  lua_setfield(L, -2, name);
}
