// Finds the words in the code of a chunk and of all functions in it, and how they are used. No script code runs.

#include "Bytecode.h"

/// The words found, and what the code does that can't be told by words.
typedef struct {
  lua_State *L;
  int found;  // stack index of the table of words
  uint32_t roles;  // the uses of all words together
  bool performsComputed, definesComputed, focusesLater, answersComputed, touchesGlobals;
  bool isChunk;  // whether the function being read is the chunk itself, which runs while it loads
  uint32_t globals;  // the upvalue of the function being read that is the table of globals; NOWHERE if none is
  uint32_t writers[256];  // the instruction that wrote last to each register, counted from 1; 0 if that isn't known
  bool needs[256];  // whether a table that was made in the register is one of needs
} Words;

enum { NOWHERE = 256 };  // a function has no more upvalues

static const Constant *constant(const Code *code, size_t index) {
  static const Constant none = {0};
  return index < code->constantCount ? &code->constants[index] : &none;
}

static inline bool isWord(const Constant *c, const char *word) {
  return c->text != NULL && c->length == strlen(word) && memcmp(c->text, word, c->length) == 0;
}

static void note(clua_Word role, const Constant *c) {
  if (c->text != NULL) ((Constant *)c)->noted |= role;
}

/// Adds the uses of a function's constants to those found in other functions.
static void addRoles(Words *w, const Code *code) {
  for (size_t i = 0; i < code->constantCount; i++) {
    if (code->constants[i].noted == 0) continue;
    w->roles |= code->constants[i].noted;
    lua_pushlstring(w->L, code->constants[i].text, code->constants[i].length);
    lua_pushvalue(w->L, -1);
    lua_rawget(w->L, w->found);
    lua_Integer known = lua_tointeger(w->L, -1);
    lua_settop(w->L, -2);
    lua_pushinteger(w->L, known | code->constants[i].noted);
    lua_rawset(w->L, w->found);
  }
}

/// The constant that the instruction loads into the register; NULL if it does anything else.
static const Constant *loaded(const Code *code, size_t pc, uint32_t into) {
  if (pc >= code->count) return NULL;
  Instruction i = decode(code, pc);
  return i.operation == LOADK && i.a == into ? constant(code, i.bx) : NULL;
}

/// The name of the field that `ctx:set(object, "name", value)` writes: the constant that is loaded before the call, after the object.
static const Constant *storedName(const Code *code, Instruction i, size_t pc) {
  enum { NEAR = 16 };
  for (size_t n = pc + 1; n < code->count && n < pc + NEAR; n++) {
    Instruction next = decode(code, n);
    if ((next.operation == CALL || next.operation == TAILCALL) && next.a <= i.a) return NULL;
    const Constant *name = loaded(code, n, i.a + 3);
    if (name != NULL) return name;
  }
  return NULL;
}

/// Whether a method is called on the global `app`, which is the host's unless a script gives the name to something else.
static bool isOfApp(const Code *code, Instruction i, size_t pc) {
  if (pc == 0) return false;
  Instruction receiver = decode(code, pc - 1);
  return receiver.operation == GETTABUP && receiver.a == i.b && isWord(constant(code, receiver.c), "app");
}

/// Whether a method is called with just one argument, which is loaded right after the method.
static bool isGivenAlone(const Code *code, Instruction i, size_t pc) {
  if (pc + 2 >= code->count) return false;
  Instruction call = decode(code, pc + 2);
  return (call.operation == CALL || call.operation == TAILCALL) && call.a == i.a && call.b == 3;
}

/// Notes the reference of `app:perform("reference")` or `app:validate("reference")`.
static void noteReference(Words *w, const Code *code, Instruction i, size_t pc, const Constant *name, const Constant *argument) {
  bool isPerform = isWord(name, "perform");
  if (argument == NULL || (!isPerform && !isWord(name, "validate")) || !isOfApp(code, i, pc)) return;
  if (isPerform) note(CLUA_WORD_PERFORMED, argument);
  if (isGivenAlone(code, i, pc)) note(CLUA_WORD_ASKED, argument);
}

