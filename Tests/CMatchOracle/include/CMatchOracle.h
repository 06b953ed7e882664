// Compares the project's pattern functions with those of the Lua library on this machine.
#ifndef CMATCHORACLE_H
#define CMATCHORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a generated case is made of.
typedef enum {
  ORACLE_LITERAL, ORACLE_ESCAPED, ORACLE_DOT, ORACLE_CLASS, ORACLE_OPPOSITE, ORACLE_ZERO,
  ORACLE_SET, ORACLE_NEGATED_SET, ORACLE_RANGE, ORACLE_CLASS_IN_SET, ORACLE_ODD_SET,
  ORACLE_STAR, ORACLE_PLUS, ORACLE_LAZY, ORACLE_OPTIONAL,
  ORACLE_CAPTURE, ORACLE_POSITION, ORACLE_BALANCE, ORACLE_FRONTIER, ORACLE_BACK,
  ORACLE_HEAD, ORACLE_STOP, ORACLE_NUL, ORACLE_LONG, ORACLE_DEEP, ORACLE_DAMAGED,
  ORACLE_FIND, ORACLE_FIND_PLAIN, ORACLE_MATCH, ORACLE_GMATCH,
  ORACLE_GSUB_STRING, ORACLE_GSUB_TABLE, ORACLE_GSUB_FUNCTION, ORACLE_INIT, ORACLE_LIMIT,
  ORACLE_KINDS
} oracle_Kind;

/// What a comparison found.
typedef struct {
  uint64_t cases, matched, raised, differences;
  uint64_t kinds[ORACLE_KINDS];
  char first[4096]; ///< the first difference as text, empty if there is none
} oracle_Report;

/// Runs `cases` random cases in both; the same seed gives the same cases.
void oracle_compare(uint64_t seed, uint64_t cases, oracle_Report *report);

/// Gives the name of a kind, for the text of a failing test.
const char *oracle_kindName(int kind);

/// Runs a chunk, with the project's functions in `string` or with the library's own, and writes what it returned or
/// raised to `text`, values separated by spaces. Gives false if it raised.
bool oracle_run(const char *chunk, bool ours, char *text, size_t size);

/// What a chunk was billed.
typedef struct {
  uint64_t payments, steps;
  uint64_t longestSilence; ///< nanoseconds of the thread's time between two payments, at most
  bool raised;
} oracle_Bill;

/// Runs a chunk with the project's functions; from the moment when it was billed more than `allowance` steps, every
/// payment raises an error.
oracle_Bill oracle_bill(const char *chunk, uint64_t allowance);

/// Times a chunk in the library's functions and in the project's: the quickest of some runs, in nanoseconds.
void oracle_time(const char *chunk, uint64_t *stock, uint64_t *ours);

#endif
