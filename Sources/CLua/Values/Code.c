// Code is what was compiled in this process, for other interpreters of it. Bytecode from elsewhere could break Lua, so that of a script is
// never loaded: this is made here and read by clua_loadCode alone.

#include "Bytecode.h"

clua_Code *clua_code(lua_State *L, int32_t index, size_t text) {
  Dump made = dump(L, index, false);
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
