// Whether a caller drops a call's result, in a statement like `app:perform("save")`, or returns it, as in `return fs.write(path, text)`.

#include "Bytecode.h"

/// The name of the global, field or method that the call at the instruction calls; NULL if it calls anything else.
static const Constant *calledName(const Code *code, size_t call) {
  uint32_t called = decode(code, call).a;
  for (size_t pc = call; pc-- > 0;) {
    Instruction i = decode(code, pc);
    if (i.operation == JMP || i.operation == EXTRAARG || i.a != called) continue;  // these two have no register there
    bool isNamed = i.operation == GETTABUP || i.operation == GETFIELD || (i.operation == SELF && i.k);
    return isNamed && i.c < code->constantCount ? &code->constants[i.c] : NULL;
  }
  return NULL;
}

/// Whether the call at the instruction calls a global, field or method of that name.
static bool calls(const Code *code, size_t call, const char *name) {
  const Constant *key = calledName(code, call);
  return key != NULL && key->text != NULL && key->length == strlen(name) && memcmp(key->text, name, key->length) == 0;
}

/// Whether a line has calls of that name, and drops the results of all of them.
static bool isDropped(Code *code, int wanted, const char *name) {
  bool isDropped = false;
  int line = code->lines.first;
  for (size_t pc = 0; pc < code->count; pc++) {
    line = nextLine(&code->lines, pc, line);
    Instruction i = decode(code, pc);
    if (line != wanted || (i.operation != CALL && i.operation != TAILCALL) || !calls(code, pc, name)) continue;
    if (i.operation == TAILCALL || i.c != 1) return false;
    isDropped = true;
  }
  return isDropped;
}

/// Whether a line returns the result of a call of that name, by a tail call. A tail call without a name counts only if the line has no other
/// call.
static bool isReturned(Code *code, int wanted, const char *name) {
  bool isReturned = false, callsOther = false;
  int line = code->lines.first;
  for (size_t pc = 0; pc < code->count; pc++) {
    line = nextLine(&code->lines, pc, line);
    Operation operation = decode(code, pc).operation;
    if (line != wanted || (operation != CALL && operation != TAILCALL)) continue;
    if (operation == TAILCALL && calls(code, pc, name)) return true;
    if (operation == TAILCALL && calledName(code, pc) == NULL) isReturned = true;
    else callsOther = true;
  }
  return isReturned && !callsOther;
}

/// Asks one of these questions about a line in the code of the function on top, which it pops.
static bool ask(lua_State *L, bool (*question)(Code *, int, const char *), int line, const char *name) {
  Dump bytes = dump(L, -1, false);
  lua_settop(L, -2);
  Code code = {0};
  bool answer = readCode(bytes.bytes, bytes.length, &code) && question(&code, line, name);
  free(code.constants);
  free(code.closures);
  free(bytes.bytes);
  return answer;
}

bool clua_isDropped(lua_State *L) {
  lua_Debug called, caller;
  if (lua_getstack(L, 0, &called) == 0 || lua_getinfo(L, "n", &called) == 0 || called.name == NULL) return false;
  if (lua_getstack(L, 1, &caller) == 0 || !lua_checkstack(L, 4) || lua_getinfo(L, "Slf", &caller) == 0) return false;
  return ask(L, isDropped, caller.currentline, called.name);
}

bool clua_isReturned(lua_State *L, int32_t level) {
  clua_Host *h = clua_host(L);
  lua_Debug called, caller, below;
  if (h->phase != CLUA_DOING || h->runsAction == NULL || !h->runsAction(L)) return false;
  if (lua_getstack(L, level + 1, &below) == 0 || lua_getstack(L, level + 2, &below) != 0) return false;
  if (lua_getstack(L, level - 1, &called) == 0 || lua_getinfo(L, "n", &called) == 0) return false;
  if (lua_getstack(L, level, &caller) == 0 || !lua_checkstack(L, 4) || lua_getinfo(L, "Slf", &caller) == 0) return false;
  return ask(L, isReturned, caller.currentline, called.name != NULL ? called.name : "");
}
