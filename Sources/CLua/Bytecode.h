// Reads the code of a Lua function, as lua_dump writes it. The reader takes nothing for granted: it fails at anything that it doesn't know.

#ifndef CLUA_BYTECODE_H
#define CLUA_BYTECODE_H

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

/// Does as clua_fieldUse for a function's code as lua_dump writes it, without names; any bytes will do.
int32_t clua_fieldUseOfCode(lua_State *L, const void *code, size_t length, int32_t parameter);

enum {
  MAXIMUM_DUMP = 8 * 1024 * 1024,
  MAXIMUM_NESTING = 220,  // of functions; the parser ends at 200
};

// MARK: Reading a dump

typedef struct {
  const char *text;  // NULL when it is no string
  size_t length;
  uint16_t noted;  // bits for the lists that it is in, or the sum of its clua_Word
} Constant;

typedef struct {
  const uint8_t *descriptions;  // three bytes each: in the stack, index, kind
  size_t count;
} Upvalues;

typedef struct {
  const uint8_t *at, *end;
  bool failed;
} Reader;

/// The source lines of instructions: for each the distance from the one before, or a mark that the line is in the list of whole numbers.
typedef struct {
  int first;
  const uint8_t *steps;  // one byte each
  size_t count;
  Reader whole;
} Lines;

typedef struct {
  uint8_t parameters, registers;
  const uint8_t *instructions;  // four bytes each, not aligned
  size_t count;
  Constant *constants;
  size_t constantCount;
  Upvalues *closures;
  size_t closureCount;
  Lines lines;
} Code;

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

/// Takes a size: seven bits in each byte, the highest first; the last byte has its eighth bit set.
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

/// Takes the number of elements that follow, each of at least so many bytes; fails if there can't be so many.
static inline size_t takeCount(Reader *r, size_t elementSize) {
  size_t count = takeSize(r);
  if (!r->failed && count <= (size_t)(r->end - r->at) / elementSize) return count;
  r->failed = true;
  return 0;
}

static inline const char *takeString(Reader *r, size_t *length) {
  size_t size = takeSize(r);
  *length = size > 0 ? size - 1 : 0;
  return size > 0 ? (const char *)take(r, size - 1) : NULL;
}

static inline Constant takeConstant(Reader *r) {
  enum { NIL = 0x00, FALSE = 0x01, TRUE = 0x11, INTEGER = 0x03, FLOAT = 0x13, SHORT_STRING = 0x04, LONG_STRING = 0x14 };
  Constant constant = {0};
  switch (takeByte(r)) {
    case NIL: case FALSE: case TRUE: break;
    case INTEGER: take(r, sizeof(lua_Integer)); break;
    case FLOAT: take(r, sizeof(lua_Number)); break;
    case SHORT_STRING: case LONG_STRING:
      constant.text = takeString(r, &constant.length);
      if (constant.text == NULL) r->failed = true;
      break;
    default: r->failed = true;
  }
  return constant;
}

/// Takes the beginning of a function's debug information; the number of its first line isn't there.
static inline Lines takeLines(Reader *r) {
  Lines lines = {0};
  lines.count = takeCount(r, 1);
  lines.steps = take(r, lines.count);
  size_t whole = takeCount(r, 2);
  lines.whole = *r;
  for (size_t n = whole; n > 0 && !r->failed; n--) takeSize(r), takeSize(r);
  return lines;
}

/// The line of the instruction at `pc`; `line` is that of the one before.
static inline int nextLine(Lines *lines, size_t pc, int line) {
  enum { WHOLE = 0x80 };
  if (pc >= lines->count) return line;
  uint8_t step = lines->steps[pc];
  if (step != WHOLE) return line + (int8_t)step;
  takeSize(&lines->whole);
  return (int)takeSize(&lines->whole);
}

static inline Lines takeDebug(Reader *r) {
  size_t length;
  Lines lines = takeLines(r);
  for (size_t n = takeCount(r, 3); n > 0 && !r->failed; n--) takeString(r, &length), takeSize(r), takeSize(r);
  for (size_t n = takeCount(r, 1); n > 0 && !r->failed; n--) takeString(r, &length);
  return lines;
}

static inline void skipDebug(Reader *r) { (void)takeDebug(r); }

