// Finds the fields of a parameter that a Lua function uses, by reading its code. No script code runs.
//
// lua_dump writes the function into memory. The reader takes nothing for granted, and what it doesn't know makes the answer
// incomplete. The instructions are then followed along every path, with one mark for each register at each point:
//
// - CONTEXT: the parameter's value may lie here. A strong write clears it; what merely may be overwritten keeps it.
// - OPEN: a closure shares this register, so its value changes without an instruction of ours.
// - what else is known of the register: a constant string, or the two halves that OP_SELF leaves for the call that follows.
//
// Marks only ever grow where paths meet, so following ends. The answer is complete if no other code can get at the value: every
// instruction that reads a CONTEXT register counts as such a leak, save the few that are listed as harmless.
// It is assumed that nothing else leads to the value: no field or method of it returns it, no upvalue holds it.

#include "Bytecode.h"

enum {
  MAXIMUM_CODE = 64 * 1024,  // instructions of the function itself
  MAXIMUM_MARKS = 1024 * 1024,
  MAXIMUM_STEPS = 4 * 1024 * 1024,
};

// MARK: What instructions do

enum {
  LEAKS_A = 1,   // other code may get at the value in R[A], or the parameter's value makes no sense there
  LEAKS_B = 2,
  LEAKS_C = 4,
  LEAKS_KC = 8,  // R[C], where C is no constant
  SETS_A = 16,   // to something that is not the parameter's value
};

/// What each instruction does to single registers; `follow` has the rest.
/// A comparison leaks, because the other side's __eq, __lt or __le gets both values; one with a constant doesn't.
static const uint8_t effects[OPERATIONS] = {
  [LOADI] = SETS_A, [LOADF] = SETS_A, [LOADFALSE] = SETS_A, [LFALSESKIP] = SETS_A, [LOADTRUE] = SETS_A,
  [GETUPVAL] = SETS_A, [SETUPVAL] = LEAKS_A,
  [GETTABUP] = SETS_A, [GETTABLE] = LEAKS_C | SETS_A, [GETI] = LEAKS_B | SETS_A, [GETFIELD] = SETS_A,
  [SETTABUP] = LEAKS_KC, [SETTABLE] = LEAKS_B | LEAKS_KC, [SETI] = LEAKS_A | LEAKS_KC, [SETFIELD] = LEAKS_KC,
  [NEWTABLE] = SETS_A,
  [ADDI ... SHLI] = LEAKS_B | SETS_A, [ADD ... SHR] = LEAKS_B | LEAKS_C | SETS_A,
  [UNM] = LEAKS_B | SETS_A, [BNOT] = LEAKS_B | SETS_A, [NOT] = SETS_A, [LEN] = LEAKS_B | SETS_A,
  [TBC] = LEAKS_A, [EQ] = LEAKS_A | LEAKS_B, [LT] = LEAKS_A | LEAKS_B, [LE] = LEAKS_A | LEAKS_B,
  [LTI ... GEI] = LEAKS_A, [CALL] = LEAKS_A, [TAILCALL] = LEAKS_A, [RETURN1] = LEAKS_A,
  [SETLIST] = LEAKS_A, [CLOSURE] = SETS_A,
};

// MARK: Marks

typedef uint32_t Mark;
static const Mark CONTEXT = 1u << 31;
static const Mark OPEN = 1u << 30;
static const Mark KIND = 3u << 28;
static const Mark STRING = 1u << 28;    // the constant of that index
static const Mark METHOD = 2u << 28;    // what OP_SELF found in the parameter under the constant of that index
static const Mark RECEIVER = 3u << 28;  // what it was found in; intact beside its METHOD, the two are of one OP_SELF
static const Mark INDEX = (1u << 28) - 1;
static const Mark OTHER = 0;

static bool is(Mark mark, Mark kind, Mark index) { return (mark & (KIND | INDEX)) == (kind | index); }

