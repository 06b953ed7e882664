// Runs a plan from a given step on: providers, arguments, `needs`, `can` and the handler, all in one pooled coroutine, so that the handler
// may wait. For a step of Swift's, C calls Swift from within the run.

#include "Script.h"

// MARK: The run

typedef clua_Run Run;

enum { CONTEXT = 1 };

/// Notes how a run ended, and returns the number of results: the value on top.
static int answer(Run *run, int32_t what, int32_t index) {
  run->what = what;
  run->index = index;
  return 1;
}

/// Whether a hook's answer, on top, is the one that the plan was made for.
static bool saysTheSame(lua_State *co, const clua_HookAnswer *hookAnswer) {
  if (hookAnswer->isClaim) return !lua_istable(co, -1) && lua_toboolean(co, -1) == hookAnswer->claims;  // a table says more
  if (hookAnswer->table == NULL) return !lua_toboolean(co, -1);
  const void *said = lua_topointer(co, -1);
  return said == hookAnswer->table || said == hookAnswer->name;
}

/// Asks the `redirect` and `claims` functions. Whether all answered as when the plan was made, and nothing it depends on changed meanwhile.
static bool askHooks(lua_State *co, clua_Host *h, Run *run) {
  const clua_Plan *plan = run->plan;
  intptr_t changes = *plan->changes;
  h->phase = CLUA_ASKING;
  run->what = CLUA_HOOK_FAILED;
  for (int32_t i = 0; i < plan->hookAnswerCount; i++) {
    const clua_HookAnswer *hookAnswer = &plan->hookAnswers[i];
    run->index = i;
    lua_rawgeti(co, LUA_REGISTRYINDEX, hookAnswer->handler.function);
    lua_rawgeti(co, LUA_REGISTRYINDEX, hookAnswer->handler.self);
    lua_rawgeti(co, LUA_REGISTRYINDEX, hookAnswer->action);
    lua_call(co, 2, 1);
    if (!saysTheSame(co, hookAnswer)) return false;
    if (i + 1 < plan->hookAnswerCount) lua_settop(co, -2);  // the last answer stays on top
  }
  run->index = plan->hookAnswerCount;
  return *plan->changes == changes;
}

/// Calls Swift to take a step, with phase and run set as before this run began; false if the step ended the run.
static bool take(lua_State *co, clua_Host *h, Run *run, int32_t step) {
  int32_t phase = h->phase, group = clua_script(h)->group, top = lua_gettop(co);
  luaL_checkstack(co, 64, NULL);
  clua_checkStack(h, co);
  h->hostDepth++;
  clua_script(h)->run = run->outer;
  h->phase = run->phase;
  bool goesOn = clua_script(h)->takeStep(clua_script(h)->stepState, co, run->options->taker, step);
  clua_script(h)->run = run;
  h->phase = phase;
  clua_script(h)->group = group;
  h->hostDepth--;
  lua_settop(co, top);
  return goesOn;
}

/// Ends a run that a step of Swift's ended.
static int ended(lua_State *co, Run *run) {
  lua_pushnil(co);
  return answer(run, CLUA_ENDED, 0);
}

/// Calls Swift to take a step that comes after the providers; false, with nil on top, if the step ended the run.
static bool takeLate(lua_State *co, clua_Host *h, Run *run, clua_Step step) {
  run->what = CLUA_FAILED;
  if (take(co, h, run, run->plan->providerCount + step)) return true;
  ended(co, run);
  return false;
}

/// Pushes the context's values for the keys that a provider may write; `changed` compares them afterwards.
static void pushWritten(lua_State *co, const clua_Written *written) {
  luaL_checkstack(co, CLUA_NOTED + 8, NULL);
  for (int32_t i = 0; i < written->count; i++) {
    lua_rawgeti(co, LUA_REGISTRYINDEX, written->keys[i]);
    lua_rawget(co, CONTEXT);
  }
}

/// Takes what `pushWritten` pushed. Returns a bit for each key that has another value now.
static uint16_t changed(lua_State *co, const clua_Written *written) {
  int before = lua_gettop(co) - written->count;
  uint16_t bits = 0;
  for (int32_t i = 0; i < written->count; i++) {
    lua_rawgeti(co, LUA_REGISTRYINDEX, written->keys[i]);
    if (lua_rawget(co, CONTEXT) != LUA_TNIL && !lua_rawequal(co, -1, before + 1 + i)) bits |= 1 << i;
    lua_settop(co, -2);
  }
  lua_settop(co, before);
  return bits;
}

