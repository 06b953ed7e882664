// What tests need of the inside of the safe Lua and of what the host does on it.
#ifndef CINSIDE_H
#define CINSIDE_H

#include "CLua.h"

/// Makes the allocator refuse in script mode: the nth growing allocation from now, with Lua's second attempt at it, or all from then on;
/// 0 stops it.
void inside_failAllocation(lua_State *L, uint64_t nth, bool forEver);

/// Gives the state other limits than it was opened with.
void inside_setLimits(lua_State *L, clua_Limits limits);

/// Pushes a fresh environment: the whole library, frozen, and a load and a _G of its own.
void inside_newEnvironment(lua_State *L);


#endif
