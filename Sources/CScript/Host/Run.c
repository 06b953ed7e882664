// Runs a handler in a pooled coroutine, so that it may wait, and resumes it after a wait.

#include "Script.h"

typedef clua_Run Run;

enum { CONTEXT = 1 };

// MARK: The current run

int32_t clua_phase(lua_State *L) { return clua_host(L)->phase; }

const int32_t *clua_phasePointer(lua_State *L) { return &clua_host(L)->phase; }

int32_t clua_setPhase(lua_State *L, int32_t phase) {
  clua_Host *h = clua_host(L);
  int32_t before = h->phase;
  h->phase = phase;
  return before;
}

bool clua_isRunning(clua_Host *h, lua_State *L, int index) {
  return h->phase == CLUA_DOING && clua_script(h)->run != NULL && lua_topointer(L, index) == clua_script(h)->run->context;
}

int64_t clua_runningNumber(clua_Host *h) { return clua_script(h)->run->number; }

void clua_speak(lua_State *L, int32_t index, int32_t script) {
  clua_Host *h = clua_host(L);
  if (!clua_isRunning(h, L, index)) return;
  clua_script(h)->run->number = (int64_t)script << 32 | (uint32_t)clua_runningNumber(h);
  clua_script(h)->stepsOf = NULL;  // its writes are another reversal
}

int32_t clua_failedScript(lua_State *L) { return (int32_t)(clua_script(clua_host(L))->failedNumber >> 32); }

/// Makes a run the current run.
static void enter(clua_Host *h, Run *run, clua_Phase phase) {
  run->what = CLUA_FAILED;
  run->outer = clua_script(h)->run;
  run->phase = h->phase;
  clua_script(h)->run = run;
  clua_script(h)->group = INT32_MAX;
  h->phase = phase;
}

/// Makes the outer run the current run.
static void leave(clua_Host *h, Run *run) {
  clua_script(h)->run = run->outer;
  h->phase = run->phase;
  if (clua_script(h)->stepsOf == run) clua_script(h)->stepsOf = NULL;  // another run may get the same address
}

// MARK: A handler

static int afterHandler(lua_State *co, int status, lua_KContext extra) {
  (void)status, (void)extra;
  clua_Host *h = clua_host(co);
  clua_script(h)->run->what = clua_isPassAnswer(h, co, -1) ? CLUA_PASSED : CLUA_DID;
  return 1;
}

/// Runs the coroutine: calls the function below its arguments, the last of which is the context.
static int body(lua_State *co) {
  int arguments = lua_gettop(co) - 1;
  lua_callk(co, arguments, 1, 0, afterHandler);
  return afterHandler(co, LUA_OK, 0);
}

/// Returns the answer of a run that waits or failed.
static clua_Answer notEnded(clua_Host *h, lua_State *L, Run *run, int32_t status) {
  if (status == CLUA_YIELDED) {
    h->wait.thread = run->co;
    h->wait.context = run->context;
    h->wait.aside = run->aside;
    h->wait.number = run->number;
    lua_pushnil(L);
    return (clua_Answer){CLUA_WAITS, 0, CLUA_YIELDED};
  }
  if (run->aside != NULL) h->release(run->aside);
  clua_script(h)->failedNumber = run->number;
  lua_xmove(run->co, L, 1);
  clua_Answer answer = {CLUA_FAILED, 0, status};
  if (clua_takeRefusal(h, L)) answer = (clua_Answer){CLUA_REFUSED, 0, CLUA_OK};
  clua_keepThread(h, L, run->co, false);
  return answer;
}

/// Returns the answer of a run whose coroutine has ended or waits. Pushes its `count` values.
static clua_Answer ended(clua_Host *h, lua_State *L, Run *run, int32_t status, int32_t count) {
  if (status != CLUA_OK) return notEnded(h, L, run, status);
  lua_xmove(run->co, L, count);
  clua_keepThread(h, L, run->co, true);
  if (run->aside != NULL) h->release(run->aside);
  return (clua_Answer){run->what, count, CLUA_OK};
}

