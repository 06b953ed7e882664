// Whether what a call gives is dropped by who calls: a statement that is a call, as `app:perform("save")`.

#include "Bytecode.h"

/// The line of the next instruction, where that of the one before is known.
static int nextLine(Lines *lines, size_t pc, int line) {
  enum { WHOLE = 0x80 };
  if (pc >= lines->count) return line;
  uint8_t step = lines->steps[pc];
  if (step != WHOLE) return line + (int8_t)step;
  takeSize(&lines->whole);
  return (int)takeSize(&lines->whole);
}

/// Whether a method of the name is what a call at the instruction calls.
static bool callsMethod(const Code *code, size_t call, const char *name) {
  uint32_t called = decode(code, call).a;
  for (size_t pc = call; pc-- > 0;) {
    Instruction i = decode(code, pc);
    if (i.operation != SELF || i.a != called) continue;
    const Constant *key = i.k && i.c < code->constantCount ? &code->constants[i.c] : NULL;
    return key != NULL && key->text != NULL && key->length == strlen(name) && memcmp(key->text, name, key->length) == 0;
  }
  return false;
}

/// Whether a line calls the method, and drops what it gives each time.
static bool isDropped(Code *code, int wanted, const char *name) {
  bool isDropped = false;
  int line = code->lines.first;
  for (size_t pc = 0; pc < code->count; pc++) {
    line = nextLine(&code->lines, pc, line);
    Instruction i = decode(code, pc);
    if (line != wanted || (i.operation != CALL && i.operation != TAILCALL) || !callsMethod(code, pc, name)) continue;
    if (i.operation == TAILCALL || i.c != 1) return false;
    isDropped = true;
  }
  return isDropped;
}

bool clua_isDropped(lua_State *L) {
  lua_Debug called, caller;
  if (lua_getstack(L, 0, &called) == 0 || lua_getinfo(L, "n", &called) == 0 || called.name == NULL) return false;
  if (lua_getstack(L, 1, &caller) == 0 || !lua_checkstack(L, 4) || lua_getinfo(L, "Slf", &caller) == 0) return false;
  Dump bytes = dump(L, -1, false);
  lua_settop(L, -2);
  Code code = {0};
  bool answer = readCode(bytes.bytes, bytes.length, &code) && isDropped(&code, caller.currentline, called.name);
  free(code.constants);
  free(code.closures);
  free(bytes.bytes);
  return answer;
}
