// Large strings. One instruction may compare, convert or scan a whole one, so the hook is called more often while any is alive.
// Their addresses are kept, because Lua doesn't say what a block was when it frees it.

#include "Internal.h"

#include <stdlib.h>

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
  // Entries that follow move up, unless that would put them before their home slot.
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
