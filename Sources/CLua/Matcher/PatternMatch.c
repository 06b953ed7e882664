// The matcher: one loop over items, with a stack of the open choices.
//
// Captures need no undoing. A pattern is a straight line, so each path to its end passes every edge of a capture once.
// Its writes come after those of abandoned paths. So the open captures depend only on the place in the pattern, and are
// known when the item is decoded.
#define _GNU_SOURCE
#include "Pattern.h"
#include <string.h>

/// A repetition that can still have fewer bytes, or more.
typedef struct {
  clua_Cursor at;             ///< behind the repetition; for a lazy one, before it
  const unsigned char *here;  ///< the place of the last try
  const unsigned char *floor; ///< the least bytes of a greedy repetition
  uint16_t depth;             ///< level of the rest of the pattern
  uint8_t action;
} Choice;

static inline bool contains(const clua_Set *set, unsigned char byte) {
  return set->words[byte >> 6] >> (byte & 63) & 1;
}

static inline bool accepts(const clua_Item *item, unsigned char byte) {
  switch (item->unit) {
    case CLUA_ANY: return true;
    case CLUA_BYTE: return byte == item->byte;
    default: return contains(item->set, byte);
  }
}

static inline clua_Item *fetch(clua_Matcher *m, clua_Cursor *at) {
  return at->index < m->known ? &m->items[at->index++] : clua_decode(m, at);
}

/// Returns the end of the longest stretch from `s` on that the unit accepts.
static const unsigned char *stretch(clua_Matcher *m, const clua_Item *item, const unsigned char *s) {
  const unsigned char *end = m->subjectEnd;
  if (item->unit == CLUA_ANY) return end;
  while (s < end) {
    const unsigned char *start = s, *stop = end - s > CLUA_PAYMENT ? s + CLUA_PAYMENT : end;
    if (item->unit == CLUA_BYTE) while (s < stop && *s == item->byte) s++;
    else while (s < stop && contains(item->set, *s)) s++;
    clua_bill(&m->account, (size_t)(s - start));
    if (s < stop) return s;
  }
  return s;
}

/// Returns the end of a balanced stretch that opens at `s`, or NULL.
static const unsigned char *balanced(clua_Matcher *m, const clua_Item *item, const unsigned char *s) {
  const unsigned char *end = m->subjectEnd;
  if (s == end || *s != item->byte) return NULL;
  size_t unclosed = 1;
  for (s++; s < end;) {
    const unsigned char *start = s, *stop = end - s > CLUA_PAYMENT ? s + CLUA_PAYMENT : end;
    while (s < stop) {
      unsigned char byte = *s++;
      if (byte == item->closing) {
        if (--unclosed == 0) break;
      } else if (byte == item->byte) {
        unclosed++;
      }
    }
    clua_bill(&m->account, (size_t)(s - start));
    if (unclosed == 0) return s;
  }
  return NULL;
}

/// Returns true if a set begins at `s`; outside the subject there is a zero byte.
static bool isFrontier(const clua_Matcher *m, const clua_Item *item, const unsigned char *s) {
  unsigned char before = s == m->subject ? 0 : s[-1];
  unsigned char after = s == m->subjectEnd ? 0 : *s;
  return !contains(item->set, before) && contains(item->set, after);
}

/// Returns the end of a capture's text, repeated at `s`, or NULL. A position is never repeated.
static const unsigned char *repeated(clua_Matcher *m, const clua_Capture *capture, const unsigned char *s) {
  if (capture->end == NULL) return NULL;
  size_t length = (size_t)(capture->end - capture->start);
  if ((size_t)(m->subjectEnd - s) < length) return NULL;
  return clua_same(&m->account, s, capture->start, length) ? s + length : NULL;
}

static inline bool isRunAt(const clua_Matcher *m, const clua_Item *item, const unsigned char *s) {
  if (m->subjectEnd - s < item->length || *s != item->byte) return false;
  return item->length == 1 || memcmp(s, item->run, item->length) == 0;
}

/// Moves a choice to its next place; false if there is none.
static bool moveOn(clua_Matcher *m, Choice *choice) {
  clua_bill(&m->account, 1);
  if (choice->action == CLUA_STAR) {
    if (choice->here == choice->floor) return false;
    choice->here--;
    return true;
  }
  clua_Cursor at = choice->at;
  if (choice->here == m->subjectEnd || !accepts(fetch(m, &at), *choice->here)) return false;
  choice->here++;
  return true;
}

/// A way through pattern and subject: its place, and its choices.
typedef struct {
  clua_Cursor at;
  const unsigned char *s;
  unsigned depth;
  unsigned steps; ///< not billed yet
  Choice *top;
  Choice choices[CLUA_DEPTH]; ///< every choice is a level, so there are never more
} Path;

static inline void enter(const clua_Matcher *m, Path *path) {
  if (++path->depth > CLUA_DEPTH) m->account.fail(m->account.owner, CLUA_TOO_COMPLEX, 0);
}

/// Goes back to the latest choice with another way; false if there is none.
static bool goBack(clua_Matcher *m, Path *path) {
  clua_bill(&m->account, path->steps);
  path->steps = 0;
  for (; path->top > path->choices; path->top--) {
    Choice *choice = path->top - 1;
    bool optional = choice->action == CLUA_OPTIONAL;
    if (!optional && !moveOn(m, choice)) continue;
    path->at = choice->at;
    path->s = choice->here;
    path->depth = choice->depth;
    if (choice->action == CLUA_LAZY) fetch(m, &path->at);
    if (optional) path->top--;
    return true;
  }
  return false;
}

