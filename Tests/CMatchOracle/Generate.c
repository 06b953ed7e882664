// Cases by grammar: each item of a pattern also leaves bytes in the subject that it would match, most of the time.
#include "Case.h"
#include <string.h>

uint64_t oracle_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

typedef struct {
  uint64_t *state;
  Case *c;
  int repeats;        ///< repetitions so far: stock takes exponential time in them
  int captures;
  bool open[32];
  size_t starts[32], ends[32]; ///< of captures, in the subject
} Generator;

static unsigned below(Generator *g, unsigned bound) { return (unsigned)(oracle_random(g->state) % bound); }
static bool chance(Generator *g, unsigned percent) { return below(g, 100) < percent; }

static void put(Text *text, uint8_t byte) {
  if (text->length < sizeof text->bytes) text->bytes[text->length++] = byte;
}

static void write(Text *text, const char *string) {
  while (*string != 0) put(text, (uint8_t)*string++);
}

static void count(Generator *g, oracle_Kind kind) { g->c->items[kind]++; }

/// A byte, from an alphabet so small that accidents happen.
static uint8_t anyByte(Generator *g) {
  static const uint8_t alphabet[] = "aaabbbcABz019  .-_%()[]^$*+?\t\n\x7f\x80\xe9\xff\0";
  return alphabet[below(g, sizeof alphabet - 1)];
}

static uint8_t memberOf(Generator *g, char class) {
  const char *members;
  switch (class) {
    case 'a': members = "abcAZ"; break;
    case 'c': members = "\t\n\x01\x7f"; break;
    case 'd': members = "0195"; break;
    case 'g': members = "a0.~!"; break;
    case 'l': members = "abcz"; break;
    case 'p': members = ".-_%()"; break;
    case 's': members = " \t\n\v"; break;
    case 'u': members = "ABZ"; break;
    case 'w': members = "a0bZ"; break;
    case 'x': members = "0aFf9"; break;
    default: return anyByte(g);
  }
  return (uint8_t)members[below(g, (unsigned)strlen(members))];
}

static const char classes[] = "acdglpsuwx";

/// Writes one element of a set, and gives a byte that it holds.
static uint8_t addElement(Generator *g) {
  Text *p = &g->c->pattern;
  unsigned choice = below(g, 100);
  if (choice < 30) {
    uint8_t low = (uint8_t)("a0A!\x80"[below(g, 5)]), high = (uint8_t)(low + below(g, 12));
    count(g, ORACLE_RANGE);
    put(p, low), put(p, '-'), put(p, high);
    return low;
  }
  if (choice < 55) {
    char class = classes[below(g, sizeof classes - 1)];
    bool opposite = chance(g, 25);
    count(g, ORACLE_CLASS_IN_SET);
    put(p, '%'), put(p, (uint8_t)(opposite ? class - 32 : class));
    return opposite ? anyByte(g) : memberOf(g, class);
  }
  uint8_t byte = anyByte(g);
  if (choice < 65) put(p, '%');
  else if (strchr("]%^-[", byte) != NULL && chance(g, 90)) byte = 'b';
  put(p, byte);
  return byte;
}

/// Writes a set, and gives a byte that it probably holds.
static uint8_t addSet(Generator *g) {
  static const char *const odd[] = {
    "[]]", "[^]]", "[a-]", "[-a]", "[^-]", "[%a-z]", "[a-%z]", "[%]]", "[]-a]", "[a-%]]", "[a-%%]", "[^^]", "[z-a]",
    "[%-%%]", "[--a]", "[%z]", "[.]", "[^%s]", "[a^]",
  };
  Text *p = &g->c->pattern;
  if (chance(g, 15)) {
    count(g, ORACLE_ODD_SET);
    write(p, odd[below(g, sizeof odd / sizeof *odd)]);
    return (uint8_t)("]a-z%^"[below(g, 6)]);
  }
  count(g, ORACLE_SET);
  put(p, '[');
  bool negated = chance(g, 30);
  if (negated) {
    count(g, ORACLE_NEGATED_SET);
    put(p, '^');
  }
  uint8_t member = addElement(g);
  for (unsigned more = below(g, 3); more > 0; more--) addElement(g);
  put(p, ']');
  return negated ? anyByte(g) : member;
}

