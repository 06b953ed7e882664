// Finds what a function may return by reading its code. No script code runs.

#include "Bytecode.h"

#include <string.h>

/// Whether an instruction returns exactly one value, the one in the register.
static bool returnsOne(Instruction i, uint32_t from) {
  return (i.operation == RETURN1 || (i.operation == RETURN && i.b == 2)) && i.a == from;
}

static bool returnsSomething(Instruction i) {
  return i.operation == RETURN1 || i.operation == TAILCALL || (i.operation == RETURN && i.b != 1);
}

/// Whether an instruction reads the global `error`: a function that ends by calling it needn't return anything.
static bool readsError(const Code *code, Instruction i) {
  if (i.operation != GETTABUP || i.c >= code->constantCount) return false;
  const Constant *name = &code->constants[i.c];
  return name->text != NULL && name->length == 5 && memcmp(name->text, "error", 5) == 0;
}

/// The instruction at `pc`, or the target if it is a jump forward: in `a < b or "text"` a jump leads from the text over the instructions
/// that make a boolean of the comparison.
static Instruction next(const Code *code, size_t pc) {
  Instruction i = decode(code, pc);
  bool isAhead = i.operation == JMP && i.jump > (int64_t)pc && (size_t)i.jump < code->count;
  return isAhead ? decode(code, (size_t)i.jump) : i;
}

int32_t clua_answers(lua_State *L, int32_t index) {
  Dump made = dump(L, index, true);
  Code code = {0};
  bool isRead = made.length > 0 && readCode(made.bytes, made.length, &code);
  bool returns = false, returnsTable = false, isTable[256] = {false};
  lua_pushnil(L);
  for (size_t pc = 0; isRead && pc < code.count; pc++) {
    Instruction i = decode(&code, pc);
    if (returnsSomething(i) || readsError(&code, i)) returns = true;
    if (i.operation == NEWTABLE) isTable[i.a] = true;
    if (isTable[i.a] && returnsOne(i, i.a)) returnsTable = true;
    if (i.operation != LOADK || i.bx >= code.constantCount || pc + 1 >= code.count) continue;
    const Constant *text = &code.constants[i.bx];
    if (text->text == NULL || !returnsOne(next(&code, pc + 1), i.a)) continue;
    lua_settop(L, -2);
    lua_pushlstring(L, text->text, text->length);
  }
  free(code.constants);
  free(code.closures);
  free(made.bytes);
  return (isRead ? CLUA_ANSWERS_READ : 0) | (isRead && !returns ? CLUA_ANSWERS_NOTHING : 0) | (returnsTable ? CLUA_ANSWERS_TABLE : 0);
}

void clua_pushParameter(lua_State *L, int32_t index, int32_t number) {
  lua_pushvalue(L, index);
  const char *name = lua_getlocal(L, NULL, number);  // of the function on top, which stays there
  lua_settop(L, -2);
  if (name != NULL) lua_pushstring(L, name);
  else lua_pushnil(L);
}
