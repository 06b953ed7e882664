#include "CInside.h"

#include "Internal.h"
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
