// Opening and closing an interpreter.

#include "Internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/// Prints a message before Lua aborts. It is never called: every entry is protected and the host gets all memory.
static int panic(lua_State *L) {
  const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "no message";
  fprintf(stderr, "menuctl: internal error: Lua raised outside every protected call: %s\n", message);
  return 0;
}

/// Keeps texts that Lua makes outside any protection (its bug 25da574f), so that it never allocates them again.
static void pinTexts(lua_State *L) {
  static const char *const texts[] = {"error in error handling", "cannot resume dead coroutine", "C stack overflow",
                                      "cannot resume non-suspended coroutine", "stack overflow"};
  lua_createtable(L, 5, 0);
  for (int i = 0; i < 5; i++) {
    lua_pushstring(L, texts[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, LUA_REGISTRYINDEX, "clua.texts");
}

static void pinTrips(clua_Host *h, lua_State *L) {
  static const char *const texts[] = {"", "time limit exceeded", "instruction limit exceeded", "memory limit exceeded", "cancelled"};
  for (int i = CLUA_TRIP_TIME; i <= CLUA_TRIP_CANCELLED; i++) {
    lua_pushstring(L, texts[i]);
    h->tripRefs[i] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
}

/// Finds the stack of the calling thread; false if the system doesn't know it.
static bool threadStack(uintptr_t *base, size_t *size) {
  static _Thread_local struct {
    void *lowest;
    size_t size;
  } known;  // kept, because the query is slow on the main thread
  pthread_attr_t attributes;
  if (known.size == 0) {
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
    if (pthread_attr_getstack(&attributes, &known.lowest, &known.size) != 0) known.size = 0;
    pthread_attr_destroy(&attributes);
  }
  *base = (uintptr_t)known.lowest;
  *size = known.size;
  return known.size > 0;
}

size_t clua_threadStack(void) {
  uintptr_t base;
  size_t size;
  return threadStack(&base, &size) ? size : 0;
}

lua_State *clua_open(clua_Dispatch dispatch, clua_Release release, clua_Limits limits, clua_Pulse *pulse, const clua_Above *above) {
  clua_Host *h = calloc(1, above != NULL ? above->size : sizeof(clua_Host));
  if (h == NULL) return NULL;
  h->dispatch = dispatch;
  h->release = release;
  h->limits = limits;
  h->ceiling = limits.memory;
  h->pulse = pulse;
  h->above = above;
  h->hostDepth = 1;
  h->spent.blamed = INT32_MAX;
  h->spent.violator = CLUA_NONE;
  h->period = h->pace = CLUA_QUANTUM;
  h->stackSize = CLUA_STACK;  // so that the first check measures the stack
  h->levels[0] = (clua_Level){.fuelEnd = UINT64_MAX, .isOutside = true};
  if (getrandom(&h->secret, sizeof h->secret, 0) != (ssize_t)sizeof h->secret) h->secret = (uint64_t)(uintptr_t)h;

  lua_State *L = clua_openSpare(h) ? lua_newstate(clua_allocate, h) : NULL;
  if (L == NULL) {
    clua_stopSparing(h);
    clua_closeSpare(h);
    free(h);
    return NULL;
  }
  *(clua_Host **)lua_getextraspace(L) = h;
  lua_gc(L, LUA_GCSTOP);  // nothing made here becomes garbage
  lua_atpanic(L, panic);
  h->main = L;
  if (!clua_buryNames(h, L)) {
    clua_close(L);
    return NULL;
  }
  lua_pushcfunction(L, clua_report);  // stays at index 1 of the main stack
  pinTexts(L);
  pinTrips(h, L);
  clua_openObjects(h, L);
  clua_openLibrary(h, L);
  h->refusal = clua_sentinel(L, "refusal", &h->refusalRef);
  lua_pushboolean(L, 0);
  h->reasonRef = luaL_ref(L, LUA_REGISTRYINDEX);
  clua_openThreads(h, L);
  if (above != NULL) above->open(L);
  clua_setPause(h);
  clua_beginCollecting(h);
  lua_sethook(L, clua_hook, LUA_MASKCOUNT, h->period);
  clua_beginPulse(h);
  return L;
}

void clua_close(lua_State *L) {
  clua_Host *h = clua_host(L);
  h->hostDepth++;
  h->running = NULL;
  __atomic_store_n(&h->pulse->isOpen, 0, __ATOMIC_RELAXED);
  clua_dropFinalizers(h);
  clua_stopSparing(h);
  lua_close(h->main);
  clua_closeSpare(h);
  free(h->strings.slots);
  free(h);
}

void clua_checkStackLimit(clua_Host *h, lua_State *L) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (here - h->stackEnd >= h->stackSize) {
    if (!threadStack(&h->stackEnd, &h->stackSize)) h->stackSize = 0;
    if (h->stackSize <= CLUA_STACK) {  // unknown, or too small for a reserve
      h->stackEnd = 0;
      h->stackSize = SIZE_MAX;
    }
  }
  if (here - h->stackEnd < CLUA_STACK) luaL_error(L, "C stack overflow");
}

void clua_collect(lua_State *L) {
  lua_gc(L, LUA_GCCOLLECT);
  lua_gc(L, LUA_GCCOLLECT);  // a second time, for objects that the first collection only finalized
  clua_tidyReferences(clua_host(L));
  clua_takeRoom(clua_host(L));
}

clua_Counters clua_counters(lua_State *L) {
  clua_Host *h = clua_host(L);
  return (clua_Counters){h->live, h->peak, h->spareBytes, h->refusals, h->allocations, h->used, h->hostDepth, h->objects};
}
