// Waiting: an action or a line that sleeps, or waits for an action, suspends its coroutine, which the host resumes later.

#include "Script.h"

enum { LONGEST_SLEEP = 1000000000 };  // seconds; more is a mistake

const clua_Wait *clua_wait(lua_State *L) { return &clua_host(L)->wait; }

const char *clua_whyNoWait(lua_State *L) {
  clua_Host *h = clua_host(L);
  if (h->phase < CLUA_IDLE)
    return "nothing can wait while the host is asking: a question must not change anything";
  bool isLine = h->phase == CLUA_LINE;
  if (clua_script(h)->run == NULL || (h->phase != CLUA_DOING && !isLine)) return "only what an action does can wait, and what undoes it, 'start', a timer, a test or a line";
  if (clua_script(h)->run->co != L)
    return isLine ? "a coroutine that a script made can't wait: only the line itself can"
                  : "a coroutine that a script made can't wait: only the action itself can";
  if (!lua_isyieldable(L) && clua_script(h)->tellsLine) return "the function 'line' can't wait: it is told each line while the program runs";
  if (!lua_isyieldable(L)) return "what a library function calls back, like 'table.sort' or 'string.gsub', can't wait";
  return NULL;
}

/// sleep(seconds). The upvalue is the function that sleeps in the phase `CLUA_DRIVING`.
static int sleepFor(lua_State *L) {
  clua_Host *h = clua_host(L);
  lua_Number seconds;
  if (lua_isinteger(L, 1)) seconds = (lua_Number)lua_tointeger(L, 1);  // the usual case, in half the time
  else if (lua_type(L, 1) == LUA_TNUMBER) seconds = lua_tonumber(L, 1);
  else if (lua_isnoneornil(L, 1)) return luaL_error(L, "sleep takes seconds, a number, not %s", lua_isnone(L, 1) ? "nothing" : "nil");
  else return luaL_error(L, "sleep takes seconds, a number, not a %s", luaL_typename(L, 1));
  if (!(seconds >= 0 && seconds <= LONGEST_SLEEP))
    return luaL_error(L, "sleep takes between 0 and %d seconds", LONGEST_SLEEP);
  if (h->tripped != CLUA_TRIP_NONE) return clua_raiseTrip(L);
  if (h->phase == CLUA_DRIVING) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushnumber(L, seconds);
    lua_call(L, 1, 0);
    return 0;
  }
  const char *why = clua_whyNoWait(L);
  if (why != NULL) return luaL_error(L, "%s", why);
  h->wait.nanoseconds = (int64_t)(seconds * 1e9);
  return lua_yield(L, 0);
}

bool clua_tellLine(lua_State *L, bool tells) {
  clua_Host *h = clua_host(L);
  bool before = clua_script(h)->tellsLine;
  clua_script(h)->tellsLine = tells;
  return before;
}

static int afterWaiting(lua_State *L, int status, lua_KContext extra) {
  (void)status, (void)extra;
  return lua_gettop(L);
}

/// Calls the upvalue, a function of Lua's that waits. In `return wait()` a Lua function would replace its caller's frame, and the line
/// would be lost; with this C function the frame stays.
static int waitIn(lua_State *L) {
  luaL_checkstack(L, 1, NULL);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_callk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, afterWaiting);
  return lua_gettop(L);
}

void clua_newWaiting(lua_State *L) { lua_pushcclosure(L, waitIn, 1); }

void clua_newSleep(lua_State *L) { lua_pushcclosure(L, sleepFor, 1); }

void *clua_runningJob(lua_State *L) {
  clua_Run *run = clua_script(clua_host(L))->run;
  return run == NULL ? NULL : run->job;
}

void clua_setAside(lua_State *L, void *retained) {
  clua_Host *h = clua_host(L);
  if (clua_script(h)->run == NULL) return h->release(retained);
  if (clua_script(h)->run->aside != NULL) h->release(clua_script(h)->run->aside);
  clua_script(h)->run->aside = retained;
}