/// Writes a unit, and gives a byte that it probably accepts.
static uint8_t addUnit(Generator *g) {
  Text *p = &g->c->pattern;
  unsigned choice = below(g, 100);
  if (choice < 40) {
    uint8_t byte = (uint8_t)("aabbc01 Ze="[below(g, 11)]);
    if (chance(g, 5)) byte = 0;
    if (byte == 0) count(g, ORACLE_NUL);
    count(g, ORACLE_LITERAL);
    put(p, byte);
    return byte;
  }
  if (choice < 48) {
    uint8_t byte = (uint8_t)(".-%()[]^$*+?e"[below(g, 13)]);
    count(g, ORACLE_ESCAPED);
    put(p, '%'), put(p, byte);
    return byte;
  }
  if (choice < 60) {
    count(g, ORACLE_DOT);
    put(p, '.');
    return anyByte(g);
  }
  if (choice < 62) {
    count(g, ORACLE_ZERO);
    write(p, chance(g, 70) ? "%z" : "%Z");
    return 0;
  }
  if (choice < 80) {
    char class = classes[below(g, sizeof classes - 1)];
    bool opposite = chance(g, 20);
    count(g, opposite ? ORACLE_OPPOSITE : ORACLE_CLASS);
    put(p, '%'), put(p, (uint8_t)(opposite ? class - 32 : class));
    return opposite ? anyByte(g) : memberOf(g, class);
  }
  return addSet(g);
}

static void addRepeatable(Generator *g) {
  Text *s = &g->c->subject;
  uint8_t byte = addUnit(g);
  unsigned choice = g->repeats < 5 ? below(g, 100) : 99, times = 1;
  if (choice < 15) count(g, ORACLE_STAR), put(&g->c->pattern, '*'), times = below(g, 4);
  else if (choice < 27) count(g, ORACLE_PLUS), put(&g->c->pattern, '+'), times = 1 + below(g, 3);
  else if (choice < 39) count(g, ORACLE_LAZY), put(&g->c->pattern, '-'), times = below(g, 4);
  else if (choice < 51) count(g, ORACLE_OPTIONAL), put(&g->c->pattern, '?'), times = below(g, 2);
  if (choice < 51) g->repeats++;
  if (chance(g, 97)) while (times-- > 0) put(s, byte);
}

static void addCaptureEdge(Generator *g) {
  Text *p = &g->c->pattern, *s = &g->c->subject;
  int last = g->captures - 1;
  while (last >= 0 && !g->open[last]) last--;
  if (last >= 0 && chance(g, 60)) {
    put(p, ')');
    g->open[last] = false;
    g->ends[last] = s->length;
  } else if (g->captures < 32) {
    bool position = chance(g, 25);
    count(g, position ? ORACLE_POSITION : ORACLE_CAPTURE);
    write(p, position ? "()" : "(");
    g->starts[g->captures] = g->ends[g->captures] = s->length;
    g->open[g->captures++] = !position;
  }
}

static void addBack(Generator *g) {
  Text *s = &g->c->subject;
  unsigned index = chance(g, 98) && g->captures > 0 ? below(g, (unsigned)g->captures) : below(g, 10);
  if (index > 8 || (chance(g, 90) && (g->captures == 0 || g->open[index]))) return;
  count(g, ORACLE_BACK);
  put(&g->c->pattern, '%'), put(&g->c->pattern, (uint8_t)('1' + index));
  if (index < (unsigned)g->captures && !g->open[index])
    for (size_t i = g->starts[index]; i < g->ends[index]; i++) put(s, s->bytes[i]);
}

static void addBalance(Generator *g) {
  static const char *const pairs[] = {"()", "[]", "ab", "aa", "  ", "\x80\xff"};
  static const char *const fills[] = {"", "x", "()", "ab", "a(b", "(a)b"};
  const char *pair = pairs[below(g, 6)];
  Text *s = &g->c->subject;
  count(g, ORACLE_BALANCE);
  write(&g->c->pattern, "%b"), write(&g->c->pattern, pair);
  put(s, (uint8_t)pair[0]), write(s, fills[below(g, 6)]), put(s, (uint8_t)pair[1]);
}

static void addFrontier(Generator *g) {
  count(g, ORACLE_FRONTIER);
  write(&g->c->pattern, "%f");
  uint8_t byte = addSet(g);
  if (chance(g, 60)) put(&g->c->subject, byte);
}

static void addItem(Generator *g) {
  unsigned choice = below(g, 100);
  if (choice < 70) addRepeatable(g);
  else if (choice < 84) addCaptureEdge(g);
  else if (choice < 90) addBack(g);
  else if (choice < 94) addBalance(g);
  else if (choice < 98) addFrontier(g);
  else put(&g->c->pattern, (uint8_t)("^$*+?-)]"[below(g, 8)]));
}

