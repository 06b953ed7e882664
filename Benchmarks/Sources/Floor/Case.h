// What the floors share.

#ifndef FLOOR_CASE_H
#define FLOOR_CASE_H

#include "Floor.h"

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>

enum { FLOOR_QUANTUM = 1000 };

struct floor_Case {
  lua_State *L;
  int64_t account;  // instructions that may still run
  int64_t (*run)(floor_Case *c, int64_t n);

  int function, self, table, value;  // references, as far as the floor has them
  int can, look, on, other, change;
  int *provide;
  int32_t providers, items;
  void *rows, *arena;
  char *scripts[2];
};

/// Opens a case and runs its script, whose one result is left on the stack; NULL when it fails. The script may be NULL.
floor_Case *floor_make(int64_t (*run)(floor_Case *, int64_t), const char *script, bool hook);
/// Takes a field of the table on top as a reference; LUA_REFNIL where it is nil.
int floor_field(lua_State *L, const char *name);
/// Reads self, provide, can, look, on, other and change of the table on top, and takes it.
void floor_readResponder(floor_Case *c);
/// Calls the providers with self and the context at the index; false when one raises.
bool floor_provide(floor_Case *c, int context);
/// Sets the hook that pays from the account kept at the interpreter's extra space.
void floor_setHook(lua_State *L, floor_Case *c);

/// Pushes a referenced function and self and the context at the index.
static inline void floor_pushCall(floor_Case *c, int function, int context) {
  lua_rawgeti(c->L, LUA_REGISTRYINDEX, function);
  lua_rawgeti(c->L, LUA_REGISTRYINDEX, c->self);
  lua_pushvalue(c->L, context);
}

#endif
