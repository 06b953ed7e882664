// Limits that no script can catch: the count hook, the levels of allowance, and the checks of all error catchers.

#include "Internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// MARK: Levels

/// Finds the entry to blame for a spent limit: the innermost that used half of the use since the level `from` began. So
/// it blames an entry that makes many calls, and not its last call.
static void blame(clua_Host *h, int32_t from) {
  int32_t level = h->top, depth = 0;
  while (level != from && h->used - h->levels[level].begin < (h->used - h->levels[from].begin) / 2) {
    depth = h->levels[level].depth;
    level = h->levels[level].around;
  }
  h->spent.blamed = depth > 0 ? depth : INT32_MAX;  // the calling host is not to blame
}

bool clua_isBlamed(lua_State *L) { return clua_host(L)->depth < clua_host(L)->spent.blamed; }

/// Returns the outermost level with limits around the running code.
static int32_t outermost(const clua_Host *h) {
  int32_t level = h->top;
  while (!h->levels[h->levels[level].around].isOutside) level = h->levels[level].around;
  return level;
}

/// Marks a level and its inner levels as ended.
static void mark(clua_Host *h, int32_t from, clua_Trip why) {
  for (int32_t i = h->top;; i = h->levels[i].around) {
    if (h->levels[i].tripped == CLUA_TRIP_NONE) h->levels[i].tripped = why;
    if (i == from) break;
  }
  h->tripped = h->levels[h->top].tripped;
}

/// Ends a level, and notes the spent limit and the entry to blame.
static void trip(clua_Host *h, int32_t from, clua_Trip why) {
  // Memory is counted for all levels together, whichever exceeds the limit.
  if (why == CLUA_TRIP_MEMORY) h->isCrowded = true;
  h->spent.owner = CLUA_NOBODY;  // until the place is noted
  h->spent.violator = CLUA_NONE;
  const clua_Level *spent = &h->levels[from];
  // A person knows only the whole allowance, not its rest.
  uint64_t nanoseconds = spent->goesOn ? spent->wholeNanoseconds : spent->nanoseconds;
  uint64_t instructions = spent->goesOn ? spent->wholeInstructions : spent->fuelEnd - spent->begin;
  h->spent.allowed = why == CLUA_TRIP_TIME ? nanoseconds : why == CLUA_TRIP_INSTRUCTIONS ? instructions : 0;
  blame(h, why == CLUA_TRIP_MEMORY ? outermost(h) : from);
  mark(h, from, why);
}

void clua_takeRoom(clua_Host *h) {
  size_t ceiling = h->live + h->limits.memory / 16;
  if (ceiling < h->limits.memory) ceiling = h->limits.memory;
  if (ceiling < h->ceiling) h->ceiling = ceiling;
}

/// Leaves some room above the memory in use, up to the hard limit, after the limit was exceeded. The next script isn't
/// to blame, and the host finds out who is.
static void makeRoom(clua_Host *h) {
  h->isCrowded = false;
  lua_gc(h->main, LUA_GCCOLLECT);
  clua_tidyReferences(h);
  h->ceiling = h->limits.memoryHard;
  clua_takeRoom(h);
}

static void arm(clua_Host *h, int32_t period) {
  lua_State *L = h->running != NULL ? h->running : h->main;
  if (L != NULL) clua_shorten(L, period);
}

bool clua_begin(lua_State *L, uint64_t nanoseconds, uint64_t instructions) {
  clua_Host *h = clua_host(L);
  if (h->top + 1 >= CLUA_LEVELS) {
    h->beyond++;
    return false;
  }
  clua_Level *outer = &h->levels[h->top];
  clua_chargeBytes(h);  // earlier allocations aren't charged to the new level
  clua_Level *level = &h->levels[++h->top];
  level->nanoseconds = nanoseconds;
  level->deadline = 0;
  level->fuelEnd = outer->fuelEnd;
  if (instructions != 0 && instructions < UINT64_MAX - h->used && h->used + instructions < outer->fuelEnd)
    level->fuelEnd = h->used + instructions;
  level->begin = h->used;
  level->depth = h->depth;
  level->tripped = outer->tripped;
  level->around = h->top - 1;
  level->rests = level->goesOn = level->isOutside = false;
  return true;
}

