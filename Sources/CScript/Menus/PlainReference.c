// Recognizes references that are certainly correct: ASCII, without escapes, nesting, or numbers that may not fit. For any other text the
// host's parser says whether it is a reference, and where its mistake is.

#include "Script.h"

#include <string.h>

enum { LONGEST = 128, MOST_ARGUMENTS = 8, MOST_DIGITS = 15 };

typedef struct {
  const char *at, *end;
} Reading;

static inline bool isLetter(unsigned char c) { return (unsigned char)((c | 0x20) - 'a') < 26 || c == '_'; }
static inline bool isDigit(unsigned char c) { return (unsigned char)(c - '0') < 10; }
static inline bool continuesName(unsigned char c) { return isLetter(c) || isDigit(c) || c == '-'; }

static inline bool take(Reading *r, char wanted) {
  if (r->at == r->end || *r->at != wanted) return false;
  r->at++;
  return true;
}

static inline void skipBlanks(Reading *r) {
  while (r->at < r->end && *r->at == ' ') r->at++;
}

/// Takes names joined by dots.
static bool takeID(Reading *r) {
  do {
    if (r->at == r->end || !isLetter((unsigned char)*r->at)) return false;
    while (r->at < r->end && continuesName((unsigned char)*r->at)) r->at++;
  } while (take(r, '.'));
  return true;
}

static bool takeWord(Reading *r) {
  if (r->at == r->end || !isLetter((unsigned char)*r->at)) return false;
  while (r->at < r->end && continuesName((unsigned char)*r->at)) r->at++;
  return true;
}

/// Takes an integer of so few digits that it fits every type that may hold it.
static bool takeInteger(Reading *r) {
  take(r, '-');
  const char *start = r->at;
  while (r->at < r->end && isDigit((unsigned char)*r->at)) r->at++;
  return r->at > start && r->at - start <= MOST_DIGITS && (*start != '0' || r->at - start == 1);
}

static bool takeString(Reading *r) {
  for (r->at++; r->at < r->end; r->at++) {
    unsigned char c = (unsigned char)*r->at;
    if (c == '"') {
      r->at++;
      return true;
    }
    if (c == '\\' || c < 0x20 || c >= 0x7F) return false;
  }
  return false;
}

static bool takeValue(Reading *r) {
  if (r->at == r->end) return false;
  if (*r->at == '"') return takeString(r);
  return *r->at == '-' || isDigit((unsigned char)*r->at) ? takeInteger(r) : takeWord(r);
}

static bool isFree(clua_Host *h, lua_State *L, const clua_Text *keys, int count) {
  const clua_Text *key = &keys[count];
  for (int i = 0; i < count; i++)
    if (keys[i].count == key->count && memcmp(keys[i].bytes, key->bytes, key->count) == 0) return false;
  lua_pushlstring(L, key->bytes, key->count);
  bool isHosts = clua_isHostName(h, L, -1);
  lua_settop(L, -2);
  return !isHosts;
}

static bool takeArguments(clua_Host *h, lua_State *L, Reading *r) {
  clua_Text keys[MOST_ARGUMENTS];
  skipBlanks(r);
  if (take(r, ')')) return true;
  for (int count = 0; count < MOST_ARGUMENTS; count++) {
    skipBlanks(r);
    keys[count].bytes = r->at;
    if (!takeWord(r)) return false;
    keys[count].count = (size_t)(r->at - keys[count].bytes);
    if (!isFree(h, L, keys, count)) return false;
    skipBlanks(r);
    if (!take(r, ':')) return false;
    skipBlanks(r);
    if (!takeValue(r)) return false;
    skipBlanks(r);
    if (take(r, ')')) return true;
    if (!take(r, ',')) return false;
  }
  return false;
}

bool clua_isPlainReference(clua_Host *h, lua_State *L, const char *text, size_t count) {
  Reading r = {text, text + count};
  if (count > LONGEST || !takeID(&r)) return false;
  if (r.at == r.end) return true;
  return take(&r, '(') && takeArguments(h, L, &r) && r.at == r.end;
}