static Mark join(Mark one, Mark other) {
  Mark known = (one ^ other) & (KIND | INDEX) ? OTHER : one & (KIND | INDEX);
  return ((one | other) & (CONTEXT | OPEN)) | known;
}

typedef enum { WRITES, READS, CALLS, LISTS } List;

typedef struct {
  Code code;
  uint32_t *lists[LISTS];  // constants, in order of first appearance
  size_t counts[LISTS];
  int32_t *meetings;  // for each instruction, which of the states below is where paths meet before it; -1 for none
  size_t stateCount;
  Mark *states;
  bool *reached;  // for each state
  Mark now[256];
  bool complete;
  bool again;      // marks grew at an earlier instruction, so that all has to be followed again
  bool inVarargs;  // the parameter is one of `...`
} Flow;

static Mark mark(Flow *f, size_t r) {
  if (r < f->code.registers) return f->now[r];
  f->complete = false;
  return OTHER;
}

static bool holds(Flow *f, size_t r) { return mark(f, r) & CONTEXT; }

static void leak(Flow *f, size_t r) {
  if (holds(f, r)) f->complete = false;
}

static void leakAll(Flow *f, size_t from, size_t to) {
  for (size_t r = from; r < to; r++) leak(f, r);
}

static void set(Flow *f, size_t r, Mark value) {
  if (r >= f->code.registers) {
    f->complete = false;
  } else if (f->now[r] & OPEN) {
    if (value & CONTEXT) f->complete = false;
    f->now[r] = OPEN | (value & CONTEXT);
  } else {
    f->now[r] = value;
  }
}

static void setAll(Flow *f, size_t from, size_t to) {
  for (size_t r = from; r < to; r++) set(f, r, OTHER);
}

/// Forgets all but CONTEXT and OPEN of the registers from one on, which may have been overwritten.
static void blur(Flow *f, size_t from) {
  for (size_t r = from; r < f->code.registers; r++) f->now[r] &= CONTEXT | OPEN;
}

// MARK: Fields

/// What the methods of a context do with the key that comes first. The others hand the context to code of other responders.
static const struct {
  const char *name;
  List list;
} methods[] = {
  {"append", WRITES}, {"each", READS}, {"flag", READS}, {"has", READS},
  {"set", LISTS}, {"insert", LISTS}, {"remove", LISTS}, {"undo", LISTS}, {"refuse", LISTS},
};

static bool isMethod(const Constant *name, List *list) {
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    if (strlen(methods[i].name) != name->length || memcmp(methods[i].name, name->text, name->length) != 0) continue;
    *list = methods[i].list;
    return true;
  }
  return false;
}

/// The constant of an index; NULL, and the answer is incomplete, when it is no string.
static Constant *name(Flow *f, size_t index) {
  if (index < f->code.constantCount && f->code.constants[index].text != NULL) return &f->code.constants[index];
  f->complete = false;
  return NULL;
}

static void note(Flow *f, size_t index, List list) {
  Constant *constant = name(f, index);
  if (constant == NULL || constant->noted & 1 << list) return;
  constant->noted |= 1 << list;
  f->lists[list][f->counts[list]++] = (uint32_t)index;
}

/// Notes the key in a register, if it is known.
static void noteKey(Flow *f, size_t r, List list) {
  Mark key = mark(f, r);
  if ((key & KIND) == STRING && !(key & CONTEXT)) {
    note(f, key & INDEX, list);
  } else {
    f->complete = false;
  }
}

// MARK: Following the instructions

static void meet(Flow *f, size_t pc, bool behind) {
  int32_t meeting = f->meetings[pc];
  Mark *state = f->states + (size_t)meeting * f->code.registers;
  for (size_t r = 0; r < f->code.registers; r++) {
    Mark both = f->reached[meeting] ? join(state[r], f->now[r]) : f->now[r];
    if (both != state[r] && behind) f->again = true;
    state[r] = both;
  }
  if (!f->reached[meeting] && behind) f->again = true;
  f->reached[meeting] = true;
}

