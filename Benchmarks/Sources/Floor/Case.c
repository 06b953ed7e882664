// Opening and closing a floor, and the hook that all of them have.

#include "Case.h"

#include <stdlib.h>

/// The least that is still a limit: what ran is paid, and who can't pay ends.
static void pay(lua_State *L, lua_Debug *ar) {
  (void)ar;
  floor_Case *c = *(floor_Case **)lua_getextraspace(L);
  c->account -= FLOOR_QUANTUM;
  if (c->account < 0) luaL_error(L, "the account is empty");
}

void floor_setHook(lua_State *L, floor_Case *c) {
  *(floor_Case **)lua_getextraspace(L) = c;
  lua_sethook(L, pay, LUA_MASKCOUNT, FLOOR_QUANTUM);
}

floor_Case *floor_make(int64_t (*run)(floor_Case *, int64_t), const char *script, bool hook) {
  floor_Case *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->account = INT64_MAX;
  c->run = run;
  c->L = luaL_newstate();
  if (c->L == NULL) {
    free(c);
    return NULL;
  }
  luaL_openlibs(c->L);
  if (hook) floor_setHook(c->L, c);
  bool failed = script != NULL && (luaL_loadstring(c->L, script) != LUA_OK || lua_pcall(c->L, 0, 1, 0) != LUA_OK);
  if (failed || !lua_checkstack(c->L, 16)) {
    floor_close(c);
    return NULL;
  }
  return c;
}

int64_t floor_run(floor_Case *c, int64_t n) { return c->run(c, n); }

void floor_close(floor_Case *c) {
  lua_close(c->L);
  free(c->provide);
  free(c->rows);
  free(c->arena);
  for (int i = 0; i < 2; i++) free(c->scripts[i]);
  free(c);
}

__attribute__((noinline)) int64_t floor_measured(int64_t (*body)(void *, int64_t), void *context, int64_t n) {
  int64_t answer = body(context, n);
  __asm__ volatile("" : "+r"(answer));  // so that this frame stays until the body has returned
  return answer;
}

int floor_field(lua_State *L, const char *name) {
  lua_getfield(L, -1, name);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

void floor_readResponder(floor_Case *c) {
  lua_State *L = c->L;
  c->self = floor_field(L, "self");
  c->can = floor_field(L, "can");
  c->look = floor_field(L, "look");
  c->on = floor_field(L, "on");
  c->other = floor_field(L, "other");
  c->change = floor_field(L, "change");
  lua_getfield(L, -1, "provide");
  c->providers = (int32_t)lua_rawlen(L, -1);
  c->provide = calloc((size_t)c->providers + 1, sizeof *c->provide);
  for (int32_t i = 0; i < c->providers; i++) {
    lua_rawgeti(L, -1, i + 1);
    c->provide[i] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  lua_settop(L, -3);
}

bool floor_provide(floor_Case *c, int context) {
  for (int32_t i = 0; i < c->providers; i++) {
    floor_pushCall(c, c->provide[i], context);
    if (lua_pcall(c->L, 2, 0, 0) != LUA_OK) return false;
  }
  return true;
}