/// A pattern around the depth limit, on a subject so short that stock does not take for ever.
static void addDeep(Generator *g) {
  static const char *const repeated[] = {"a-", "a?", "a*", "()", "b?", "a-b?", "(a?)", "[ab]-"};
  const char *item = repeated[below(g, 8)];
  unsigned times = 180 + below(g, 40);
  if (strcmp(item, "(a?)") == 0) times = 20 + below(g, 15);
  if (item[1] == '?') {
    for (unsigned i = 0; i < times; i++) put(&g->c->subject, 'a');
  } else if (chance(g, 70)) {
    put(&g->c->subject, 'a');
  }
  count(g, ORACLE_DEEP);
  while (times-- > 0) write(&g->c->pattern, item);
  if (chance(g, 50)) write(&g->c->pattern, "(a?)()b?");
}

/// Damages a pattern at one place, the way a slip of the hand would.
static void damage(Generator *g) {
  Text *p = &g->c->pattern;
  size_t at = p->length == 0 ? 0 : below(g, (unsigned)p->length);
  count(g, ORACLE_DAMAGED);
  switch (below(g, 4)) {
    case 0: p->length = at; break;
    case 1: put(p, '%'); break;
    case 2: if (p->length > 0) p->bytes[at] = (uint8_t)("%[]()-^$bf\0"[below(g, 11)]); break;
    default: write(p, ((const char *const[]){"%b", "%bx", "%f", "%fa", "[", "[^", "(", ")", "%1", "%0"})[below(g, 10)]);
  }
}

static void addPattern(Generator *g) {
  Text *p = &g->c->pattern, *s = &g->c->subject;
  if (chance(g, 18)) {
    count(g, ORACLE_HEAD);
    put(p, '^');
  } else if (chance(g, 40)) {
    for (unsigned more = below(g, 5); more > 0; more--) put(s, anyByte(g));
  }
  if (chance(g, 2)) {
    addDeep(g);
    return;
  }
  bool isLong = chance(g, 3);
  unsigned items = isLong ? 30 + below(g, 40) : 1 + below(g, chance(g, 30) ? 10 : 4);
  if (isLong) count(g, ORACLE_LONG);
  while (items-- > 0) addItem(g);
  for (int i = g->captures - 1; i >= 0; i--)
    if (g->open[i] && chance(g, 98)) put(p, ')');
  if (chance(g, 20)) {
    count(g, ORACLE_STOP);
    put(p, '$');
  } else if (chance(g, 40)) {
    for (unsigned more = below(g, 5); more > 0; more--) put(s, anyByte(g));
  }
  if (chance(g, 5)) damage(g);
}

static void addReplacement(Generator *g) {
  Text *r = &g->c->replacement;
  for (unsigned more = below(g, 4); more > 0; more--) {
    unsigned choice = below(g, 100);
    if (choice < 45) put(r, anyByte(g) == 0 ? 0 : (uint8_t)("xyz0"[below(g, 4)]));
    else if (choice < 60) write(r, "%%");
    else if (choice < 75) write(r, "%0");
    else if (choice < 90) write(r, "%1");
    else if (choice < 98) put(r, '%'), put(r, (uint8_t)('2' + below(g, 8)));
    else put(r, '%'), put(r, chance(g, 50) ? 'x' : '%');
  }
  if (chance(g, 1)) put(r, '%');
}

void oracle_generate(uint64_t *state, Case *c) {
  c->subject.length = c->pattern.length = c->replacement.length = 0;
  memset(c->items, 0, sizeof c->items);
  Generator g = {.state = state, .c = c};
  c->function = (oracle_Kind)(ORACLE_FIND + below(&g, ORACLE_GSUB_FUNCTION - ORACLE_FIND + 1));
  count(&g, c->function);
  addPattern(&g);
  addReplacement(&g);
  // Stock's time grows with a power of the subject's length.
  if (c->subject.length > 40 && c->items[ORACLE_LONG] == 0 && c->items[ORACLE_DEEP] == 0) c->subject.length = 40;
  c->hasInit = c->function <= ORACLE_GMATCH && chance(&g, 20);
  if (c->hasInit) {
    count(&g, ORACLE_INIT);
    c->init = (int64_t)below(&g, (unsigned)(2 * c->subject.length + 5)) - (int64_t)c->subject.length - 2;
    if (chance(&g, 2)) c->init = chance(&g, 50) ? INT64_MAX : INT64_MIN;
  }
  c->hasLimit = c->function >= ORACLE_GSUB_STRING && chance(&g, 20);
  if (c->hasLimit) {
    count(&g, ORACLE_LIMIT);
    c->limit = (int64_t)below(&g, 6) - 1;
  }
}