static void jump(Flow *f, Instruction i, size_t pc) {
  if (i.jump >= 0 && (size_t)i.jump < f->code.count) {
    meet(f, (size_t)i.jump, (size_t)i.jump <= pc);
  } else {
    f->complete = false;
  }
}

/// The end of a list of values whose number is set by the instruction before this one; none of its open values is the parameter's.
static size_t openEnd(Flow *f, size_t pc) {
  if (pc > 0 && f->meetings[pc] < 0) {
    Instruction before = decode(&f->code, pc - 1);
    if ((before.operation == CALL || before.operation == VARARG) && before.c == 0) return before.a;
  }
  f->complete = false;
  return f->code.registers;
}

static void followSelf(Flow *f, Instruction i) {
  bool isContext = holds(f, i.b);
  Mark key = i.k ? STRING | i.c : mark(f, i.c);
  set(f, i.a + 1, isContext ? CONTEXT : OTHER);
  set(f, i.a, OTHER);
  if (!isContext) return;
  Mark index = key & INDEX;
  Constant *method = (key & KIND) == STRING ? name(f, index) : NULL;
  List list;
  if (method != NULL) note(f, index, CALLS);
  if (method == NULL || !isMethod(method, &list)) {
    f->complete = false;
    return;
  }
  set(f, i.a, METHOD | index);
  set(f, i.a + 1, CONTEXT | RECEIVER | index);
}

static void followCall(Flow *f, Instruction i, size_t pc) {
  size_t end = i.b > 0 ? i.a + i.b : openEnd(f, pc);
  size_t argument = i.a + 1;
  Mark function = mark(f, i.a);
  if ((function & KIND) == METHOD && argument < end && is(mark(f, argument), RECEIVER, function & INDEX)) {
    argument++;
    List list = LISTS;
    isMethod(&f->code.constants[function & INDEX], &list);
    if (list != LISTS && argument < end) noteKey(f, argument, list);
    if (list != LISTS && argument >= end) f->complete = false;
  }
  leakAll(f, argument, end);
}

/// Sets the results of a call or `...`: one value less than `size`; for 0, any number.
static void setResults(Flow *f, size_t start, size_t size) {
  blur(f, start);
  if (size > 0) setAll(f, start, start + size - 1);
}

static void followClosure(Flow *f, Instruction i) {
  if (i.bx >= f->code.closureCount) {
    f->complete = false;
    return;
  }
  Upvalues upvalues = f->code.closures[i.bx];
  for (size_t u = 0; u < upvalues.count; u++) {
    size_t r = upvalues.descriptions[u * 3 + 1];
    if (!upvalues.descriptions[u * 3]) continue;
    leak(f, r);
    if (r < f->code.registers) f->now[r] = OPEN | (f->now[r] & CONTEXT);
  }
}

/// Follows a numeric loop, which sets its four registers only on the path into its body.
static void followLoop(Flow *f, Instruction i, size_t pc) {
  bool jumpsIn = i.operation == FORLOOP;
  leakAll(f, i.a, i.a + 3);
  blur(f, i.a);
  if (!jumpsIn) jump(f, i, pc);
  Mark outside[4];
  for (size_t n = 0; n < 4; n++) outside[n] = mark(f, i.a + n);
  setAll(f, i.a, i.a + 4);
  if (!jumpsIn) return;
  jump(f, i, pc);
  for (size_t n = 0; n < 4 && i.a + n < f->code.registers; n++) f->now[i.a + n] = outside[n];
}

static Operation operationAt(const Flow *f, size_t pc) {
  return pc < f->code.count ? decode(&f->code, pc).operation : OPERATIONS;
}