bool clua_beginPerform(lua_State *L, uint64_t nanoseconds, uint64_t instructions) {
  if (!clua_begin(L, nanoseconds, instructions)) return false;
  clua_Host *h = clua_host(L);
  return h->levels[h->top].rests = true;
}

bool clua_isOutermost(lua_State *L) {
  const clua_Host *h = clua_host(L);
  return h->depth == 0 && !h->levels[h->top].isOutside && h->levels[h->levels[h->top].around].isOutside;
}

bool clua_stepOutside(lua_State *L) {
  clua_Host *h = clua_host(L);
  int32_t around = h->top;
  bool isTimed = false;
  while (h->levels[around].rests && h->levels[around].depth == h->depth) {
    isTimed = isTimed || h->levels[around].deadline != 0;
    around = h->levels[around].around;
  }
  const clua_Level *outer = &h->levels[around];
  // Performs meanwhile need a level too, and are impossible if the level around is spent.
  if (around == h->top || h->top + 2 >= CLUA_LEVELS || h->beyond > 0 || outer->tripped != CLUA_TRIP_NONE) return false;
  clua_Spent *kept = NULL;
  if (h->tripped != CLUA_TRIP_NONE) {
    kept = malloc(sizeof *kept);
    if (kept == NULL) return false;
    *kept = h->spent;
    h->spent.blamed = INT32_MAX;
    h->tripped = CLUA_TRIP_NONE;
    if (outer->isOutside && h->depth == 0 && h->isCrowded) makeRoom(h);
  }
  clua_chargeBytes(h);  // allocations until now are charged to the resting levels
  h->levels[++h->top] = (clua_Level){.fuelEnd = outer->fuelEnd, .begin = h->used, .depth = h->depth, .around = around, .isOutside = outer->isOutside,
                                     .since = isTimed ? now() : 0, .kept = kept};
  return true;
}

bool clua_stepAside(lua_State *L) {
  clua_Host *h = clua_host(L);
  int32_t around = h->top;
  bool isTimed = false;
  for (; !h->levels[around].isOutside; around = h->levels[around].around) isTimed = isTimed || h->levels[around].deadline != 0;
  if (around == h->top || h->top + 2 >= CLUA_LEVELS || h->beyond > 0 || h->tripped != CLUA_TRIP_NONE) return false;
  clua_chargeBytes(h);  // the resting levels pay for the allocations until now
  h->levels[++h->top] = (clua_Level){.fuelEnd = h->levels[around].fuelEnd, .begin = h->used, .depth = h->depth, .around = around, .isOutside = true,
                                     .since = isTimed ? now() : 0};
  return true;
}

void clua_stepBack(lua_State *L) {
  clua_Host *h = clua_host(L);
  clua_chargeBytes(h);  // allocations meanwhile are not
  clua_Level outside = h->levels[h->top--];
  uint64_t spent = h->used - outside.begin, rested = outside.since != 0 ? now() - outside.since : 0;
  for (int32_t i = h->top; i != outside.around; i = h->levels[i].around) {
    clua_Level *level = &h->levels[i];
    if (level->deadline != 0) level->deadline += rested;
    level->begin += spent;
    uint64_t most = outside.fuelEnd - level->fuelEnd;  // it ends no later than the level around it
    level->fuelEnd += spent < most ? spent : most;
    if (level->tripped == CLUA_TRIP_NONE) level->tripped = outside.tripped;
  }
  if (outside.kept != NULL && outside.tripped == CLUA_TRIP_NONE) h->spent = *outside.kept;
  free(outside.kept);
  h->tripped = h->levels[h->top].tripped;
  h->lookedAt = 0;
  if (h->tripped == CLUA_TRIP_NONE) return;
  clua_setPeriod(h);
  arm(h, 1);
}

