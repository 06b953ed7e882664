#include "CInside.h"

#include "Bytecode.h"
#include "Script.h"

void inside_failAllocation(lua_State *L, uint64_t nth, bool forEver) {
  clua_Host *h = clua_host(L);
  h->failAt = nth;
  h->failed = 0;
  h->failForEver = forEver;
}

void inside_setLimits(lua_State *L, clua_Limits limits) {
  clua_host(L)->limits = limits;
  clua_host(L)->ceiling = limits.memory;
}

void inside_newEnvironment(lua_State *L) { clua_newEnvironment(L); }

void inside_pushCode(lua_State *L, int32_t index) {
  Dump code = dump(L, index, true);
  lua_pushlstring(L, (const char *)code.bytes, code.length);
  free(code.bytes);
}

int32_t inside_fieldUseOfCode(lua_State *L, const void *code, size_t length, int32_t parameter) {
  return clua_fieldUseOfCode(L, code, length, parameter);
}

int inside_walkWithoutLinks(const char *path, int flags) { return clua_walkWithoutLinks(path, flags); }