static void follow(Flow *f, Instruction i, size_t pc) {
  uint8_t effect = effects[i.operation];
  if (effect & LEAKS_A) leak(f, i.a);
  if (effect & LEAKS_B) leak(f, i.b);
  if (effect & LEAKS_C || (effect & LEAKS_KC && !i.k)) leak(f, i.c);
  switch (i.operation) {
    case GETFIELD:
      if (holds(f, i.b)) note(f, i.c, READS);
      break;
    case GETTABLE:
      if (holds(f, i.b)) noteKey(f, i.c, READS);
      break;
    case SETFIELD:
      if (holds(f, i.a)) note(f, i.b, WRITES);
      break;
    case SETTABLE:
      if (holds(f, i.a)) noteKey(f, i.b, WRITES);
      break;
    case ADDI ... SHR: {
      // It skips the next instruction, which calls the metamethod if there is one. Following that one gives the same marks.
      Operation next = operationAt(f, pc + 1);
      if (next != MMBIN && next != MMBINI && next != MMBINK) f->complete = false;
      break;
    }
    default: break;
  }
  if (effect & SETS_A) set(f, i.a, OTHER);
  switch (i.operation) {
    case MOVE: {
      Mark value = mark(f, i.b);
      set(f, i.a, (value & KIND) == STRING ? value & ~OPEN : value & CONTEXT);
      break;
    }
    case LOADK: set(f, i.a, STRING | i.bx); break;
    case LOADKX:
      set(f, i.a, OTHER);
      if (operationAt(f, pc + 1) == EXTRAARG) set(f, i.a, STRING | decode(&f->code, pc + 1).ax);
      break;
    case LOADNIL: setAll(f, i.a, i.a + i.b + 1); break;
    case SELF: followSelf(f, i); break;
    case CONCAT:
      leakAll(f, i.a, i.a + i.b);
      blur(f, i.a);
      set(f, i.a, OTHER);
      break;
    case CLOSE:
      for (size_t r = i.a; r < f->code.registers; r++) f->now[r] &= ~OPEN;
      break;
    case CALL:
      followCall(f, i, pc);
      setResults(f, i.a, i.c);
      break;
    case TAILCALL: followCall(f, i, pc); break;
    case RETURN: leakAll(f, i.a, i.b > 0 ? i.a + i.b - 1 : openEnd(f, pc)); break;
    case SETLIST: leakAll(f, i.a + 1, i.b > 0 ? i.a + i.b + 1 : openEnd(f, pc)); break;
    case TFORPREP: leak(f, i.a + 3); break;
    case TFORCALL:
      leakAll(f, i.a, i.a + 3);
      blur(f, i.a + 4);
      setAll(f, i.a + 4, i.a + 4 + i.c);
      break;
    case TFORLOOP:
      leak(f, i.a + 4);
      set(f, i.a + 2, mark(f, i.a + 2) & CONTEXT);
      break;
    case CLOSURE: followClosure(f, i); break;
    case VARARG:
      if (f->inVarargs) f->complete = false;
      setResults(f, i.a, i.c);
      break;
    case FORLOOP: case FORPREP: followLoop(f, i, pc); return;
    default: break;
  }
  if (i.jumps) jump(f, i, pc);
  if (i.operation == TESTSET) set(f, i.a, mark(f, i.b) & CONTEXT);
}

static void begin(Flow *f, size_t parameter) {
  f->complete = true;
  f->again = false;
  memset(f->counts, 0, sizeof f->counts);
  for (size_t c = 0; c < f->code.constantCount; c++) f->code.constants[c].noted = 0;
  memset(f->now, 0, sizeof f->now);
  f->inVarargs = parameter > f->code.parameters;
  if (!f->inVarargs) f->now[parameter - 1] = CONTEXT;
}

static void sweep(Flow *f, size_t parameter) {
  begin(f, parameter);
  bool alive = true;
  for (size_t pc = 0; pc < f->code.count; pc++) {
    int32_t meeting = f->meetings[pc];
    if (meeting >= 0) {
      if (alive) meet(f, pc, false);
      alive = f->reached[meeting];
      const Mark *state = f->states + (size_t)meeting * f->code.registers;
      if (alive) memcpy(f->now, state, f->code.registers * sizeof(Mark));
    }
    if (!alive) continue;
    Instruction i = decode(&f->code, pc);
    if (i.operation < OPERATIONS) {
      follow(f, i, pc);
    } else {
      f->complete = false;
    }
    alive = !i.ends;
  }
  if (alive) f->complete = false;  // it ran past its end
}