/// Notes the call of a method, whose first argument is loaded right after it.
static void noteMethod(Words *w, const Code *code, Instruction i, size_t pc) {
  const Constant *name = i.k ? constant(code, i.c) : NULL;
  const Constant *argument = loaded(code, pc + 1, i.a + 2);
  if (name == NULL) return;
  note(CLUA_WORD_READ, name);
  if (!w->isChunk && (isWord(name, "make_key") || isWord(name, "make_main"))) w->focusesLater = true;
  const Constant *stored = isWord(name, "set") ? storedName(code, i, pc) : NULL;
  if (stored != NULL) note(CLUA_WORD_STORED, stored);
  noteReference(w, code, i, pc, name, argument);
  if (isWord(name, "perform") && argument == NULL) w->performsComputed = true;
  if (isWord(name, "define")) {
    if (argument == NULL) w->definesComputed = true;
    else note(CLUA_WORD_DEFINED, argument);
  }
}

/// Notes that a field is read: code that takes `perform` or `define` as a value may call it with any name.
static void noteField(Words *w, const Constant *name) {
  note(CLUA_WORD_READ, name);
  if (isWord(name, "perform")) w->performsComputed = true;
  if (isWord(name, "define")) w->definesComputed = true;
}

/// Whether the value that an instruction put into a register is called, before a call that starts at a lower register.
static bool isCalled(const Code *code, size_t pc, uint32_t called) {
  while (++pc < code->count) {
    Instruction i = decode(code, pc);
    if ((i.operation == CALL || i.operation == TAILCALL) && i.a <= called) return i.a == called;
  }
  return false;
}

/// Whether the element made by the word in a register is dropped, by a statement like `menu "File" { … }`, which calls the word, and then the
/// result.
static bool isThrownAway(const Code *code, size_t pc, uint32_t called) {
  while (++pc < code->count) {
    Instruction i = decode(code, pc);
    bool isCall = i.operation == CALL && i.a == called;
    if (isCall && i.c == 1) return true;
    if ((isCall && i.c == 2) || i.operation == EXTRAARG) continue;
    if (i.a == called || i.ends || (i.operation == CALL && i.a < called)) return false;
  }
  return false;
}

/// Notes that a global is read. A function that uses `focus` or `modal` may move the focus to any responder at any time; so may code that
/// takes one of these as a value.
static void noteGlobal(Words *w, const Code *code, Instruction i, size_t pc) {
  const Constant *name = constant(code, i.c);
  static const char *const elements[] = {"menu", "item", "section", "label"};
  note(CLUA_WORD_READ, name);
  if (i.b == w->globals && !w->isChunk) note(CLUA_WORD_GLOBAL, name);
  // Through these a script may create globals that no code assigns by name.
  if (i.b == w->globals && (isWord(name, "_G") || isWord(name, "load"))) w->touchesGlobals = true;
  for (size_t n = 0; n < sizeof elements / sizeof *elements; n++)
    if (isWord(name, elements[n]) && isThrownAway(code, pc, i.a)) note(CLUA_WORD_DROPPED, name);
  if (!isWord(name, "focus") && !isWord(name, "modal")) return;
  if (!w->isChunk || !isCalled(code, pc, i.a)) w->focusesLater = true;
}

/// Notes that a field is assigned. A function that assigns one of the chain's links may put any responder into the chain.
static void noteAssigned(Words *w, const Constant *name) {
  static const char *const links[] = {"next", "before", "delegate", "redirect"};
  note(CLUA_WORD_ASSIGNED, name);
  for (size_t n = 0; n < sizeof links / sizeof *links; n++)
    if (!w->isChunk && isWord(name, links[n])) w->focusesLater = true;
}

/// Notes that a field of an upvalue is assigned: a global, if that is the table of globals.
static void noteUpvalue(Words *w, const Code *code, Instruction i) {
  const Constant *name = constant(code, i.b);
  noteAssigned(w, name);
  if (i.a != w->globals) note(CLUA_WORD_ANSWER, name);
  else note(w->isChunk ? CLUA_WORD_MADE : CLUA_WORD_CHANGED, name);
}

/// The instruction that wrote to a register last; one with the operation OPERATIONS if that isn't known.
static Instruction writer(const Words *w, const Code *code, uint32_t of) {
  uint32_t pc = w->writers[of];
  return pc > 0 ? decode(code, pc - 1) : (Instruction){.operation = OPERATIONS};
}

