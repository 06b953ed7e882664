// The providers of a walk, asked in one crossing.

#include "Internal.h"

enum { CONTEXT = 1, PROVISION = 2 };

static int body(lua_State *L) {
  clua_Host *h = clua_host(L);
  clua_Provision *p = lua_touserdata(L, PROVISION);
  for (; p->index < p->count; p->index++) {
    h->group = p->index + 1;
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->providers[p->index].function);
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->providers[p->index].self);
    if (__builtin_expect(h->viewRef != 0, 0)) clua_show(L, CONTEXT, -1);
    lua_pushvalue(L, CONTEXT);
    lua_call(L, 2, 0);
  }
  return 0;
}

int32_t clua_provide(lua_State *L, clua_Provision *provision) {
  clua_Host *h = clua_host(L);
  int32_t phase = h->phase;
  lua_checkstack(L, 8);
  lua_pushcfunction(L, body);
  lua_pushvalue(L, -2);
  lua_pushlightuserdata(L, provision);
  h->phase = CLUA_PROVIDING;
  int32_t status = clua_call(L, 2, 0);
  h->phase = phase;
  return status;
}

// MARK: What they supplied

void clua_copyTable(lua_State *L) {
  int table = lua_gettop(L);
  lua_checkstack(L, 8);
  lua_createtable(L, 0, 8);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_remove(L, table);
}

bool clua_nextOther(lua_State *L, int32_t index, int32_t before) {
  while (lua_next(L, index)) {
    lua_pushvalue(L, -2);
    lua_rawget(L, before);
    bool same = lua_rawequal(L, -1, -2);
    lua_settop(L, same ? -3 : -2);
    if (!same) return true;
  }
  return false;
}