/// Finds the instructions where paths meet, and allocates their states; false if there are too many, or no memory.
static bool prepare(Flow *f) {
  Code *code = &f->code;
  f->meetings = malloc((code->count + 1) * sizeof *f->meetings);
  if (code->count > MAXIMUM_CODE || f->meetings == NULL) return false;
  for (size_t pc = 0; pc < code->count; pc++) f->meetings[pc] = -1;
  for (size_t pc = 0; pc < code->count; pc++) {
    Instruction i = decode(code, pc);
    bool isNew = i.jumps && i.jump >= 0 && (size_t)i.jump < code->count && f->meetings[i.jump] < 0;
    if (isNew) f->meetings[i.jump] = (int32_t)f->stateCount++;
  }
  if (f->stateCount * code->registers > MAXIMUM_MARKS) return false;
  f->states = calloc(f->stateCount * code->registers + 1, sizeof *f->states);
  f->reached = calloc(f->stateCount + 1, sizeof *f->reached);
  bool all = f->states != NULL && f->reached != NULL;
  for (int list = 0; list < LISTS; list++) {
    f->lists[list] = malloc((code->constantCount + 1) * sizeof *f->lists[list]);
    if (f->lists[list] == NULL) all = false;
  }
  return all;
}

static void analyze(Flow *f, const void *bytes, size_t length, int32_t parameter) {
  f->complete = false;
  if (parameter < 1 || !readCode(bytes, length, &f->code) || !prepare(f)) return;
  size_t step = f->code.count + f->stateCount * f->code.registers + f->code.constantCount + 1;
  size_t steps = 0;
  do {
    sweep(f, (size_t)parameter);
    steps += step;
  } while (f->again && steps + step <= MAXIMUM_STEPS);
  if (f->again) f->complete = false;
}

static void discard(Flow *f) {
  free(f->code.constants);
  free(f->code.closures);
  free(f->meetings);
  free(f->states);
  free(f->reached);
  for (int list = 0; list < LISTS; list++) free(f->lists[list]);
}

// MARK: The answer

/// Pushes a list of names, each once: a function may have one constant several times, so a set holds those already pushed.
static void pushList(lua_State *L, const Flow *f, List list) {
  lua_createtable(L, 0, 0);
  if (f->counts[list] == 0) return;
  lua_createtable(L, 0, (int)f->counts[list]);
  lua_Integer count = 0;
  for (size_t i = 0; i < f->counts[list]; i++) {
    const Constant *constant = &f->code.constants[f->lists[list][i]];
    lua_pushlstring(L, constant->text, constant->length);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) == LUA_TNIL) {
      lua_pushvalue(L, -2);
      lua_rawseti(L, -5, ++count);
      lua_pushvalue(L, -2);
      lua_pushboolean(L, 1);
      lua_rawset(L, -5);
    }
    lua_settop(L, -3);
  }
  lua_settop(L, -2);
}

int32_t clua_fieldUseOfCode(lua_State *L, const void *code, size_t length, int32_t parameter) {
  static const char *const names[LISTS] = {"writes", "reads", "calls"};
  Flow flow = {0};
  analyze(&flow, code, length, parameter);
  lua_createtable(L, 0, LISTS);
  for (int list = 0; list < LISTS; list++) {
    lua_pushstring(L, names[list]);
    pushList(L, &flow, list);
    lua_rawset(L, -3);
  }
  discard(&flow);
  return flow.complete;
}

int32_t clua_fieldUse(lua_State *L, int32_t index, int32_t parameter) {
  Dump code = dump(L, index, true);
  int32_t complete = clua_fieldUseOfCode(L, code.bytes, code.length, parameter);
  free(code.bytes);
  return complete;
}
