// Lua as it comes, to compare the sandbox with.

#ifndef CSTOCKORACLE_H
#define CSTOCKORACLE_H

#include <stddef.h>

/// Runs a chunk in a fresh interpreter with all of Lua's libraries, gives it one string, and returns its first result as text.
/// The caller frees it. An error of the chunk itself is returned as its message; NULL if there is no memory.
char *stock_run(const char *chunk, const char *argument);

#endif
