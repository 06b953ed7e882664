// Code: functions compiled in this process, for its other interpreters. Bytecode from elsewhere could break Lua, so none from a script is ever
// loaded: code is made here, and only clua_loadCode reads it.

#include "Dump.h"

clua_Code *clua_code(lua_State *L, int32_t index, size_t text) {
  Dump made = dump(L, index);
  clua_Code *code = made.length > 0 ? malloc(sizeof *code) : NULL;
  if (code == NULL) {
    free(made.bytes);
    return NULL;
  }
  *code = (clua_Code){(const char *)made.bytes, made.length, text};
  return code;
}

void clua_freeCode(clua_Code *code) {
  free((void *)code->bytes);
  free(code);
}
