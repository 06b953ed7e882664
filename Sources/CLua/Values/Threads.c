// The pool of coroutines in which the host runs handlers, and the host's other operations on coroutines.

#include "Internal.h"

lua_State *clua_takeThread(clua_Host *h, lua_State *L) {
  if (h->pooled > 0) return h->pool[--h->pooled];
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->poolRef);
  lua_State *co = lua_newthread(L);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_settop(L, -2);
  return co;
}

void clua_keepThread(clua_Host *h, lua_State *L, lua_State *co, bool usable) {
  if (usable && h->pooled < CLUA_POOL) {
    lua_settop(co, 0);
    h->pool[h->pooled++] = co;
    return;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->poolRef);
  lua_pushthread(co);
  lua_xmove(co, L, 1);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_settop(L, -2);
}

void clua_unwind(lua_State *L, lua_State *thread) { clua_keepThread(clua_host(L), L, thread, false); }

bool clua_isHostThread(clua_Host *h, lua_State *L, int index) {
  index = lua_absindex(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->poolRef);
  lua_pushvalue(L, index);
  bool known = lua_rawget(L, -2) != LUA_TNIL;
  lua_settop(L, -3);
  return known;
}

void clua_openThreads(clua_Host *h, lua_State *L) {
  lua_createtable(L, CLUA_POOL, 0);
  h->poolRef = luaL_ref(L, LUA_REGISTRYINDEX);
}
