// The allocator. It never refuses the host, charges scripts, and counts the blocks that may make one instruction slow.

#include "Internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void exhausted(size_t size) {
  fprintf(stderr, "menuctl: out of memory: the system has no block of %zu bytes left\n", size);
  abort();
}

/// Adds a block to the counts that shorten the hook's period, or removes it.
static void count(clua_Host *h, size_t size, int32_t by) {
  if (size >= CLUA_BIG) h->bigBlocks += by;
  if (size >= CLUA_HUGE) h->hugeBlocks += by;
}

/// Returns true if the call stack is so deep that a refused block is the stack, which must become "stack overflow".
static bool deepStack(clua_Host *h) {
  lua_Debug ar;
  return h->running != NULL && lua_getstack(h->running, 2000, &ar) == 1;
}

/// Returns true for Lua's table of short strings, the first block of its size. It may exceed the block limit: else each
/// new string would try again, after a full collection.
static bool isStringTable(clua_Host *h, void *block, size_t size) {
  if (h->stringTable != NULL) return block == h->stringTable;
  return block == NULL && size == CLUA_STRING_TABLE;
}

static void *refuse(clua_Host *h, bool block, size_t size) {
  h->refusals++;
  h->refusedSize = size;
  h->refusedStack = block && deepStack(h);
  h->refusedBlock = block;
  h->refusedTotal = !block;
  // A retry at the ceiling costs a full collection, so the script must look at the clock.
  if (h->running != NULL) clua_notePlace(h, h->running);
  clua_checkLimitsSoon(h);
  return NULL;
}

static bool failsForTest(clua_Host *h) {
  if (h->failAt == 0) return false;
  if (h->failAt > 1) {
    h->failAt--;
    return false;
  }
  // Lua requests a refused block again, after a collection, so an allocation only fails after a second refusal.
  if (!h->failForEver && ++h->failed == 2) h->failAt = 0;
  return true;
}

/// Returns true in a finalizer. All finalizers are the host's, and a failure would leak the Swift object.
static bool inFinalizer(clua_Host *h) { return lua_gc(h->main, LUA_GCISRUNNING) < 0; }

/// Returns true if an allocation of this size would exceed the limit of all scripts together.
static bool isOver(clua_Host *h, size_t size, size_t growth) {
  size_t reserve = size <= CLUA_SMALL ? CLUA_RESERVE : 0;
  return h->live + growth > h->limits.memoryHard + reserve;
}

// MARK: Small blocks, kept for reuse: a collection frees more at once than the system's allocator would keep

#if __has_feature(address_sanitizer)
enum { KEEPS_SPARE = 0 };  // so that the sanitizer sees each block
#else
enum { KEEPS_SPARE = 1 };
#endif

static inline size_t sizeClass(size_t size) { return (size + CLUA_STEP - 1) / CLUA_STEP; }

/// Returns the size of the largest block of the class, so that a small block fits any of its class.
static inline size_t room(size_t size) { return size <= CLUA_SMALL ? sizeClass(size) * CLUA_STEP : size; }

static inline bool isOfArena(const clua_Host *h, const void *block) {
  return KEEPS_SPARE && (uintptr_t)block - (uintptr_t)h->arena < CLUA_ARENA;
}

/// Returns true if the arena has another part for a block of that size.
static inline bool hasPart(const clua_Host *h, size_t size) {
  return KEEPS_SPARE && (size_t)(h->arena + CLUA_ARENA - h->arenaNext) >= room(size);
}

static inline void *takeSmall(clua_Host *h, size_t size) {
  void **block = h->spare[sizeClass(size)];
  if (__builtin_expect(block == NULL, 0)) {
    if (!hasPart(h, size)) return malloc(room(size));
    block = (void **)h->arenaNext;
    h->arenaNext += room(size);
    return block;
  }
  void *next = *block;
  __builtin_prefetch(next, 1);  // the next block for use, which was freed long ago
  h->spare[sizeClass(size)] = next;
  h->spareBytes -= room(size);
  return block;
}

static inline void giveBack(clua_Host *h, void *block, size_t size) {
  if (!KEEPS_SPARE || size > CLUA_SMALL || (h->spareBytes >= h->spareMost && !isOfArena(h, block))) {
    free(block);
    return;
  }
  *(void **)block = h->spare[sizeClass(size)];
  h->spare[sizeClass(size)] = block;
  h->spareBytes += room(size);
}

/// Does the same as realloc, which can't resize a part of the arena.
static void *resize(clua_Host *h, void *block, size_t old, size_t size) {
  if (block == NULL && size <= CLUA_SMALL) return takeSmall(h, size);
  if (block == NULL || !isOfArena(h, block)) return realloc(block, room(size));
  if (room(size) <= room(old)) return block;
  void *fresh = size <= CLUA_SMALL ? takeSmall(h, size) : malloc(size);
  if (fresh == NULL) return NULL;
  memcpy(fresh, block, old);
  giveBack(h, block, old);
  return fresh;
}

