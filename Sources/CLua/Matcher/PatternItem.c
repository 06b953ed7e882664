// From pattern text to items.
#include "Pattern.h"

/// The bits of a range of bytes within one 64-byte row of the table.
#define SPAN(low, high) ((~UINT64_C(0) >> (63 - ((high) - (low)))) << ((low) & 63))
/// A class and its opposite. As in the C locale, no byte above 127 is in a class.
#define CLASS(first, second) \
  { {{(first), (second), 0, 0}}, {{~(first), ~(second), ~UINT64_C(0), ~UINT64_C(0)}} }

#define DIGIT SPAN('0', '9')
#define UPPER SPAN('A', 'Z')
#define LOWER SPAN('a', 'z')
static const clua_Set alpha[2] = CLASS(UINT64_C(0), UPPER | LOWER);
static const clua_Set control[2] = CLASS(SPAN(0, 31), SPAN(127, 127));
static const clua_Set digit[2] = CLASS(DIGIT, UINT64_C(0));
static const clua_Set graphic[2] = CLASS(SPAN('!', '?'), SPAN('@', '~'));
static const clua_Set lower[2] = CLASS(UINT64_C(0), LOWER);
static const clua_Set punctuation[2] =
  CLASS(SPAN('!', '/') | SPAN(':', '?'), SPAN('@', '@') | SPAN('[', '`') | SPAN('{', '~'));
static const clua_Set space[2] = CLASS(SPAN('\t', '\r') | SPAN(' ', ' '), UINT64_C(0));
static const clua_Set upper[2] = CLASS(UINT64_C(0), UPPER);
static const clua_Set alphanumeric[2] = CLASS(DIGIT, UPPER | LOWER);
static const clua_Set hexadecimal[2] = CLASS(DIGIT, SPAN('A', 'F') | SPAN('a', 'f'));
static const clua_Set zero[2] = CLASS(SPAN(0, 0), UINT64_C(0));

/// Returns the class of `%letter`, or NULL if it is just this letter.
static const clua_Set *classNamed(unsigned char letter) {
  bool opposite = letter >= 'A' && letter <= 'Z';
  switch (opposite ? letter + ('a' - 'A') : letter) {
    case 'a': return &alpha[opposite];
    case 'c': return &control[opposite];
    case 'd': return &digit[opposite];
    case 'g': return &graphic[opposite];
    case 'l': return &lower[opposite];
    case 'p': return &punctuation[opposite];
    case 's': return &space[opposite];
    case 'u': return &upper[opposite];
    case 'w': return &alphanumeric[opposite];
    case 'x': return &hexadecimal[opposite];
    case 'z': return &zero[opposite];
    default: return NULL;
  }
}

static void add(clua_Set *set, unsigned char byte) {
  set->words[byte >> 6] |= UINT64_C(1) << (byte & 63);
}

/// Finds the bracket that closes a set; `p` is behind the opening bracket and its `^`. The first character never closes
/// a set, and neither does a character behind a `%`.
static const unsigned char *setClose(const clua_Matcher *m, const unsigned char *p) {
  const unsigned char *end = m->patternEnd;
  for (;;) {
    if (p == end) m->account.fail(m->account.owner, CLUA_SET_UNCLOSED, 0);
    clua_bill(&m->account, 1);
    if (*p++ == '%' && p < end) p++;
    if (p < end && *p == ']') return p;
  }
}

/// Fills `set` from the text between `p` and `close`. A `%` at the end of a range has already protected its neighbour
/// from closing the set. So an escape here may use the closing bracket as its letter, as in stock.
static void fillSet(const clua_Matcher *m, clua_Set *set, const unsigned char *p, const unsigned char *close) {
  for (; p < close; p++) {
    clua_bill(&m->account, 1);
    if (*p == '%') {
      const clua_Set *class = classNamed(*++p);
      if (class == NULL) add(set, *p);
      else for (int i = 0; i < 4; i++) set->words[i] |= class->words[i];
    } else if (p[1] == '-' && p + 2 < close) {
      for (unsigned byte = p[0]; byte <= p[2]; byte++) add(set, (unsigned char)byte);
      p += 2;
    } else {
      add(set, *p);
    }
  }
}

/// Reads `[set]` at `p` into `room`, and returns the place behind it.
static const unsigned char *readSet(const clua_Matcher *m, const unsigned char *p, clua_Set *room) {
  bool opposite = ++p < m->patternEnd && *p == '^';
  if (opposite) p++;
  const unsigned char *close = setClose(m, p);
  *room = (clua_Set){{0}};
  fillSet(m, room, p, close);
  for (int i = 0; opposite && i < 4; i++) room->words[i] = ~room->words[i];
  return close + 1;
}

static bool isRepetition(unsigned char byte) {
  return byte == '*' || byte == '+' || byte == '?' || byte == '-';
}

/// Returns true if the byte at `p` matches itself, exactly once.
static bool isPlainOnce(const clua_Matcher *m, const unsigned char *p) {
  bool last = p + 1 == m->patternEnd;
  switch (*p) {
    case '(': case ')': case '%': case '.': case '[': return false;
    case '$': return !last && !isRepetition(p[1]);
    default: return last || !isRepetition(p[1]);
  }
}