clua_Answer clua_do(lua_State *L, int32_t function, int32_t self, int64_t number, clua_Context *context) {
  clua_Host *h = clua_host(L);
  lua_checkstack(L, 8);
  clua_closeReader(L, context);
  Run run = {.co = clua_takeThread(h, L), .number = number};
  int32_t arguments = self != 0 ? 2 : 1, count;
  lua_pushcfunction(run.co, body);
  lua_rawgeti(run.co, LUA_REGISTRYINDEX, function);
  if (self != 0) lua_rawgeti(run.co, LUA_REGISTRYINDEX, self);
  lua_rawgeti(run.co, LUA_REGISTRYINDEX, context->table);
  run.context = lua_topointer(run.co, -1);
  enter(h, &run, CLUA_DOING);
  clua_begin(L, 0, 0);
  int32_t status = clua_resumeKnown(run.co, L, arguments + 1, &count);
  if (status == CLUA_YIELDED) clua_noteLeft(h, &h->wait);
  clua_end(L);
  leave(h, &run);
  return ended(h, L, &run, status, 1);
}

// MARK: After a wait

/// Computes the allowance after a wait. It is whole if the wait lasted as long as the time allowance (or 1 s). Else it
/// is the rest, plus the waited time and the same share of the instructions.
static void gainBack(const clua_Wait *wait, uint64_t *nanoseconds, uint64_t *instructions) {
  uint64_t waited = wait->nanoseconds > 0 ? (uint64_t)wait->nanoseconds : 0;
  uint64_t whole = *nanoseconds != 0 ? *nanoseconds : 1000000000;
  if (waited >= whole) return;
  if (*nanoseconds != 0 && wait->nanosecondsLeft < whole - waited) *nanoseconds = wait->nanosecondsLeft + waited;
  if (*instructions == 0) return;
  // A signed number is converted in one instruction; no allowance reaches its sign bit.
  uint64_t part = (uint64_t)(int64_t)((double)(int64_t)*instructions * (double)(int64_t)waited / (double)(int64_t)whole);
  if (wait->instructionsLeft < *instructions - part) *instructions = wait->instructionsLeft + part;
}

/// Resumes the coroutine of a run, with its allowance partly regained (see `gainBack`).
static int32_t goOn(clua_Host *h, lua_State *L, Run *run, clua_Phase phase, const clua_Wait *wait, int32_t nargs, bool raises,
                    uint64_t nanoseconds, uint64_t instructions, int32_t *count) {
  enter(h, run, phase);
  h->raises = raises;
  uint64_t wholeNanoseconds = nanoseconds, wholeInstructions = instructions;
  gainBack(wait, &nanoseconds, &instructions);
  if (clua_begin(L, nanoseconds, instructions)) {
    clua_Level *level = &h->levels[h->top];
    level->goesOn = true;
    level->wholeNanoseconds = wholeNanoseconds;
    level->wholeInstructions = wholeInstructions;
  }
  int32_t status = clua_resumeKnown(run->co, L, nargs, count);
  if (status == CLUA_YIELDED) clua_noteLeft(h, &h->wait);
  clua_end(L);
  h->raises = false;
  leave(h, run);
  return status;
}

clua_Answer clua_goOn(lua_State *L, clua_Wait *wait, void *job, int32_t nargs, bool raises, uint64_t nanoseconds,
                      uint64_t instructions) {
  clua_Host *h = clua_host(L);
  Run run = {.context = wait->context, .co = wait->thread, .job = job, .number = wait->number};
  wait->thread = NULL;
  int32_t count;
  int32_t status = goOn(h, L, &run, CLUA_DOING, wait, nargs, raises, nanoseconds, instructions, &count);
  lua_checkstack(L, 8);
  return ended(h, L, &run, status, 1);
}

// MARK: A line of Lua

