// Host tables, which represent objects of the host: each has a number under a key that no script can see.

#include "Internal.h"

static char numberKey, nameKey, keptKey, partsKey, apartKey, plainKey;

void clua_setKept(lua_State *L, int32_t index) { lua_rawsetp(L, index, &keptKey); }

void clua_pushKept(lua_State *L, int32_t index) {
  if (lua_istable(L, index)) lua_rawgetp(L, index, &keptKey);
  else lua_pushnil(L);
}

void clua_newHostTable(lua_State *L, int64_t number, int32_t metatable) {
  lua_createtable(L, 0, 2);
  lua_pushinteger(L, number);
  lua_rawsetp(L, -2, &numberKey);
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable);
  lua_setmetatable(L, -2);
}

int64_t clua_hostNumber(lua_State *L, int32_t index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return -1;  // all of them have one
  lua_settop(L, -2);
  int64_t number = lua_rawgetp(L, index, &numberKey) == LUA_TNUMBER ? lua_tointeger(L, -1) : -1;
  lua_settop(L, -2);
  return number;
}

void clua_keepPart(lua_State *L) {
  int table = lua_gettop(L) - 2;
  lua_checkstack(L, 4);
  if (lua_rawgetp(L, table, &partsKey) == LUA_TNIL) {
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, table, &partsKey);
  }
  lua_replace(L, table);
  lua_settop(L, table + 2);
  lua_rawset(L, table);
  lua_settop(L, table - 1);
}

static int readPart(lua_State *L) {
  clua_Host *h = clua_host(L);
  if (h->viewRef == 0 && h->tripped == CLUA_TRIP_NONE && lua_gettop(L) == 2 && lua_istable(L, 1)) {
    if (lua_rawgetp(L, 1, &partsKey) == LUA_TTABLE) {
      lua_pushvalue(L, 2);
      if (lua_rawget(L, 3) != LUA_TNIL) return 1;
    }
    lua_settop(L, 2);
  }
  return clua_trampoline(L);
}

void clua_pushPartReader(lua_State *L, void *retained) {
  clua_pushFunctionBox(L, retained);
  lua_pushcclosure(L, readPart, 1);
}

void clua_keepApart(lua_State *L, int32_t index) { lua_rawsetp(L, index, &apartKey); }

bool clua_isApart(lua_State *L, int index, int key) {
  bool isApart = false;
  if (lua_rawgetp(L, index, &apartKey) == LUA_TTABLE) {
    lua_pushvalue(L, key);
    isApart = lua_rawget(L, -2) != LUA_TNIL;
    lua_settop(L, -2);
  }
  lua_settop(L, -2);
  return isApart;
}

void clua_setHostName(lua_State *L, int32_t index) { lua_rawsetp(L, index, &nameKey); }

void clua_pushHostName(lua_State *L, int32_t index) {
  if (lua_istable(L, index)) lua_rawgetp(L, index, &nameKey);
  else lua_pushnil(L);
}

void clua_markPlainMetatable(lua_State *L, int32_t index) {
  index = lua_absindex(L, index);
  lua_pushboolean(L, 1);
  lua_rawsetp(L, index, &plainKey);
}

bool clua_isPlainTable(lua_State *L, int32_t index) {
  if (!lua_getmetatable(L, index)) return true;
  bool isPlain = lua_rawgetp(L, -1, &plainKey) != LUA_TNIL;
  lua_settop(L, -3);
  return isPlain;
}

void clua_setRawMetatable(lua_State *L, int32_t index) { lua_setmetatable(L, index); }

// The mark in the metatable of a host object, a table or userdata that rawset refuses.

static char hostObjectKey;

void clua_markHostMetatable(lua_State *L, int32_t index) {
  index = lua_absindex(L, index);
  lua_pushboolean(L, 1);
  lua_rawsetp(L, index, &hostObjectKey);
}

bool clua_isHostObject(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  bool marked = lua_rawgetp(L, -1, &hostObjectKey) != LUA_TNIL;
  lua_settop(L, -3);
  return marked;
}
