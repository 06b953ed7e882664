// What runs now: its phase, its context and its responder.

#include "Script.h"

int32_t clua_phase(lua_State *L) { return clua_host(L)->phase; }

const int32_t *clua_phasePointer(lua_State *L) { return &clua_host(L)->phase; }

int32_t clua_setPhase(lua_State *L, int32_t phase) {
  clua_Host *h = clua_host(L);
  int32_t before = h->phase;
  h->phase = phase;
  return before;
}

bool clua_isRunning(clua_Host *h, lua_State *L, int index) {
  return h->phase == CLUA_DOING && clua_script(h)->run != NULL && lua_topointer(L, index) == clua_script(h)->run->context;
}

int64_t clua_runningNumber(clua_Host *h) { return clua_script(h)->run->plan != NULL ? clua_script(h)->run->plan->on.number : clua_script(h)->run->number; }