/// Adds a choice at the path's place.
static inline Choice *choose(Path *path, clua_Action action) {
  Choice *choice = path->top++;
  *choice = (Choice){path->at, path->s, path->s, (uint16_t)path->depth, (uint8_t)action};
  return choice;
}

/// Takes as many bytes as `*` or `+` can, and adds the choice of fewer.
static bool takeMost(clua_Matcher *m, clua_Item *item, Path *path) {
  const unsigned char *longest = stretch(m, item, path->s);
  const unsigned char *floor = item->action == CLUA_PLUS ? path->s + 1 : path->s;
  if (longest == path->s) return item->action == CLUA_STAR;
  enter(m, path);
  path->s = longest;
  if (longest == floor) return true;
  choose(path, CLUA_STAR)->floor = floor;
  return true;
}

/// Takes no byte for a `-`, and adds the choice of more. If no byte fits, it adds no choice and no level, as in stock.
static void takeLeast(clua_Matcher *m, clua_Item *item, Path *path) {
  if (path->s == m->subjectEnd || !accepts(item, *path->s)) return;
  enter(m, path);
  Choice *choice = choose(path, CLUA_LAZY);
  if (path->at.index == CLUA_TAIL) choice->at.place = m->spareStart;
  else choice->at.index--;
}

/// Takes one byte for a `?`, and adds the choice of none, a level further out.
static void takeOne(clua_Matcher *m, const clua_Item *item, Path *path) {
  if (path->s == m->subjectEnd || !accepts(item, *path->s)) return;
  choose(path, CLUA_OPTIONAL);
  enter(m, path);
  path->s++;
}

/// Matches the next item; false if it doesn't match.
static inline bool step(clua_Matcher *m, clua_Item *item, Path *path) {
  const unsigned char *s = path->s;
  switch (item->action) {
    case CLUA_STOP: return s == m->subjectEnd;
    case CLUA_RUN:
      if (!isRunAt(m, item, s)) return false;
      path->s += item->length;
      return true;
    case CLUA_ONE:
      if (s == m->subjectEnd || !accepts(item, *s)) return false;
      path->s++;
      return true;
    case CLUA_OPTIONAL:
      takeOne(m, item, path);
      return true;
    case CLUA_STAR:
    case CLUA_PLUS: return takeMost(m, item, path);
    case CLUA_LAZY:
      takeLeast(m, item, path);
      return true;
    case CLUA_OPEN:
    case CLUA_PLACE:
      enter(m, path);
      m->capture[item->capture] = (clua_Capture){s, NULL};
      return true;
    case CLUA_CLOSE:
      enter(m, path);
      m->capture[item->capture].end = s;
      return true;
    case CLUA_FRONTIER: return isFrontier(m, item, s);
    case CLUA_BALANCE: return (path->s = balanced(m, item, s)) != NULL;
    default: return (path->s = repeated(m, &m->capture[item->capture], s)) != NULL;
  }
}

/// Matches the pattern at `s` and at no other place.
static bool matchAt(clua_Matcher *m, const unsigned char *s) {
  Path path;
  path.at.index = 0;
  path.s = s;
  path.depth = 1;
  path.steps = 0;
  path.top = path.choices;
  for (;;) {
    clua_Item *item = fetch(m, &path.at);
    path.steps++;
    if (item->action == CLUA_END) {
      clua_bill(&m->account, path.steps);
      const clua_Place *last = path.at.index == CLUA_TAIL ? &path.at.place : &m->frontier;
      m->captures = last->captures;
      m->open = last->open;
      m->to = path.s;
      return true;
    }
    if (!step(m, item, &path) && !goBack(m, &path)) return false;
  }
}

bool clua_seek(clua_Matcher *m, const unsigned char *from, bool anchored) {
  const unsigned char *previous = m->to;
  for (const unsigned char *s = from;; s++) {
    if (matchAt(m, s) && m->to != previous) {
      m->from = s;
      return true;
    }
    if (anchored || s == m->subjectEnd) return false;
  }
}

// Searching and comparing without a pattern, in pieces small enough to bill between them.

enum { LONGEST_WHOLE = 256 };  // memmem finds needles up to this length in nearly linear time

bool clua_same(const clua_Account *account, const unsigned char *one, const unsigned char *other, size_t length) {
  for (; length > CLUA_PIECE; length -= CLUA_PIECE, one += CLUA_PIECE, other += CLUA_PIECE) {
    clua_bill(account, CLUA_PIECE / CLUA_BULK);
    if (memcmp(one, other, CLUA_PIECE) != 0) return false;
  }
  clua_bill(account, length / CLUA_BULK + 1);
  return memcmp(one, other, length) == 0;
}

/// Finds a needle of at most LONGEST_WHOLE bytes.
static const unsigned char *findShort(
  const clua_Account *account, const unsigned char *text, size_t length, const unsigned char *needle,
  size_t needleLength
) {
  while (length >= needleLength) {
    size_t piece = length < CLUA_PIECE ? length : CLUA_PIECE;
    const unsigned char *found = memmem(text, piece, needle, needleLength);
    // Near misses cost memmem some nanoseconds for each byte.
    clua_bill(account, found == NULL ? piece : (size_t)(found - text));
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
