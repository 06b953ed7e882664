// Searching and comparing without a pattern, in pieces small enough to be billed between them.
#define _GNU_SOURCE
#include "Pattern.h"
#include <string.h>

enum {
  LONGEST_WHOLE = 256, ///< needles up to this length are left to memmem, which is close to linear for them
  PATIENCE = 16,       ///< first bytes that lead nowhere before a piece is left to memmem
};

bool clua_same(const clua_Account *account, const unsigned char *one, const unsigned char *other, size_t length) {
  for (; length > CLUA_PIECE; length -= CLUA_PIECE, one += CLUA_PIECE, other += CLUA_PIECE) {
    clua_bill(account, CLUA_PIECE / CLUA_BULK);
    if (memcmp(one, other, CLUA_PIECE) != 0) return false;
  }
  clua_bill(account, length / CLUA_BULK + 1);
  return memcmp(one, other, length) == 0;
}

/// Finds a needle of at most LONGEST_WHOLE bytes in a text of at most CLUA_PIECE. memchr is the quicker start where the
/// first byte is rare, and needs no preparation. The bill is for the bytes that were looked at.
static const unsigned char *findInPiece(
  const clua_Account *account, const unsigned char *text, size_t length, const unsigned char *needle,
  size_t needleLength
) {
  const unsigned char *stop = text + (length - needleLength) + 1, *at = text, *found = NULL;
  size_t tries = 0;
  for (; found == NULL && at < stop && tries < PATIENCE; tries++) {
    const unsigned char *first = memchr(at, *needle, (size_t)(stop - at));
    if (first != NULL && memcmp(first, needle, needleLength) == 0) found = first;
    at = first == NULL ? stop : first + 1;
  }
  clua_bill(account, (size_t)(at - text) / CLUA_BULK + tries);
  if (found != NULL || at == stop) return found;
  found = memmem(at, (size_t)(stop - at) + needleLength - 1, needle, needleLength);
  // Near misses cost memmem some nanoseconds a byte.
  clua_bill(account, (size_t)((found == NULL ? stop : found) - at));
  return found;
}

/// Finds a needle of at most LONGEST_WHOLE bytes.
static const unsigned char *findShort(
  const clua_Account *account, const unsigned char *text, size_t length, const unsigned char *needle,
  size_t needleLength
) {
  while (length >= needleLength) {
    size_t piece = length < CLUA_PIECE ? length : CLUA_PIECE;
    const unsigned char *found = findInPiece(account, text, piece, needle, needleLength);
    if (found != NULL || piece == length) return found;
    // A match may begin in this piece and end in the next one.
    size_t passed = piece - (needleLength - 1);
    text += passed;
    length -= passed;
  }
  return NULL;
}

const unsigned char *clua_findPlain(
  const clua_Account *account, const unsigned char *text, size_t length, const unsigned char *needle,
  size_t needleLength
) {
  if (needleLength == 0) return text;
  size_t head = needleLength < LONGEST_WHOLE ? needleLength : LONGEST_WHOLE;
  while (length >= needleLength) {
    const unsigned char *found = findShort(account, text, length - (needleLength - head), needle, head);
    if (found == NULL || clua_same(account, found + head, needle + head, needleLength - head)) return found;
    length -= (size_t)(found + 1 - text);
    text = found + 1;
  }
  return NULL;
}

bool clua_isPlain(const clua_Account *account, const unsigned char *pattern, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (i % CLUA_BULK == 0) clua_bill(account, 1);
    switch (pattern[i]) {
      case '^': case '$': case '*': case '+': case '?': case '.': case '(': case '[': case '%': case '-':
        return false;
      default: break;
    }
  }
  return true;
}
