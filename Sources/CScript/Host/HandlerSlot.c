// Handler slots: when a script assigns a new function to a handler it already has, C swaps the function in place; Swift notices the next
// time it reads the handler.

#include "Script.h"

static char slotsKey;

clua_Slot *clua_newSlot(lua_State *L) {
  int table = lua_gettop(L) - 1;
  lua_checkstack(L, 4);
  if (lua_rawgetp(L, table, &slotsKey) == LUA_TNIL) {
    lua_settop(L, -2);
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, table, &slotsKey);
  }
  lua_replace(L, table);
  clua_Slot *slot = lua_newuserdatauv(L, sizeof *slot, 0);
  *slot = (clua_Slot){.function = 0};
  lua_pushvalue(L, -1);
  lua_insert(L, table);
  lua_rawset(L, table + 1);
  lua_settop(L, table);
  return slot;
}

void clua_put(lua_State *L, int32_t reference) { lua_rawseti(L, LUA_REGISTRYINDEX, reference); }

void clua_watchShape(lua_State *L, const intptr_t *shape, const intptr_t *asking) {
  clua_script(clua_host(L))->shape = shape;
  clua_script(clua_host(L))->asking = asking;
}

/// __newindex of a table that stands for an object of the host's: writes a function into its handler's slot; Swift does all else.
static int writeHandler(lua_State *L) {
  clua_Host *h = clua_host(L);
  bool mayBe = h->viewRef == 0 && h->tripped == CLUA_TRIP_NONE && h->phase >= CLUA_IDLE && lua_gettop(L) == 3;
  if (mayBe && lua_isfunction(L, 3) && lua_istable(L, 1)) {
    if (lua_rawgetp(L, 1, &slotsKey) == LUA_TTABLE) {
      lua_pushvalue(L, 2);
      lua_rawget(L, 4);
      clua_Slot *slot = lua_touserdata(L, 5);
      if (slot != NULL && slot->function != 0 && slot->shape == *clua_script(h)->shape && *clua_script(h)->asking == 0) {
        lua_pushvalue(L, 3);
        lua_rawseti(L, LUA_REGISTRYINDEX, slot->function);
        slot->isOther = true;
        return 0;
      }
    }
    lua_settop(L, 3);
  }
  return clua_trampoline(L);
}

void clua_pushHandlerWriter(lua_State *L, void *retained) {
  clua_pushFunctionBox(L, retained);
  lua_pushcclosure(L, writeHandler, 1);
}