void clua_settle(clua_Host *h) {
  for (int32_t i = h->top; i > 0; i = h->levels[i].around) h->levels[i].tripped = CLUA_TRIP_NONE;
  h->levels[0].tripped = h->tripped = CLUA_TRIP_NONE;
}

/// Ends an allowance whose limit was reached, or the outermost allowance after which scripts hold too much memory.
static __attribute__((noinline)) int32_t endMet(clua_Host *h, clua_Trip why) {
  if (h->levels[h->top].isOutside && h->depth == 0 && h->isCrowded) makeRoom(h);
  if (why == CLUA_TRIP_NONE) return CLUA_TRIP_NONE;
  clua_setPeriod(h);
  if (h->tripped != CLUA_TRIP_NONE) arm(h, 1);
  return why;
}

int32_t clua_end(lua_State *L) {
  clua_Host *h = clua_host(L);
  if (__builtin_expect(h->beyond > 0, 0)) {
    h->beyond--;
    return h->tripped;
  }
  if (h->top == 0) return CLUA_TRIP_NONE;
  clua_Trip why = h->levels[h->top--].tripped;
  if (h->depth == 0 && h->levels[h->top].isOutside) {
    clua_settle(h);
    h->spent.blamed = INT32_MAX;
    if (h->top == 0) h->turns++;
  }
  h->tripped = h->levels[h->top].tripped;
  return __builtin_expect(why != CLUA_TRIP_NONE || h->isCrowded, 0) ? endMet(h, why) : CLUA_TRIP_NONE;
}

void clua_noteTimeLeft(clua_Host *h, clua_Wait *wait) {
  const clua_Level *level = &h->levels[h->top];
  while (level->nanoseconds == 0 && level != h->levels) level = &h->levels[level->around];
  uint64_t t = level->deadline != 0 ? now() : 0;
  if (level->nanoseconds == 0) wait->nanosecondsLeft = UINT64_MAX;
  else if (level->deadline == 0) wait->nanosecondsLeft = level->nanoseconds;
  else wait->nanosecondsLeft = level->deadline > t ? level->deadline - t : 1;
}

void clua_rested(lua_State *L, uint64_t nanoseconds) {
  clua_Host *h = clua_host(L);
  for (int32_t i = h->top; i > 0; i = h->levels[i].around)
    if (h->levels[i].deadline != 0) h->levels[i].deadline += nanoseconds;
  h->lookedAt = 0;
}

bool clua_takeCancel(clua_Pulse *pulse) { return __atomic_exchange_n(&pulse->cancelled, 0, __ATOMIC_RELAXED) != 0; }

int32_t clua_violator(lua_State *L) { return clua_host(L)->spent.violator; }

void clua_setViolator(lua_State *L, int32_t owner) { clua_host(L)->spent.violator = owner; }

int32_t clua_spender(lua_State *L) { return clua_host(L)->spent.owner; }

uint64_t clua_allowed(lua_State *L) { return clua_host(L)->spent.allowed; }

int32_t clua_trip(lua_State *L) { return clua_host(L)->tripped; }

uint64_t clua_turns(lua_State *L) { return clua_host(L)->turns; }

void clua_cancel(clua_Pulse *pulse) { __atomic_store_n(&pulse->cancelled, 1, __ATOMIC_RELAXED); }

void clua_spendMemory(lua_State *L) {
  clua_Host *h = clua_host(L);
  if (h->top == 0 || h->tripped != CLUA_TRIP_NONE) return;
  bool isCrowded = h->isCrowded;
  trip(h, h->top, CLUA_TRIP_MEMORY);
  h->isCrowded = isCrowded;  // Lua itself has room
  clua_notePlace(h, L);
  arm(h, 1);
}

// MARK: Looking

static void lookAtMemory(clua_Host *h, lua_State *L) {
  if (h->live <= h->ceiling) return;
  lua_gc(L, LUA_GCCOLLECT);  // garbage doesn't count as the script's
  if (h->live > h->ceiling) trip(h, h->top, CLUA_TRIP_MEMORY);
}

