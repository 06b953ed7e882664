// A generated case: one call of one of the four functions.
#ifndef CASE_H
#define CASE_H

#include "CMatchOracle.h"

typedef struct {
  uint8_t bytes[2048];
  size_t length;
} Text;

typedef struct {
  oracle_Kind function; ///< from ORACLE_FIND to ORACLE_GSUB_FUNCTION
  Text subject, pattern, replacement;
  bool hasInit, hasLimit;
  int64_t init, limit;
  uint32_t items[ORACLE_KINDS]; ///< how often each kind occurs
} Case;

/// A stream of numbers that looks random.
uint64_t oracle_random(uint64_t *state);

/// Fills in a case.
void oracle_generate(uint64_t *state, Case *out);

#endif