/// Runs the providers from step `run->from` on, and notes which keys each wrote if `noted` is set; false if a step of Swift's ended the run.
static bool provide(lua_State *co, clua_Host *h, Run *run) {
  const clua_Plan *plan = run->plan;
  h->phase = CLUA_PROVIDING;
  run->what = CLUA_PROVIDER_FAILED;
  for (int32_t i = run->from; i < plan->providerCount; i++) {
    run->index = i;
    if (__builtin_expect(plan->providers[i].function == 0, 0)) {
      if (!take(co, h, run, i)) return false;
      continue;
    }
    clua_script(h)->group = i + 1;
    if (__builtin_expect(run->noted != NULL, 0)) pushWritten(co, &plan->written[i]);
    clua_pushHandler(h, co, plan->providers[i], CONTEXT);
    lua_pushvalue(co, CONTEXT);
    lua_call(co, 2, 0);
    if (__builtin_expect(run->noted != NULL, 0)) run->noted[i] |= changed(co, &plan->written[i]);
  }
  return true;
}

/// Writes the call's own keys and values, which lie above the context on the stack, into the context.
static void putGiven(lua_State *co, int32_t given) {
  lua_settop(co, CONTEXT + 2 * given);
  for (int32_t i = 0; i < given; i++) lua_rawset(co, CONTEXT);
}

static int afterHandler(lua_State *co, int status, lua_KContext extra) {
  (void)status, (void)extra;
  clua_Host *h = clua_host(co);
  bool passed = clua_isPassAnswer(h, co, -1);
  answer(clua_script(h)->run, passed ? CLUA_PASSED : CLUA_DID, 0);
  if (clua_script(h)->run->plan != NULL || !passed) return 1;
  lua_pushvalue(co, CONTEXT);  // after a wait Swift may no longer have it, and the next candidate needs it
  lua_insert(co, -2);
  return 2;
}

/// Ends the run so that Swift goes on with the next step.
static int toHost(lua_State *co, Run *run) {
  lua_pushnil(co);
  return answer(run, CLUA_HOST, 0);
}

/// Asks whether the action may be done. If not, it notes how the run ended, with its value on top, and returns false.
static bool ask(lua_State *co, clua_Host *h, Run *run) {
  const clua_Plan *plan = run->plan;
  if (!run->options->asksItself) return takeLate(co, h, run, CLUA_STEP_ASK);
  h->phase = CLUA_ASKING;
  run->what = CLUA_CAN_FAILED;
  int32_t lacking;
  switch (clua_mayBeDone(h, co, &plan->asked, CONTEXT, &lacking)) {
    case CLUA_YES: lua_settop(co, CONTEXT); return true;
    case CLUA_LACKING: lua_pushnil(co); answer(run, CLUA_LACKS, lacking); return false;
    case CLUA_SAID_PASS: answer(run, CLUA_PASSED, 1); return false;
    default: answer(run, CLUA_NO, 0); return false;
  }
}

/// Does `ask`, limited to `options->question` instructions if that isn't 0.
static bool mayBeDone(lua_State *co, clua_Host *h, Run *run) {
  uint64_t instructions = run->options->question;
  if (instructions == 0) return ask(co, h, run);
  run->what = CLUA_CAN_FAILED;
  if (!clua_begin(co, 0, instructions)) luaL_error(co, "questions are nested too deep");
  h->levels[h->top].depth--;  // the host began this level, and not the code of a script
  bool may = ask(co, h, run);
  clua_end(co);
  return may;
}

/// The coroutine's body. The context is at 1, the call's own keys and values are above it.
static int body(lua_State *co) {
  clua_Host *h = clua_host(co);
  Run *run = clua_script(h)->run;
  const clua_Plan *plan = run->plan;
  run->context = lua_topointer(co, CONTEXT);
  if (run->from < 0) {
    if (!askHooks(co, h, run)) return answer(run, CLUA_HOOK_SAID_OTHERWISE, run->index);
    run->from = 0;
  }
  if (run->from == 0) clua_putArguments(co, plan->values, plan->valueCount, CONTEXT);
  if (run->from < plan->providerCount && !provide(co, h, run)) return ended(co, run);
  clua_script(h)->group = INT32_MAX;
  int32_t step = run->from - plan->providerCount;
  if (step <= CLUA_STEP_ARGUMENTS) {
    if (run->options->putsArguments) {
      clua_setMetatable(co, CONTEXT, plan->metatable);
      clua_putArguments(co, plan->arguments, plan->argumentCount, CONTEXT);
      if (run->options->given > 0) putGiven(co, run->options->given);
    } else if (!takeLate(co, h, run, CLUA_STEP_ARGUMENTS)) {
      return 1;
    }
  }
  if (step <= CLUA_STEP_ASK && !mayBeDone(co, h, run)) return 1;
  if (run->options->question != 0) return toHost(co, run);
  if (step <= CLUA_STEP_TELL && run->options->tells && !takeLate(co, h, run, CLUA_STEP_TELL)) return 1;
  if (plan->on.function == 0) return toHost(co, run);
  h->phase = CLUA_DOING;
  run->what = CLUA_FAILED;
  int arguments = 1;
  if (plan->on.self != 0) {
    clua_pushHandler(h, co, plan->on, CONTEXT);
    arguments = 2;
  } else {
    lua_rawgeti(co, LUA_REGISTRYINDEX, plan->on.function);
  }
  lua_pushvalue(co, CONTEXT);
  lua_callk(co, arguments, 1, 0, afterHandler);
  return afterHandler(co, LUA_OK, 0);
}

