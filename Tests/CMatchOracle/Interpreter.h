// An interpreter for the oracle.
#ifndef INTERPRETER_H
#define INTERPRETER_H

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
#include <stdbool.h>
#include <stdint.h>

/// What a call gave, as text.
typedef struct {
  char bytes[1 << 16];
  size_t length;
} Output;

/// Opens a state with Lua's libraries, or with the project's four functions in place of the library's. The four are
/// globals too, as are `replacements` and `replace`.
lua_State *oracle_open(bool ours);

/// Appends the values from `first` to the top.
void oracle_write(lua_State *L, Output *out, int first);

/// What the project's functions have been billed on this thread.
typedef struct {
  uint64_t payments, steps, allowance;
  uint64_t last, longestSilence; ///< time of the last payment, and the longest time between two
  bool open;                     ///< otherwise payments are taken and not counted
} Till;
extern _Thread_local Till oracle_till;

/// Nanoseconds of this thread's time.
uint64_t oracle_clock(void);

#endif
