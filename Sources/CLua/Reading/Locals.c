// Finds the local variables in the code of a chunk and of all functions in it, with the lines in which they can be used. No script code runs.

#include "Bytecode.h"

/// The lines of a function's instructions, and how many there are. The caller frees them.
static int *linesOf(Lines lines, size_t *count) {
  int *found = calloc(lines.count + 1, sizeof *found);
  *count = found != NULL ? lines.count : 0;
  int line = lines.first;
  for (size_t pc = 0; pc < *count; pc++) found[pc] = line = nextLine(&lines, pc, line);
  return found;
}

/// The first line in which a variable can be used that the instruction before `from` initializes.
static int lineBehind(const int *lines, size_t from, size_t count) {
  int before = lines[from - 1];
  return from < count && lines[from] == before ? before : before + 1;
}

/// Adds a value from the top of the stack to the list below it.
static void append(lua_State *L) { lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1); }

/// Takes the variables of a function, and adds each to the list on top.
static void takeVariables(Reader *r, lua_State *L, Lines lines, int end) {
  size_t count, length;
  int *line = linesOf(lines, &count);
  for (size_t n = takeCount(r, 3); n > 0 && !r->failed; n--) {
    const char *name = takeString(r, &length);
    size_t from = takeSize(r), to = takeSize(r);
    // Lua's own variables in loops have a bracket before their names.
    if (r->failed || name == NULL || length == 0 || name[0] == '(' || from >= to || to > count) continue;
    // A parameter begins at 0.
    int first = from == 0 ? lines.first : lineBehind(line, from, count), last = to == count ? end : line[to - 1];
    if (first > last) continue;
    lua_pushlstring(L, name, length);
    append(L);
    lua_pushinteger(L, first);
    append(L);
    lua_pushinteger(L, last);
    append(L);
  }
  free(line);
}

/// Takes one function and those in it.
static void takeLocals(Reader *r, lua_State *L, int depth) {
  size_t length;
  if (depth > MAXIMUM_NESTING) r->failed = true;
  takeString(r, &length);
  int first = (int)takeSize(r), last = (int)takeSize(r);
  take(r, 3);
  take(r, takeCount(r, 4) * 4);
  for (size_t n = takeCount(r, 1); n > 0 && !r->failed; n--) takeConstant(r);
  take(r, takeCount(r, 3) * 3);
  for (size_t n = takeCount(r, 1); n > 0 && !r->failed; n--) takeLocals(r, L, depth + 1);
  Lines lines = takeLines(r);
  lines.first = first;
  if (!r->failed) takeVariables(r, L, lines, depth == 0 ? INT32_MAX : last);
  for (size_t n = takeCount(r, 1); n > 0 && !r->failed; n--) takeString(r, &length);  // the names of upvalues
}

void clua_locals(lua_State *L, int32_t index) {
  Dump code = dump(L, index, false);
  Reader reader = {code.bytes, code.bytes + code.length, false};
  lua_createtable(L, 0, 0);
  takeStart(&reader);
  takeLocals(&reader, L, 0);
  free(code.bytes);
}
