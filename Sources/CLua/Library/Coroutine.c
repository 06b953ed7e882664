// Coroutines for scripts, without close. A new coroutine costs a whole quantum, because it has a new hook count. If a
// spent limit ends a coroutine, it also ends the code that resumed it.

#include "Internal.h"

static lua_State *checkThread(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co != NULL, 1, "thread");
  return co;
}

/// Resumes with the nargs values on top. Leaves the results and returns their number, or -1 with the error value.
static int resume(lua_State *L, lua_State *co, int nargs) {
  clua_Host *h = clua_host(L);
  clua_spend(L, 20);
  clua_checkStack(h, L);
  if (!lua_checkstack(co, nargs)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, co, nargs);
  clua_shorten(co, h->period);
  int nresults;
  clua_Resume this = {co, L, h->resumes};
  h->resumes = &this;
  h->running = co;
  int status = lua_resume(co, L, nargs, &nresults);
  h->running = L;
  h->resumes = this.outer;
  if (status == LUA_OK || status == LUA_YIELD) {
    if (!lua_checkstack(L, nresults + 1)) {
      lua_settop(co, lua_gettop(co) - nresults);
      lua_pushliteral(L, "too many results to resume");
      return -1;
    }
    lua_xmove(co, L, nresults);
    return nresults;
  }
  if (status == LUA_ERRMEM) clua_caughtMemory(h, co, true);
  if (h->tripped != CLUA_TRIP_NONE) clua_raiseTrip(L);
  lua_xmove(co, L, 1);
  if (clua_isRefusal(h, L, -1)) lua_error(L);
  return -1;
}

static int coroutineResume(lua_State *L) {
  lua_State *co = checkThread(L);
  if (clua_isHostThread(clua_host(L), L, 1)) {
    lua_pushboolean(L, 0);
    lua_pushliteral(L, "cannot resume the coroutine of an action: only the host goes on with it");
    return 2;
  }
  int n = resume(L, co, lua_gettop(L) - 1);
  if (n < 0) {
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
  }
  lua_pushboolean(L, 1);
  lua_insert(L, -(n + 1));
  return n + 1;
}

static int wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int n = resume(L, co, lua_gettop(L));
  if (n >= 0) return n;
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int coroutineCreate(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  clua_spend(L, CLUA_QUANTUM);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

static int coroutineWrap(lua_State *L) {
  coroutineCreate(L);
  lua_pushcclosure(L, wrapped, 1);
  return 1;
}

/// Returns true if the coroutine is an action's or a line's, and not a script's own.
static bool runsAction(lua_State *L, lua_State *co) {
  clua_Host *h = clua_host(L);
  return h->runsAction != NULL && h->runsAction(co);
}

/// coroutine.yield, an error in the coroutine of an action or a line: the host has no values to resume it with.
static int coroutineYield(lua_State *L) {
  if (runsAction(L, L))
    return luaL_error(L, "%s can't yield: it waits by 'sleep', or by performing what waits",
                      clua_host(L)->phase == CLUA_LINE ? "a line" : "an action");
  return lua_yield(L, lua_gettop(L));
}

static int coroutineIsYieldable(lua_State *L) {
  lua_State *co = lua_isnone(L, 1) ? L : checkThread(L);
  lua_pushboolean(L, lua_isyieldable(co) && !runsAction(L, co));
  return 1;
}

void clua_openCoroutine(lua_State *L) {
  static const luaL_Reg own[] = {
      {"create", coroutineCreate}, {"resume", coroutineResume}, {"wrap", coroutineWrap},
      {"yield", coroutineYield},   {"isyieldable", coroutineIsYieldable}, {NULL, NULL}};
  static const char *const kept[] = {"status", "running"};
  luaL_setfuncs(L, own, 0);
  luaopen_coroutine(L);
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    lua_getfield(L, -1, kept[i]);
    lua_setfield(L, -3, kept[i]);
  }
  lua_settop(L, -2);
}
