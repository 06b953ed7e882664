// The floors: the same work done in C with bare Lua calls, and nothing besides. Each has an interpreter of its own, with the
// whole library and a count hook that pays from an account, because a limit that nothing can swallow needs one.

#ifndef FLOOR_H
#define FLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A floor made ready: an interpreter with its script loaded and its functions kept as references.
typedef struct floor_Case floor_Case;

/// Does the work n times; returns the sum of what it answered, -1 when a call failed.
int64_t floor_run(floor_Case *c, int64_t n);
void floor_close(floor_Case *c);

/// Runs a body once. Callgrind counts while this function is on the stack, and finds it by its name.
int64_t floor_measured(int64_t (*body)(void *context, int64_t n), void *context, int64_t n);

/// Gives interpreters that are opened from now on a sequence of hash seeds that is the same in each run under callgrind.
void floor_fixSeeds(void);

/// Bytes of the heap that are in use.
int64_t floor_heapBytes(void);
/// Bytes of this process that are in memory.
int64_t floor_residentBytes(void);

// MARK: Calls (Calls.c)
// A script returns one function, or what is said here. NULL when it doesn't load.

/// A protected call of the function with one table, which is kept; answers 1 each.
floor_Case *floor_call(const char *script);
/// The function is called without arguments; answers the integer that it returns.
floor_Case *floor_answer(const char *script);
/// An interpreter opened with its library and hook, both scripts run in it, and closed; answers 1 each.
floor_Case *floor_load(const char *first, const char *second);

// MARK: Performs (Perform.c)
// The script returns { self =, provide = { f1, f2, … }, can =, on = }: functions of (self, ctx); can may be nil, provide empty.

/// A fresh presized context, the providers, the argument n = 1, can, on; answers on's integer.
floor_Case *floor_perform(const char *script);
/// Before each perform `change(on, f)` of the script's table stores a handler as `on.act` does, and the reference is renewed;
/// `f` is on and other in turns.
floor_Case *floor_churn(const char *script);

// MARK: Passes (Pass.c)
// The script returns { self =, provide = {…}, can =, look = }.

/// Providers once, then for each item its argument n = 1, 2, …, can, look, and a row of plain data with its text in an arena.
/// Answers, for each pass, the sum of enabled + 2 × on + bytes of text over the items.
floor_Case *floor_pass(const char *script, int32_t items);

// MARK: Sockets (Echo.c)

/// Sockets in pairs, as many as there are clients, for requests and answers of so many bytes. It aborts where the system has none left.
typedef struct floor_Echo floor_Echo;
floor_Echo *floor_echo(int32_t clients, size_t asked, size_t answered);
/// The first client writes a request; it is polled for and read, an answer is written, and read.
void floor_ask(floor_Echo *e);
/// What is told is written to everybody, and read by everybody.
void floor_tell(floor_Echo *e);
void floor_closeEcho(floor_Echo *e);

#endif