/// Whether an instruction writes to its register A.
static bool writes(Instruction i) {
  switch (i.operation) {
    case SETUPVAL: case SETTABUP: case SETTABLE: case SETI: case SETFIELD: case SETLIST: case CLOSE: case TBC: case JMP:
    case EQ: case LT: case LE: case EQK: case EQI: case LTI: case LEI: case GTI: case GEI: case TEST:
    case MMBIN: case MMBINI: case MMBINK: case RETURN: case RETURN0: case RETURN1: case TAILCALL: case TFORPREP: case VARARGPREP:
    case EXTRAARG: return false;
    default: return true;
  }
}

/// The name of the field or global from which the table in a register was read; an empty constant if it wasn't read from one.
static const Constant *fieldOf(const Words *w, const Code *code, uint32_t table) {
  Instruction i = writer(w, code, table);
  return constant(code, i.operation == GETFIELD || i.operation == GETTABUP ? i.c : SIZE_MAX);
}

/// Whether the value that an instruction writes is certainly no function.
static bool isNoFunction(Instruction i) {
  return i.operation == NEWTABLE || (i.operation >= LOADI && i.operation <= LOADNIL) || (i.operation >= ADDI && i.operation <= CONCAT);
}

/// Notes that a value is assigned to a field which may become the handler of an action: a field of `on`, or of any other table if the value
/// may be a function; but not of `can`, `look` and the like. The fields in the braces of `on = { … }` are noted when that is assigned.
static void noteAnswer(Words *w, const Code *code, Instruction i) {
  static const char *const others[] = {"can", "look", "needs", "takes", "confirm", "about", "build", "keys"};
  const Constant *name = constant(code, i.b), *table = fieldOf(w, code, i.a);
  for (size_t n = 0; n < sizeof others / sizeof *others; n++)
    if (isWord(table, others[n])) return;
  if (isWord(table, "on") || (!i.k && !isNoFunction(writer(w, code, i.c)))) note(CLUA_WORD_ANSWER, name);
  if (!isWord(name, "on") || i.k || writer(w, code, i.c).operation != NEWTABLE) return;
  for (size_t pc = w->writers[i.c]; pc < code->count; pc++) {
    Instruction inner = decode(code, pc);
    if (inner.operation == SETFIELD && inner.a == i.c) note(CLUA_WORD_ANSWER, constant(code, inner.b));
    if (inner.operation == SETFIELD && inner.a == i.a && inner.c == i.c) break;
  }
  w->writers[i.c] = 0;  // so that its braces are read only once
}

/// Whether the table that an instruction makes is one of needs, as in `needs.save = { … }` and `needs = { save = { … } }`.
static bool makesNeeds(const Words *w, const Code *code, size_t pc) {
  enum { NEAR = 64 };
  uint32_t table = decode(code, pc).a;
  for (size_t n = pc + 1; n < code->count && n < pc + NEAR; n++) {
    Instruction i = decode(code, n);
    if (i.operation >= TAILCALL && i.operation <= RETURN1) return false;
    if (writes(i) && i.a <= table) return false;
    if (i.operation != SETFIELD || i.k || i.c != table) continue;
    if (isWord(constant(code, i.b), "needs") || isWord(fieldOf(w, code, i.a), "needs")) return true;
    table = i.a;
  }
  return false;
}

/// Whether a field is written in the braces of a table of needs: it names what is read, and assigns nothing.
static bool isNeed(const Words *w, const Code *code, Instruction i) {
  return writer(w, code, i.a).operation == NEWTABLE && w->needs[i.a];
}