bool clua_openSpare(clua_Host *h) {
  h->spareMost = CLUA_SPARE;
  if (KEEPS_SPARE) h->arena = h->arenaNext = malloc(CLUA_ARENA);
  return !KEEPS_SPARE || h->arena != NULL;
}

void clua_stopSparing(clua_Host *h) {
  h->spareMost = 0;
  h->isClosing = true;
  for (int i = 0; i < CLUA_SPARE_SIZES; i++) {
    void *block = h->spare[i];
    h->spare[i] = NULL;
    while (block != NULL) {
      void *next = *(void **)block;
      if (!isOfArena(h, block)) free(block);
      block = next;
    }
  }
  h->spareBytes = 0;
}

void clua_closeSpare(clua_Host *h) {
  free(h->arena);
  h->arena = h->arenaNext = NULL;
}

/// Returns true in the usual case for a new block: small, without a limit to check.
static inline bool isPlain(clua_Host *h, size_t size) {
  return size <= CLUA_SMALL && size != h->refusedSize && h->stringTable != NULL
         && (h->hostDepth > 0 || (h->failAt == 0 && h->live + size <= h->limits.memoryHard));
}

static __attribute__((noinline)) void *allocate(clua_Host *h, void *block, size_t old, size_t size) {
  int tag = block == NULL ? (int)old : -1;  // Lua passes the type of a new block as its old size
  if (block == NULL) old = 0;

  if (size > old) {
    h->allocations++;
    if (h->hostDepth == 0) {
      size_t growth = size - old;
      bool tooLarge = size > h->limits.block && block != h->stringTable;
      bool refused = failsForTest(h) || tooLarge || isOver(h, size, growth);
      if (refused && !inFinalizer(h)) return refuse(h, tooLarge, size);
      h->taken += growth;
      if (h->taken >= CLUA_CHARGE) clua_checkLimitsSoon(h);
    }
  }

  void *fresh = resize(h, block, old, size);
  if (fresh == NULL) {
    if (size <= old) return block;
    if (h->hostDepth > 0) exhausted(size);
    return refuse(h, false, size);
  }
  // After a refusal Lua collects and asks again; a success then cancels the refusal. A block of another size doesn't:
  // between an error and its catcher Lua shrinks the stack.
  if (size == h->refusedSize) {
    h->refusedSize = 0;
    h->refusedTotal = h->refusedBlock = h->refusedStack = false;
  }
  if (isStringTable(h, block, size)) h->stringTable = fresh;
  h->live = h->live - old + size;
  if (h->live > h->peak) h->peak = h->live;
  if (tag == LUA_TSTRING && size >= CLUA_LARGE) {
    // If the table has no room, the string counts like any other block, now and when it is freed.
    if (!clua_trackString(&h->strings, fresh, size)) count(h, size, 1);
    clua_setPeriod(h);
  } else if (old >= CLUA_BIG || size >= CLUA_BIG) {
    count(h, old, -1);
    count(h, size, 1);
    clua_setPeriod(h);
  }
  return fresh;
}

void *clua_allocate(void *host, void *block, size_t old, size_t size) {
  clua_Host *h = host;
  if (size == 0) {
    if (block == NULL) return NULL;
    clua_releaseLost(h, block, old);
    if (h->isClosing) {
      // During closing nothing is counted, and the arena is freed as a whole.
      if (!isOfArena(h, block)) free(block);
      return NULL;
    }
    if (old >= CLUA_LARGE && !clua_untrackString(&h->strings, block, old)) count(h, old, -1);
    h->live -= old;
    giveBack(h, block, old);
    return NULL;
  }
  if (__builtin_expect(block != NULL || !isPlain(h, size), 0)) return allocate(h, block, old, size);
  void *fresh = takeSmall(h, size);
  if (__builtin_expect(fresh == NULL, 0)) return allocate(h, block, old, size);
  h->allocations++;
  h->live += size;
  if (h->live > h->peak) h->peak = h->live;
  if (__builtin_expect(h->hostDepth == 0, 1)) {
    h->taken += size;
    if (__builtin_expect(h->taken >= CLUA_CHARGE, 0)) clua_checkLimitsSoon(h);
  }
  return fresh;
}

// MARK: The registry, for the values that the host keeps by number