/// The answer of a run that waits or failed.
static __attribute__((noinline)) clua_Answer notEnded(clua_Host *h, lua_State *L, Run *run, clua_Answer result) {
  if (result.status == CLUA_YIELDED) {
    int64_t number = run->plan != NULL ? run->plan->on.number : run->number;
    h->wait.thread = run->co;
    h->wait.context = run->context;
    h->wait.aside = run->aside;
    h->wait.number = number;
    lua_pushnil(L);
    return (clua_Answer){CLUA_WAITS, 0, CLUA_YIELDED};
  }
  if (run->aside != NULL) h->release(run->aside);
  lua_xmove(run->co, L, 1);
  if (clua_takeRefusal(h, L)) result = (clua_Answer){CLUA_REFUSED, 0, CLUA_OK};
  clua_keepThread(h, L, run->co, false);
  return result;
}

void clua_setTakeStep(lua_State *L, void *state, clua_TakeStep take) {
  clua_script(clua_host(L))->stepState = state;
  clua_script(clua_host(L))->takeStep = take;
}

void clua_newContextOf(lua_State *L, const clua_Plan *plan, int32_t given) {
  if (plan->isBare) lua_createtable(L, 0, plan->fields + given);
  else clua_newContext(L, plan->fields + given);
}

clua_Answer clua_perform(lua_State *L, const clua_Plan *plan, clua_RunOptions options) {
  clua_Host *h = clua_host(L);
  clua_Answer result = {CLUA_FAILED, 0, CLUA_OK};
  int32_t given = 2 * options.given, level = h->top + h->beyond;
  lua_checkstack(L, 8);
  if (!options.hasContext) clua_newContextOf(L, plan, 0);
  lua_State *co = clua_takeThread(h, L);
  lua_pushcfunction(co, body);
  lua_pushvalue(L, -1 - given);
  lua_xmove(L, co, 1);
  if (given > 0) lua_xmove(L, co, given);
  Run run = {.plan = plan, .from = options.from, .what = CLUA_FAILED, .readers = clua_script(h)->readers, .co = co, .noted = options.noted,
             .options = &options, .outer = clua_script(h)->run, .phase = h->phase};
  clua_script(h)->run = &run;
  clua_begin(L, options.isAlone ? plan->nanoseconds : 0, options.isAlone ? plan->instructions : 0);
  int32_t count;
  result.status = clua_resumeKnown(co, L, 1 + given, &count);
  if (result.status == CLUA_YIELDED) clua_noteLeft(h, &h->wait);
  while (__builtin_expect(h->top + h->beyond > level + 1, 0)) clua_end(L);  // of a question that failed
  clua_end(L);
  clua_script(h)->run = run.outer;
  h->phase = run.phase;
  if (clua_script(h)->stepsOf == &run) clua_script(h)->stepsOf = NULL;  // another run may get the same address
  clua_closeReaders(h, L, run.readers);
  result.what = run.what;
  result.index = run.index;
  if (result.status == CLUA_OK) {
    lua_xmove(co, L, 1);
    clua_keepThread(h, L, co, true);
    if (__builtin_expect(run.aside != NULL, 0)) h->release(run.aside);
    return result;
  }
  return notEnded(h, L, &run, result);
}

/// Computes the allowance after a wait: all of it if the wait lasted as long as the whole time allowance (1 s if there is none); else what
/// was left, plus the waited time and the same share of the instructions.
static void gainBack(const clua_Wait *wait, uint64_t *nanoseconds, uint64_t *instructions) {
  uint64_t waited = wait->nanoseconds > 0 ? (uint64_t)wait->nanoseconds : 0;
  uint64_t whole = *nanoseconds != 0 ? *nanoseconds : 1000000000;
  if (waited >= whole) return;
  if (*nanoseconds != 0 && wait->nanosecondsLeft < whole - waited) *nanoseconds = wait->nanosecondsLeft + waited;
  if (*instructions == 0) return;
  // A signed number is converted in one instruction; no allowance is as great as its sign.
  uint64_t part = (uint64_t)(int64_t)((double)(int64_t)*instructions * (double)(int64_t)waited / (double)(int64_t)whole);
  if (wait->instructionsLeft < *instructions - part) *instructions = wait->instructionsLeft + part;
}