/// Sets the garbage that triggers a collection, in proportion to the live memory. It is more for a small heap, for
/// which collections cost more than the memory that they free.
void clua_setPause(clua_Host *h) {
  int pause = h->live < 256 << 10 ? 800 : h->live < 1 << 20 ? 400 : 200;
  if (pause == h->pause) return;
  h->pause = pause;
  lua_gc(h->main, LUA_GCINC, pause, 0, 0);
}

/// Starts the collector with a delay until there is as much garbage as for a later collection.
void clua_beginCollecting(clua_Host *h) {
  lua_gc(h->main, LUA_GCRESTART);
  lua_gc(h->main, LUA_GCSTEP, -(int)(h->live / 100 * (h->pause - 100) / 1024));
}

static void lookAtClock(clua_Host *h) {
  uint64_t t = 0;
  int32_t spent = 0;
  for (int32_t i = h->top; i > 0; i = h->levels[i].around) {
    clua_Level *level = &h->levels[i];
    if (level->nanoseconds == 0) continue;
    if (t == 0) h->lookedAt = t = now();
    if (level->deadline == 0) level->deadline = t + level->nanoseconds;
    else if (t >= level->deadline) spent = i;
  }
  if (spent > 0) trip(h, spent, CLUA_TRIP_TIME);
}

static void lookAtInstructions(clua_Host *h) {
  int32_t spent = 0;
  for (int32_t i = h->top; i > 0; i = h->levels[i].around)
    if (h->used >= h->levels[i].fuelEnd) spent = i;
  if (spent > 0) trip(h, spent, CLUA_TRIP_INSTRUCTIONS);
}

void clua_checkLimits(clua_Host *h, lua_State *L) {
  clua_chargeBytes(h);
  h->taken = h->charged = 0;
  h->pending = 0;
  clua_Pulse *pulse = h->pulse;
  __atomic_store_n(&pulse->looks, pulse->looks + 1, __ATOMIC_RELAXED);
  bool cancelled = __atomic_load_n(&pulse->cancelled, __ATOMIC_RELAXED) != 0 && clua_takeCancel(pulse);
  if (h->tripped == CLUA_TRIP_NONE) lookAtInstructions(h);
  if (h->tripped == CLUA_TRIP_NONE) lookAtClock(h);
  if (h->tripped == CLUA_TRIP_NONE) lookAtMemory(h, L);
  // Last, because another spent limit explains more.
  if (cancelled && h->tripped == CLUA_TRIP_NONE) trip(h, 0, CLUA_TRIP_CANCELLED);
  else if (cancelled) mark(h, 0, CLUA_TRIP_CANCELLED);
  clua_setPause(h);
  if (h->tripped != CLUA_TRIP_NONE) clua_notePlace(h, L);
}

void clua_notePlace(clua_Host *h, lua_State *L) {
  lua_Debug ar;
  h->spent.line = 0;
  h->spent.source[0] = 0;
  h->spent.owner = CLUA_NOBODY;
  for (int level = 0; level < 16 && lua_getstack(L, level, &ar) == 1; level++) {
    if (lua_getinfo(L, "Sl", &ar) == 0 || ar.currentline <= 0) continue;
    if (clua_codeOwner(&ar) == CLUA_CALLERS) continue;  // it runs for its caller
    h->spent.line = ar.currentline;
    clua_copyName(&ar, h->spent.source, sizeof h->spent.source);
    if (h->spent.blamed == INT32_MAX) h->spent.owner = clua_codeOwner(&ar);  // else the caller of this entry is to blame
    return;
  }
}

// MARK: The hook

/// Sets the hook's period, which is shorter while a block may make one instruction slow. Examples are `next` on an
/// emptied table, and a comparison or a conversion of a megabyte.
void clua_setPeriod(clua_Host *h) {
  int32_t period = CLUA_QUANTUM;
  if (h->bigBlocks > 0) period = 256;
  if (h->hugeBlocks > 0) period = 64;
  int32_t strings = clua_stringPeriod(&h->strings);
  if (strings < period) period = strings;
  if (period == h->period) return;
  bool shorter = period < h->period;
  h->period = period;
  if (shorter && h->running != NULL) arm(h, period);
}