/// Reads one unit with its repetition, or a run of plain bytes; returns the place behind it.
static const unsigned char *readUnit(
  const clua_Matcher *m, const unsigned char *p, clua_Item *item, clua_Set *room
) {
  const unsigned char *end = m->patternEnd;
  item->unit = CLUA_BYTE;
  item->byte = *p;
  if (*p == '[') {
    item->unit = CLUA_MEMBER;
    item->set = room;
    p = readSet(m, p, room);
  } else if (*p == '.') {
    item->unit = CLUA_ANY;
    p++;
  } else if (*p == '%') {
    if (++p == end) m->account.fail(m->account.owner, CLUA_ENDS_WITH_ESCAPE, 0);
    item->byte = *p;
    const clua_Set *class = classNamed(*p++);
    if (class != NULL) {
      item->unit = CLUA_MEMBER;
      item->set = class;
    }
  } else {
    p++;
  }
  switch (p < end ? *p : 0) {
    case '?': item->action = CLUA_OPTIONAL; return p + 1;
    case '*': item->action = CLUA_STAR; return p + 1;
    case '+': item->action = CLUA_PLUS; return p + 1;
    case '-': item->action = CLUA_LAZY; return p + 1;
    default: break;
  }
  item->action = CLUA_ONE;
  if (item->unit == CLUA_BYTE) {
    item->action = CLUA_RUN;
    item->run = p - 1;
    // Runs are short, because a run in the tail is measured at every visit.
    while (p < end && p - item->run < 64 && isPlainOnce(m, p)) p++;
    item->length = (uint8_t)(p - item->run);
  }
  return p;
}

/// Reads an item that begins with a `%` at `p`, before the character `next`; returns the place behind it.
static const unsigned char *readEscape(
  const clua_Matcher *m, const clua_Place *at, const unsigned char *p, unsigned char next, clua_Item *item,
  clua_Set *room
) {
  const clua_Account *account = &m->account;
  if (next == 'b') {
    if (m->patternEnd - p < 4) account->fail(account->owner, CLUA_BALANCE_UNNAMED, 0);
    item->action = CLUA_BALANCE;
    item->unit = CLUA_BYTE;
    item->byte = p[2];
    item->closing = p[3];
    return p + 4;
  }
  if (next == 'f') {
    p += 2;
    if (p == m->patternEnd || *p != '[') account->fail(account->owner, CLUA_FRONTIER_UNNAMED, 0);
    item->action = CLUA_FRONTIER;
    item->set = room;
    return readSet(m, p, room);
  }
  if (next >= '0' && next <= '9') {
    int index = next - '1';
    if (index < 0 || index >= at->captures || (at->open >> index & 1))
      account->fail(account->owner, CLUA_CAPTURE_UNKNOWN, index + 1);
    item->action = CLUA_BACK;
    item->capture = (uint8_t)index;
    return p + 2;
  }
  return readUnit(m, p, item, room);
}

/// Reads the item at `at` and moves `at` behind it; uses `room` for a set. After a failure `at` has not moved: a script
/// may try again.
static void readItem(const clua_Matcher *m, clua_Place *at, clua_Item *item, clua_Set *room) {
  const clua_Account *account = &m->account;
  const unsigned char *p = m->pattern + at->text, *end = m->patternEnd;
  *item = (clua_Item){.action = CLUA_END};
  if (p == end) return;
  unsigned char next = end - p > 1 ? p[1] : 0;
  switch (*p) {
    case '(':
      if (at->captures == CLUA_CAPTURES) account->fail(account->owner, CLUA_TOO_MANY_CAPTURES, 0);
      item->action = next == ')' ? CLUA_PLACE : CLUA_OPEN;
      item->capture = at->captures++;
      if (next != ')') at->open |= UINT32_C(1) << item->capture;
      p += next == ')' ? 2 : 1;
      break;
    case ')':
      if (at->open == 0) account->fail(account->owner, CLUA_CAPTURE_UNOPENED, 0);
      item->action = CLUA_CLOSE;
      item->capture = (uint8_t)(31 - __builtin_clz(at->open));
      at->open &= ~(UINT32_C(1) << item->capture);
      p++;
      break;
    case '%':
      p = readEscape(m, at, p, next, item, room);
      break;
    case '$':
      if (p + 1 == end) {
        item->action = CLUA_STOP;
        p++;
        break;
      }
      p = readUnit(m, p, item, room);
      break;
    default:
      p = readUnit(m, p, item, room);
      break;
  }
  at->text = (size_t)(p - m->pattern);
}

clua_Item *clua_decode(clua_Matcher *m, clua_Cursor *at) {
  if (at->index != CLUA_TAIL) {
    if (m->known < CLUA_ITEMS && m->sets < CLUA_SETS) {
      clua_Item *item = &m->items[m->known];
      clua_Set *room = &m->set[m->sets];
      readItem(m, &m->frontier, item, room);
      if ((item->unit == CLUA_MEMBER || item->action == CLUA_FRONTIER) && item->set == room) m->sets++;
      m->known++;
      at->index++;
      return item;
    }
    *at = (clua_Cursor){m->frontier, CLUA_TAIL};
  }
  clua_bill(&m->account, 1);
  m->spareStart = at->place;
  readItem(m, &at->place, &m->spare, &m->spareSet);
  return &m->spare;
}