lua_State *clua_newLine(lua_State *L, int32_t function) {
  lua_checkstack(L, 8);
  lua_State *thread = clua_takeThread(clua_host(L), L);
  lua_rawgeti(thread, LUA_REGISTRYINDEX, function);
  return thread;
}

clua_Answer clua_goOnLine(lua_State *L, clua_Wait *wait, void *job, int32_t nargs, bool raises, uint64_t nanoseconds,
                          uint64_t instructions) {
  clua_Host *h = clua_host(L);
  Run run = {.co = wait->thread, .job = job};
  wait->thread = NULL;
  int32_t count;
  int32_t status = goOn(h, L, &run, CLUA_LINE, wait, nargs, raises, nanoseconds, instructions, &count);
  run.what = CLUA_DID;
  if (status == CLUA_OK && lua_checkstack(L, count + 8)) return ended(h, L, &run, status, count);
  lua_checkstack(L, 8);
  if (status == CLUA_OK) {
    lua_settop(run.co, 0);
    lua_pushliteral(run.co, "too many values");
    clua_recordPlain(h, run.co, NULL, 0);
    status = CLUA_ERROR;
  }
  return notEnded(h, L, &run, status);
}

// MARK: Opening

static bool runsAction(lua_State *L) {
  const Run *run = clua_script(clua_host(L))->run;
  return run != NULL && run->co == L;
}

int32_t clua_passReference(lua_State *L) { return clua_script(clua_host(L))->passRef; }

bool clua_isPass(lua_State *L, int32_t index) { return clua_isPassAnswer(clua_host(L), L, index); }

void clua_openRuns(clua_Host *h, lua_State *L) {
  clua_script(h)->pass = clua_sentinel(L, "pass", &clua_script(h)->passRef);
  h->runsAction = runsAction;
}

enum { LONGEST_SLEEP = 1000000000 };  // seconds; a larger number is a mistake

const clua_Wait *clua_wait(lua_State *L) { return &clua_host(L)->wait; }

const char *clua_whyNoWait(lua_State *L) {
  clua_Host *h = clua_host(L);
  if (h->phase < CLUA_IDLE) {
    clua_script(h)->triedToWait = true;
    return "nothing can wait here: the host only asks this function, so it must return at once";
  }
  bool isLine = h->phase == CLUA_LINE;
  if (clua_script(h)->run == NULL || (h->phase != CLUA_DOING && !isLine)) return "only an action, its undo, 'start', a timer, a test and a line can wait";
  if (clua_script(h)->run->co != L)
    return isLine ? "a coroutine that a script made can't wait: only the line itself can"
                  : "a coroutine that a script made can't wait: only the action itself can";
  if (!lua_isyieldable(L) && clua_script(h)->tellsLine) return "the function 'line' can't wait: exec calls it for each line while the program runs";
  if (!lua_isyieldable(L)) return "a function that the library calls, as in 'table.sort' or 'string.gsub', can't wait";
  return NULL;
}

bool clua_takeTriedToWait(lua_State *L) {
  bool *tried = &clua_script(clua_host(L))->triedToWait, was = *tried;
  *tried = false;
  return was;
}

/// sleep(seconds). The upvalue is the function that sleeps in the phase `CLUA_DRIVING`.
static int sleepFor(lua_State *L) {
  clua_Host *h = clua_host(L);
  lua_Number seconds;
  if (lua_isinteger(L, 1)) seconds = (lua_Number)lua_tointeger(L, 1);  // the usual case, in half the time
  else if (lua_type(L, 1) == LUA_TNUMBER) seconds = lua_tonumber(L, 1);
  else if (lua_isnoneornil(L, 1)) return luaL_error(L, "sleep takes a number of seconds, not %s", lua_isnone(L, 1) ? "nothing" : "nil");
  else return luaL_error(L, "sleep takes a number of seconds, not a %s", luaL_typename(L, 1));
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

/// Calls the upvalue, a Lua function that waits. In `return wait()` a Lua function would replace its caller's frame and
/// lose the line; with this C function the frame stays.
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