void clua_keepPace(lua_State *L) { clua_host(L)->keepsPace = true; }

void clua_shorten(lua_State *L, int32_t period) {
  // Setting the count restarts it, so only the hook itself sets a longer count.
  if (lua_gethookcount(L) > period) lua_sethook(L, clua_hook, LUA_MASKCOUNT, period);
}

void clua_checkLimitsSoon(clua_Host *h) {
  h->pending = CLUA_SPEND;
  arm(h, 1);
}

/// Returns the number of instructions until the next look, from the time of the last `count`. Not all slow instructions
/// are foreseeable: for example a chain of two thousand __index through crowded tables.
static int32_t pace(clua_Host *h, int32_t count, uint64_t nanoseconds) {
  if (h->keepsPace) return h->period;
  if (nanoseconds > CLUA_PACE) h->pace = (int32_t)((uint64_t)count * CLUA_PACE / nanoseconds) + 1;
  else if (h->pace < CLUA_QUANTUM) h->pace *= 2;
  return h->pace < h->period ? h->pace : h->period;
}

void clua_hook(lua_State *L, lua_Debug *ar) {
  (void)ar;
  clua_Host *h = clua_host(L);
  int32_t count = lua_gethookcount(L);
  h->used += (uint64_t)count;
  uint64_t before = h->lookedAt;
  clua_checkLimits(h, L);
  if (h->tripped != CLUA_TRIP_NONE) {
    if (count != 1) lua_sethook(L, clua_hook, LUA_MASKCOUNT, 1);
    clua_raiseTrip(L);
  }
  int32_t period = pace(h, count, before == 0 ? 0 : h->lookedAt - before);
  if (count == period) return;
  lua_sethook(L, clua_hook, LUA_MASKCOUNT, period);
  // lua_sethook goes through all active calls, which is slow in a deep recursion. Counted as the instructions' time, it
  // would shorten the period again and again.
  if (h->lookedAt != 0) h->lookedAt = now();
}

int clua_raiseTrip(lua_State *L) {
  clua_Host *h = clua_host(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->tripRefs[h->tripped]);
  return lua_error(L);
}

void clua_spend(lua_State *L, size_t steps) {
  clua_Host *h = clua_host(L);
  if (h->tripped != CLUA_TRIP_NONE) clua_raiseTrip(L);
  clua_checkStack(h, L);
  h->used += steps;
  h->pending += steps;
  // Slow values also slow down the steps of our C loops, which call and compare the same values.
  if (h->pending < (h->period == CLUA_QUANTUM ? CLUA_SPEND : (size_t)h->period)) return;
  clua_checkLimits(h, L);
  if (h->tripped != CLUA_TRIP_NONE) clua_raiseTrip(L);
}

void clua_chargeWork(lua_State *L, uint64_t steps) {
  clua_Host *h = clua_host(L);
  h->used += steps;
  h->pending += steps;
  if (h->pending >= CLUA_SPEND && h->tripped == CLUA_TRIP_NONE) clua_checkLimits(h, L);
}

void clua_caughtMemory(clua_Host *h, lua_State *L, bool forScript) {
  bool total = h->refusedTotal, stack = h->refusedStack;
  h->refusedTotal = h->refusedBlock = h->refusedStack = false;
  if (total) trip(h, h->top, CLUA_TRIP_MEMORY);
  if (h->tripped != CLUA_TRIP_NONE || !stack) return;
  h->hostDepth++;
  lua_pop(L, 1);
  if (forScript && h->spent.line > 0) {
    bool named = h->spent.source[0] == '=' || h->spent.source[0] == '@';
    lua_pushfstring(L, "%s:%d: stack overflow", h->spent.source + named, h->spent.line);
  } else {
    lua_pushliteral(L, "stack overflow");
  }
  h->hostDepth--;
}
