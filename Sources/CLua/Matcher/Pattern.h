// The pattern engine: Lua 5.4's patterns as in the manual, matched in bounded memory and counted steps.
//
// A *pattern* is text; an *item* is one part of it: a run of bytes, a class with its repetition, the edge of a capture.
// The matcher decodes items when it first reaches them, because Lua reports no error in an unreached part of a pattern.
// The first `CLUA_ITEMS` stay decoded; later items are decoded at every visit. So a search needs no memory but its own
// frame, for patterns of any length. An error that leaves it through a long jump has no memory to free.
#ifndef CLUA_PATTERN_H
#define CLUA_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lua_State;

enum {
  CLUA_CAPTURES = 32,  ///< captures of a pattern, as in stock Lua
  CLUA_DEPTH = 200,    ///< levels of nested choices, where stock Lua says "pattern too complex"
  CLUA_PAYMENT = 1000, ///< steps between two payments
  CLUA_BULK = 16,      ///< bytes that memchr, memcmp and memcpy pass in one step
  CLUA_PIECE = 16384,  ///< bytes for one call of these: one quantum's worth
  CLUA_ITEMS = 32,     ///< items that stay decoded
  CLUA_SETS = 8,       ///< bracket sets that stay decoded
};

/// The error in a pattern.
typedef enum {
  CLUA_ENDS_WITH_ESCAPE,
  CLUA_SET_UNCLOSED,
  CLUA_BALANCE_UNNAMED,
  CLUA_FRONTIER_UNNAMED,
  CLUA_CAPTURE_UNOPENED,
  CLUA_CAPTURE_UNKNOWN, ///< the only one with a number: the index as written
  CLUA_TOO_MANY_CAPTURES,
  CLUA_TOO_COMPLEX,
} clua_Fault;

/// The *account* of a search: gets its bill and its failure. Both may leave through a long jump.
typedef struct {
  struct lua_State *owner;
  void (*spend)(struct lua_State *owner, size_t steps);
  void (*fail)(struct lua_State *owner, clua_Fault fault, int number) __attribute__((noreturn));
  size_t *unspent; ///< outlives the search, so that a thousand short ones are billed like a long one
} clua_Account;

static inline void clua_bill(const clua_Account *account, size_t steps) {
  size_t due = *account->unspent + steps;
  if (due < CLUA_PAYMENT) {
    *account->unspent = due;
  } else {
    *account->unspent = 0;
    account->spend(account->owner, due);
  }
}

/// A set of bytes, one bit each.
typedef struct {
  uint64_t words[4];
} clua_Set;

/// The kind of an item. Those from `CLUA_ONE` to `CLUA_LAZY` repeat a *unit*: one byte of a set.
typedef enum {
  CLUA_END,      ///< the end of the pattern
  CLUA_STOP,     ///< `$` as the last character: the subject must end here
  CLUA_RUN,      ///< exactly these bytes
  CLUA_ONE,      ///< one unit
  CLUA_OPTIONAL, ///< `?`
  CLUA_STAR,     ///< `*`
  CLUA_PLUS,     ///< `+`
  CLUA_LAZY,     ///< `-`
  CLUA_OPEN,     ///< `(`
  CLUA_CLOSE,    ///< `)`
  CLUA_PLACE,    ///< `()`
  CLUA_BALANCE,  ///< `%bxy`
  CLUA_FRONTIER, ///< `%f[set]`
  CLUA_BACK,     ///< `%1`
} clua_Action;

/// The bytes that a unit accepts.
typedef enum { CLUA_ANY, CLUA_BYTE, CLUA_MEMBER } clua_Unit;

typedef struct {
  uint8_t action;  ///< clua_Action
  uint8_t unit;    ///< clua_Unit; of a run or a balance, that of its first byte
  uint8_t byte;    ///< the unit's byte, or the opening one of a balance
  uint8_t closing; ///< the closing byte of a balance
  uint8_t capture; ///< index of the capture to open, close or repeat
  uint8_t length;  ///< of a run
  union {
    const unsigned char *run;
    const clua_Set *set;
  };
} clua_Item;

enum { CLUA_TAIL = UINT16_MAX };

/// A place in the pattern's text, with the captures before it.
typedef struct {
  size_t text;
  uint32_t open; ///< captures not closed yet, one bit each
  uint8_t captures;
} clua_Place;

/// The next item: its index among the kept items, or CLUA_TAIL and its place.
typedef struct {
  clua_Place place;
  uint16_t index;
} clua_Cursor;

/// A capture's bytes; `end` is NULL for a position.
typedef struct {
  const unsigned char *start, *end;
} clua_Capture;

/// A pattern, its subject, and the result of the last success.
typedef struct {
  clua_Account account;
  const unsigned char *pattern, *patternEnd;
  const unsigned char *subject, *subjectEnd;

  const unsigned char *from, *to; ///< the last match; `to` is NULL before the first match
  uint32_t open;                  ///< captures that the pattern never closes
  uint8_t captures;               ///< captures of the last match

  uint8_t known; ///< items decoded
  uint8_t sets;  ///< sets in use
  clua_Place frontier;   ///< behind the last kept item
  clua_Place spareStart; ///< before the last decoded item that was not kept
  clua_Capture capture[CLUA_CAPTURES];
  clua_Item items[CLUA_ITEMS], spare;
  clua_Set set[CLUA_SETS], spareSet;
} clua_Matcher;

/// Prepares `m` for a subject; both texts must outlive it. The caller removes a leading `^`.
static inline void clua_prepare(
  clua_Matcher *m, clua_Account account, const char *subject, size_t subjectLength, const char *pattern,
  size_t patternLength
) {
  m->account = account;
  m->pattern = (const unsigned char *)pattern;
  m->patternEnd = m->pattern + patternLength;
  m->subject = (const unsigned char *)subject;
  m->subjectEnd = m->subject + subjectLength;
  m->from = m->to = NULL;
  m->open = 0;
  m->captures = m->known = m->sets = 0;
  m->frontier = (clua_Place){.text = 0};
}

/// Finds the first match that starts at `from` or, unless `anchored`, after it. Skips a match that ends like the last
/// match: so Lua's loops get past an empty match.
bool clua_seek(clua_Matcher *matcher, const unsigned char *from, bool anchored);

/// Returns the next item behind the kept items, and moves the cursor behind it.
clua_Item *clua_decode(clua_Matcher *matcher, clua_Cursor *at);

/// Returns true if two texts of one length are equal.
bool clua_same(const clua_Account *account, const unsigned char *one, const unsigned char *other, size_t length);

/// Finds `needle` as plain text; NULL if it is missing.
const unsigned char *clua_findPlain(
  const clua_Account *account, const unsigned char *text, size_t length, const unsigned char *needle,
  size_t needleLength);

/// Returns true if a pattern is plain text, by the list of stock `string.find`.
bool clua_isPlain(const clua_Account *account, const unsigned char *pattern, size_t length);

#endif
