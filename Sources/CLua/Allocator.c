// The allocator: it never refuses the host, it charges the script, and it keeps count of blocks that make one instruction slow.

#include "Internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void exhausted(size_t size) {
  fprintf(stderr, "menuctl: out of memory: the system has no block of %zu bytes left\n", size);
  abort();
}

/// Counts a block in or out of the classes that shorten the hook's period.
static void count(clua_Host *h, size_t size, int32_t by) {
  if (size >= CLUA_BIG) h->bigBlocks += by;
  if (size >= CLUA_HUGE) h->hugeBlocks += by;
}

/// Whether the call stack is so deep that a refused block is the stack itself, which must read as "stack overflow".
static bool deepStack(clua_Host *h) {
  lua_Debug ar;
  return h->running != NULL && lua_getstack(h->running, 2000, &ar) == 1;
}

/// Lua's table of all short strings is the first block of its size. It may grow beyond a block: if it can't, each new string of
/// any script tries again, at the price of a full collection.
static bool isStringTable(clua_Host *h, void *block, size_t size) {
  if (h->stringTable != NULL) return block == h->stringTable;
  return block == NULL && size == CLUA_STRING_TABLE;
}

static void *refuse(clua_Host *h, bool block) {
  h->refusals++;
  h->refusedStack = block && deepStack(h);
  h->refusedBlock = block;
  h->refusedTotal = !block;
  // Whoever retries at the ceiling pays a full collection each time: make it look at the clock.
  if (h->running != NULL) clua_notePlace(h, h->running);
  clua_lookSoon(h);
  return NULL;
}

static bool failsForTest(clua_Host *h) {
  if (h->failAt == 0) return false;
  if (h->failAt > 1) {
    h->failAt--;
    return false;
  }
  if (!h->failForEver) h->failAt = 0;
  return true;
}

void *clua_allocate(void *host, void *block, size_t old, size_t size) {
  clua_Host *h = host;
  int tag = block == NULL ? (int)old : -1;  // Lua tells the type of a fresh block where its size would be
  if (block == NULL) old = 0;

  if (size == 0) {
    clua_releaseLost(h, block, old);
    if (old < CLUA_LARGE || !clua_untrackString(&h->strings, block, old)) count(h, old, -1);
    h->live -= old;
    free(block);
    return NULL;
  }

  if (size > old) {
    h->allocations++;
    if (h->hostDepth == 0) {
      size_t growth = size - old;
      if (failsForTest(h)) return refuse(h, false);
      if (size > h->limits.block && block != h->stringTable) return refuse(h, true);
      if (h->live + growth > h->limits.memoryHard) {
        bool reserve = size <= CLUA_SMALL && h->live + growth <= h->limits.memoryHard + CLUA_RESERVE;
        if (!reserve) return refuse(h, false);
      }
      h->charged += growth;
      if (h->charged >= CLUA_CHARGE) clua_lookSoon(h);
    }
  }

  void *fresh = realloc(block, size);
  if (fresh == NULL) {
    if (size <= old) return block;
    if (h->hostDepth > 0) exhausted(size);
    return refuse(h, false);
  }
  if (isStringTable(h, block, size)) h->stringTable = fresh;
  h->live = h->live - old + size;
  if (h->live > h->peak) h->peak = h->live;
  if (tag == LUA_TSTRING && size >= CLUA_LARGE) {
    clua_trackString(&h->strings, fresh, size);
    clua_setPeriod(h);
  } else if (old >= CLUA_BIG || size >= CLUA_BIG) {
    count(h, old, -1);
    count(h, size, 1);
    clua_setPeriod(h);
  }
  return fresh;
}