static void noteAll(Words *w, const Code *code) {
  memset(w->writers, 0, sizeof w->writers);
  for (size_t pc = 0; pc < code->count; pc++) {
    Instruction i = decode(code, pc);
    switch (i.operation) {
      case LOADK: note(CLUA_WORD_TEXT, constant(code, i.bx)); break;
      case LOADKX:
        if (pc + 1 < code->count) note(CLUA_WORD_TEXT, constant(code, decode(code, pc + 1).ax));
        break;
      case EQK: note(CLUA_WORD_TEXT, constant(code, i.b)); break;
      case GETFIELD: noteField(w, constant(code, i.c)); break;
      case GETTABUP: noteGlobal(w, code, i, pc); break;
      case GETUPVAL: case SETUPVAL:
        if (i.b == w->globals) w->touchesGlobals = true;
        break;
      case SELF: noteMethod(w, code, i, pc); break;
      case NEWTABLE: w->needs[i.a] = makesNeeds(w, code, pc); break;
      case SETFIELD:
        if (!isNeed(w, code, i)) noteAssigned(w, constant(code, i.b));
        noteAnswer(w, code, i);
        break;
      case SETTABUP: noteUpvalue(w, code, i); break;
      case SETTABLE: case SETI:
        if (i.k) note(CLUA_WORD_TEXT, constant(code, i.c));
        if (!w->isChunk && isWord(fieldOf(w, code, i.a), "on")) w->answersComputed = true;
        break;
      default: break;
    }
    if (writes(i)) w->writers[i.a] = (uint32_t)pc + 1;
    // A call overwrites the registers after its first result, or leaves values there that no instruction reads.
    if (i.operation == CALL || i.operation == TFORCALL) memset(w->writers + i.a + 1, 0, (NOWHERE - 1 - i.a) * sizeof *w->writers);
  }
}

/// The upvalue of a function that is the table of globals; `outer` is the upvalue that the function around it has for that.
static uint32_t globalsOf(Upvalues upvalues, uint32_t outer) {
  for (uint32_t n = 0; n < upvalues.count && n < NOWHERE; n++) {
    const uint8_t *description = upvalues.descriptions + n * 3;  // whether it is a register of the outer function, and its index
    if (description[0] == 0 && description[1] == outer) return n;
  }
  return NOWHERE;
}

/// Reads one function and those in it.
///
/// @param outer  the upvalue of the function around it that is the table of globals
static void takeWords(Reader *r, Words *w, int depth, uint32_t outer) {
  Code code = {0};
  size_t length;
  if (depth > MAXIMUM_NESTING) r->failed = true;
  takeString(r, &length);
  takeSize(r);
  takeSize(r);
  take(r, 3);
  code.count = takeCount(r, 4);
  code.instructions = take(r, code.count * 4);
  code.constantCount = takeCount(r, 1);
  code.constants = r->failed ? NULL : calloc(code.constantCount + 1, sizeof(Constant));
  if (code.constants == NULL) r->failed = true;
  for (size_t i = 0; i < code.constantCount && !r->failed; i++) code.constants[i] = takeConstant(r);
  Upvalues upvalues = {0};
  upvalues.count = takeCount(r, 3);
  upvalues.descriptions = take(r, upvalues.count * 3);
  w->isChunk = depth == 0;
  uint32_t globals = NOWHERE;
  if (!r->failed) {
    w->globals = globals = depth == 0 ? 0 : globalsOf(upvalues, outer);
    noteAll(w, &code);
    addRoles(w, &code);
  }
  free(code.constants);
  for (size_t closures = takeCount(r, 1); closures > 0 && !r->failed; closures--) takeWords(r, w, depth + 1, globals);
  skipDebug(r);
}

int32_t clua_words(lua_State *L, int32_t index, int32_t found) {
  Dump code = dump(L, index, true);
  Words words = {.L = L, .found = lua_absindex(L, found)};
  Reader reader = {code.bytes, code.bytes + code.length, false};
  takeStart(&reader);
  takeWords(&reader, &words, 0, NOWHERE);
  bool isRead = !reader.failed && reader.at == reader.end;
  free(code.bytes);
  return (isRead ? CLUA_WORDS_READ : 0) | (words.performsComputed ? CLUA_PERFORMS_COMPUTED : 0) |
         (words.definesComputed ? CLUA_DEFINES_COMPUTED : 0) | (words.focusesLater ? CLUA_FOCUSES_LATER : 0) |
         (words.answersComputed ? CLUA_ANSWERS_COMPUTED : 0) | (words.touchesGlobals ? CLUA_TOUCHES_GLOBALS : 0) |
         (int32_t)(words.roles << CLUA_WORDS_ROLES);
}
