// Dumps of functions by lua_dump. After their beginning comes the name of the chunk.

#ifndef CLUA_DUMP_H
#define CLUA_DUMP_H

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAXIMUM_DUMP = 8 * 1024 * 1024,
};

// MARK: Reading a dump

typedef struct {
  const uint8_t *at, *end;
  bool failed;
} Reader;

static inline const uint8_t *take(Reader *r, size_t size) {
  if (r->failed || (size_t)(r->end - r->at) < size) {
    r->failed = true;
    return NULL;
  }
  const uint8_t *start = r->at;
  r->at += size;
  return start;
}

static inline uint8_t takeByte(Reader *r) {
  const uint8_t *byte = take(r, 1);
  return byte != NULL ? *byte : 0;
}

static inline void expect(Reader *r, const void *bytes, size_t size) {
  const uint8_t *found = take(r, size);
  if (found == NULL || memcmp(found, bytes, size) != 0) r->failed = true;
}

/// Reads a size: seven bits in each byte, highest first; the last byte has its eighth bit set.
static inline size_t takeSize(Reader *r) {
  size_t size = 0;
  while (!r->failed) {
    uint8_t byte = takeByte(r);
    if (size >> (sizeof size * 8 - 7) != 0) break;
    size = size << 7 | (byte & 0x7F);
    if (byte & 0x80) return size;
  }
  r->failed = true;
  return 0;
}

static inline const char *takeString(Reader *r, size_t *length) {
  size_t size = takeSize(r);
  *length = size > 0 ? size - 1 : 0;
  return size > 0 ? (const char *)take(r, size - 1) : NULL;
}

/// Reads the header of a dump.
static inline void takeStart(Reader *r) {
  static const char start[] = LUA_SIGNATURE "\x54\x00\x19\x93\r\n\x1a\n";  // Lua 5.4, its official format, and a check
  static const uint8_t sizes[] = {4, sizeof(lua_Integer), sizeof(lua_Number)};
  const lua_Integer integer = 0x5678;
  const lua_Number number = 370.5;
  expect(r, start, sizeof start - 1);
  expect(r, sizes, sizeof sizes);
  expect(r, &integer, sizeof integer);
  expect(r, &number, sizeof number);
  takeByte(r);
}

// MARK: Dumping

typedef struct {
  uint8_t *bytes;
  size_t length, capacity;
} Dump;

static inline int grow(lua_State *L, const void *bytes, size_t size, void *data) {
  (void)L;
  Dump *dump = data;
  if (size > MAXIMUM_DUMP - dump->length) return 1;
  if (dump->length + size > dump->capacity) {
    size_t capacity = (dump->length + size) * 2 + 1024;
    uint8_t *larger = realloc(dump->bytes, capacity);
    if (larger == NULL) return 1;
    dump->bytes = larger;
    dump->capacity = capacity;
  }
  memcpy(dump->bytes + dump->length, bytes, size);
  dump->length += size;
  return 0;
}

/// Dumps the code of the function at the index; empty without code. The caller frees the bytes.
static inline Dump dump(lua_State *L, int32_t index) {
  Dump dump = {0};
  if (lua_type(L, index) != LUA_TFUNCTION || lua_iscfunction(L, index)) return dump;
  lua_pushvalue(L, index);
  if (lua_dump(L, grow, &dump, false) != 0) dump.length = 0;
  lua_settop(L, -2);
  return dump;
}

#endif