/// Reads one function into `code`, and returns its upvalues. For functions inside it `code` is NULL: only their upvalues are of interest.
static inline Upvalues takeFunction(Reader *r, Code *code, int depth) {
  Upvalues upvalues = {0};
  size_t length;
  if (depth > MAXIMUM_NESTING) r->failed = true;
  takeString(r, &length);
  int line = (int)takeSize(r);
  takeSize(r);
  const uint8_t *sizes = take(r, 3);  // parameters, whether it is vararg, registers
  size_t count = takeCount(r, 4);
  const uint8_t *instructions = take(r, count * 4);
  size_t constants = takeCount(r, 1);
  if (code != NULL && !r->failed) {
    code->parameters = sizes[0];
    code->registers = sizes[2];
    code->instructions = instructions;
    code->count = count;
    code->constantCount = constants;
    code->constants = calloc(constants + 1, sizeof(Constant));
    if (code->constants == NULL) r->failed = true;
  }
  for (size_t i = 0; i < constants && !r->failed; i++) {
    Constant constant = takeConstant(r);
    if (code != NULL) code->constants[i] = constant;
  }
  upvalues.count = takeCount(r, 3);
  upvalues.descriptions = take(r, upvalues.count * 3);
  size_t closures = takeCount(r, 1);
  if (code != NULL && !r->failed) {
    code->closureCount = closures;
    code->closures = calloc(closures + 1, sizeof(Upvalues));
    if (code->closures == NULL) r->failed = true;
  }
  for (size_t i = 0; i < closures && !r->failed; i++) {
    Upvalues inner = takeFunction(r, NULL, depth + 1);
    if (code != NULL) code->closures[i] = inner;
  }
  Lines lines = takeDebug(r);
  lines.first = line;
  if (code != NULL) code->lines = lines;
  return upvalues;
}

/// Takes the header of a dump.
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

/// Whether all of the dump was understood. What was allocated must be freed in any case.
static inline bool readCode(const void *bytes, size_t length, Code *code) {
  Reader reader = {bytes, (const uint8_t *)bytes + length, false};
  takeStart(&reader);
  takeFunction(&reader, code, 0);
  return !reader.failed && reader.at == reader.end && code->parameters <= code->registers;
}

// MARK: Instructions

/// The instructions of Lua 5.4, in its order.
typedef enum {
  MOVE, LOADI, LOADF, LOADK, LOADKX, LOADFALSE, LFALSESKIP, LOADTRUE, LOADNIL, GETUPVAL, SETUPVAL,
  GETTABUP, GETTABLE, GETI, GETFIELD, SETTABUP, SETTABLE, SETI, SETFIELD, NEWTABLE, SELF,
  ADDI, ADDK, SUBK, MULK, MODK, POWK, DIVK, IDIVK, BANDK, BORK, BXORK, SHRI, SHLI,
  ADD, SUB, MUL, MOD, POW, DIV, IDIV, BAND, BOR, BXOR, SHL, SHR, MMBIN, MMBINI, MMBINK, UNM, BNOT, NOT, LEN, CONCAT,
  CLOSE, TBC, JMP, EQ, LT, LE, EQK, EQI, LTI, LEI, GTI, GEI, TEST, TESTSET, CALL, TAILCALL, RETURN, RETURN0, RETURN1,
  FORLOOP, FORPREP, TFORPREP, TFORCALL, TFORLOOP, SETLIST, CLOSURE, VARARG, VARARGPREP, EXTRAARG,
  OPERATIONS,
} Operation;

typedef struct {
  Operation operation;
  uint32_t a, b, c, bx, ax;
  bool k;
  bool jumps;    // may go on elsewhere
  bool ends;     // never goes on with the next one
  int64_t jump;  // where elsewhere is
} Instruction;

/// Decodes an instruction. Always inline: most callers use few of its parts, and the compiler leaves out the others.
static inline __attribute__((always_inline)) Instruction decode(const Code *code, size_t pc) {
  uint32_t word;
  memcpy(&word, code->instructions + pc * 4, 4);
  Instruction i = {
    .operation = word & 0x7F, .a = word >> 7 & 0xFF, .b = word >> 16 & 0xFF, .c = word >> 24, .bx = word >> 15,
    .ax = word >> 7, .k = word >> 15 & 1, .jumps = true,
  };
  int64_t next = (int64_t)pc + 1;
  switch (i.operation) {
    case JMP: i.jump = next + i.ax - 0xFFFFFF; break;
    case LFALSESKIP: case EQ ... TESTSET: i.jump = next + 1; break;
    case FORLOOP: case TFORLOOP: i.jump = next - i.bx; break;
    case FORPREP: i.jump = next + i.bx + 1; break;
    case TFORPREP: i.jump = next + i.bx; break;
    default: i.jumps = false;
  }
  switch (i.operation) {
    case JMP: case LFALSESKIP: case TFORPREP: case TAILCALL ... RETURN1: i.ends = true; break;
    default: break;
  }
  return i;
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

/// Dumps the code of the function at the index, without debug information if `isStripped`; empty if it has none. The caller frees the bytes.
static inline Dump dump(lua_State *L, int32_t index, bool isStripped) {
  Dump dump = {0};
  if (lua_type(L, index) != LUA_TFUNCTION || lua_iscfunction(L, index)) return dump;
  lua_pushvalue(L, index);
  if (lua_dump(L, grow, &dump, isStripped) != 0) dump.length = 0;
  lua_settop(L, -2);
  return dump;
}

#endif