/// Resumes the coroutine of a run in the given phase, with its allowance partly regained (see `gainBack`).
static inline int32_t goOn(clua_Host *h, lua_State *L, Run *run, clua_Phase phase, const clua_Wait *wait, int32_t nargs,
                           bool raises, uint64_t nanoseconds, uint64_t instructions, int32_t *count) {
  clua_script(h)->run = run;
  h->phase = phase;
  clua_script(h)->group = INT32_MAX;
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
  clua_script(h)->run = run->outer;
  h->phase = run->phase;
  if (clua_script(h)->stepsOf == run) clua_script(h)->stepsOf = NULL;
  clua_closeReaders(h, L, run->readers);
  return status;
}

clua_Answer clua_goOn(lua_State *L, clua_Wait *wait, void *job, int32_t nargs, bool raises, uint64_t nanoseconds,
                      uint64_t instructions) {
  clua_Host *h = clua_host(L);
  lua_State *thread = wait->thread;
  wait->thread = NULL;
  clua_Answer result = {CLUA_FAILED, 0, CLUA_OK};
  Run run = {.what = CLUA_FAILED, .readers = clua_script(h)->readers, .context = wait->context, .co = thread, .job = job,
             .number = wait->number, .outer = clua_script(h)->run, .phase = h->phase};
  int32_t count;
  result.status = goOn(h, L, &run, CLUA_DOING, wait, nargs, raises, nanoseconds, instructions, &count);
  result.what = run.what;
  if (result.status == CLUA_OK) {
    lua_checkstack(L, 8);
    lua_xmove(thread, L, run.what == CLUA_PASSED ? 2 : 1);
    clua_keepThread(h, L, thread, true);
    return result;
  }
  lua_checkstack(L, 8);
  lua_pushnil(L);
  return notEnded(h, L, &run, result);
}

lua_State *clua_newLine(lua_State *L, int32_t function) {
  lua_checkstack(L, 8);
  lua_State *thread = clua_takeThread(clua_host(L), L);
  lua_rawgeti(thread, LUA_REGISTRYINDEX, function);
  return thread;
}

clua_Answer clua_goOnLine(lua_State *L, clua_Wait *wait, void *job, int32_t nargs, bool raises, uint64_t nanoseconds,
                          uint64_t instructions) {
  clua_Host *h = clua_host(L);
  Run run = {.what = CLUA_FAILED, .readers = clua_script(h)->readers, .co = wait->thread, .job = job, .outer = clua_script(h)->run,
             .phase = h->phase};
  wait->thread = NULL;
  clua_Answer result = {CLUA_FAILED, 0, CLUA_OK};
  int32_t count;
  result.status = goOn(h, L, &run, CLUA_LINE, wait, nargs, raises, nanoseconds, instructions, &count);
  if (result.status == CLUA_OK && lua_checkstack(L, count + 8)) {
    lua_xmove(run.co, L, count);
    clua_keepThread(h, L, run.co, true);
    return (clua_Answer){CLUA_DID, count, CLUA_OK};
  }
  lua_checkstack(L, 8);
  if (result.status == CLUA_OK) {
    lua_settop(run.co, 0);
    lua_pushliteral(run.co, "too many values");
    clua_recordPlain(h, run.co, NULL, 0);
    result.status = CLUA_ERROR;
  }
  return notEnded(h, L, &run, result);
}

// MARK: Opening

static bool runsAction(lua_State *L) {
  const clua_Run *run = clua_script(clua_host(L))->run;
  return run != NULL && run->co == L;
}

int32_t clua_passReference(lua_State *L) { return clua_script(clua_host(L))->passRef; }

bool clua_isPass(lua_State *L, int32_t index) { return clua_isPassAnswer(clua_host(L), L, index); }

void clua_openPerform(clua_Host *h, lua_State *L) {
  clua_script(h)->pass = clua_sentinel(L, "pass", &clua_script(h)->passRef);
  h->showAgain = clua_showAgain;
  h->runsAction = runsAction;
  lua_createtable(L, 0, 16);
  clua_openContextCalls(L);
  clua_openUndo(L);
  clua_script(h)->callsRef = luaL_ref(L, LUA_REGISTRYINDEX);
  clua_openContexts(h, L);
}