void clua_tidyReferences(clua_Host *h) {
  enum { MANY = 4096, KEYS = 1024 };
  static const char keys[KEYS];
  lua_State *L = h->main;
  if (h->released < MANY || !lua_checkstack(L, 2)) return;
  h->released = 0;
  int free = 0;
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, LUA_REGISTRYINDEX); i > 0; i--) {
    free += lua_rawgeti(L, LUA_REGISTRYINDEX, i) == LUA_TNUMBER;  // the next free number
    lua_settop(L, -2);
  }
  if (free < MANY) return;
  // Takes all free numbers out of Lua's list, so that they are unused. After a new number the list is empty.
  lua_Integer last = 0, end;
  do {
    end = (lua_Integer)lua_rawlen(L, LUA_REGISTRYINDEX) + 1;
    lua_pushinteger(L, last);
    last = luaL_ref(L, LUA_REGISTRYINDEX);
  } while (last != end);
  while (last != 0) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, last);
    lua_pushnil(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, last);
    last = lua_tointeger(L, -1);
    lua_settop(L, -2);
  }
  // A table shrinks only if a new key finds no room in it.
  size_t before = h->live;
  int count = 0;
  for (; count < KEYS && h->live >= before; count++) {
    lua_pushboolean(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &keys[count]);
  }
  while (count > 0) {
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &keys[--count]);
  }
}

// Large strings. One instruction may read a whole string, so the hook runs more often while large strings live. Their
// addresses are kept, because Lua doesn't tell the type of a freed block.

static int class(size_t size) {
  if (size >= 512 * 1024) return 3;
  if (size >= 64 * 1024) return 2;
  return size >= 16 * 1024;
}

static size_t home(const clua_Large *s, const void *block) {
  return (size_t)(((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15u >> 20) & (s->capacity - 1);
}

static void put(clua_Large *s, void *block) {
  size_t i = home(s, block);
  while (s->slots[i] != NULL) i = (i + 1) & (s->capacity - 1);
  s->slots[i] = block;
}

static bool grow(clua_Large *s) {
  clua_Large larger = *s;
  larger.capacity = s->capacity == 0 ? 16 : 2 * s->capacity;
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (larger.slots == NULL) return false;
  for (size_t i = 0; i < s->capacity; i++)
    if (s->slots[i] != NULL) put(&larger, s->slots[i]);
  free(s->slots);
  *s = larger;
  return true;
}

bool clua_trackString(clua_Large *s, void *block, size_t size) {
  if (2 * s->count >= s->capacity && !grow(s)) return false;
  put(s, block);
  s->count++;
  s->classes[class(size)]++;
  return true;
}

bool clua_untrackString(clua_Large *s, const void *block, size_t size) {
  if (s->count == 0) return false;
  size_t mask = s->capacity - 1, i = home(s, block);
  while (s->slots[i] != block) {
    if (s->slots[i] == NULL) return false;
    i = (i + 1) & mask;
  }
  // Later entries move up, unless that would put them before their home slot.
  for (size_t j = (i + 1) & mask; s->slots[j] != NULL; j = (j + 1) & mask) {
    if (((j - home(s, s->slots[j])) & mask) < ((j - i) & mask)) continue;
    s->slots[i] = s->slots[j];
    i = j;
  }
  s->slots[i] = NULL;
  s->count--;
  s->classes[class(size)]--;
  return true;
}

int32_t clua_stringPeriod(const clua_Large *s) {
  static const int32_t periods[] = {128, 32, 4, 2};
  for (int i = 3; i >= 0; i--)
    if (s->classes[i] > 0) return periods[i];
  return CLUA_QUANTUM;
}

static uintptr_t seal(clua_Host *h, const clua_Box *box) { return (uintptr_t)box ^ (uintptr_t)h->secret; }

static void release(clua_Host *h, clua_Box *box) {
  void *object = box->object;
  if (object == NULL) return;
  box->object = NULL;  // cleared first, so that the box is unusable from now on
  h->objects--;
  h->hostDepth++;
  h->release(object);
  h->hostDepth--;
}

int clua_releaseBox(lua_State *L) {
  release(clua_host(L), lua_touserdata(L, 1));
  return 0;
}

void clua_releaseLost(clua_Host *h, void *block, size_t size) {
  if (h->boxSize == 0 || (size != h->boxSize && size != h->boxSize + CLUA_USERVALUE)) return;
  clua_Box *box = (clua_Box *)((char *)block + size - sizeof(clua_Box));
  if (box->seal != seal(h, box)) return;
  box->seal = 0;  // else the next block here would look like a box
  release(h, box);
}

void clua_pushBox(clua_Host *h, lua_State *L, void *retained, int32_t kind, int32_t metatable) {
  clua_Box *box = lua_newuserdatauv(L, sizeof(clua_Box), kind == CLUA_OBJECT ? 0 : 1);
  box->object = NULL;
  box->seal = seal(h, box);
  box->kind = kind;
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable);
  lua_setmetatable(L, -2);
  box->object = retained;
  h->objects++;
}

/// Measures the size of a block that ends in a box; the collector must not run meanwhile.
size_t clua_measureBox(clua_Host *h, lua_State *L) {
  size_t before = h->live;
  lua_newuserdatauv(L, sizeof(clua_Box), 0);
  size_t size = h->live - before;
  lua_settop(L, -2);
  return size;
}
