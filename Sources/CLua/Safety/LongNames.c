// Refuses names of very many parts, `a.b.c…`. If a part is nil, Lua's error message gives its name, for which Lua goes from part to part, and
// for each through the function from its beginning. In a source of nothing but one such name that took seconds, and nothing can interrupt
// it; with the most parts that are allowed, in the longest function, it takes 4 ms. Names in a part's brackets are checked too. A part after
// a call begins a new name, since Lua has no name for a call's result.

#include "Internal.h"

#include <string.h>

enum {
  /// No source that Lua accepts nests more brackets.
  DEEPEST = 256,
};

typedef enum {
  OTHER,    ///< an operator, a keyword, the beginning
  DOT,      ///< a dot or colon before a part's name
  NAME,     ///< a name, or a keyword
  OPERAND,  ///< the end of what can be called or indexed
} Token;

typedef enum { CALL, GROUP, INDEX, TABLE } Bracket;

typedef struct {
  const char *at;
  const char *end;
  int32_t line;
  Token last;
  const char *name;  // the last token, where it is a name
  size_t length;
  int32_t parts;  // of the name that ends here
  int32_t depth;
  struct {
    Bracket kind;
    int32_t parts;  // of the name before it
  } brackets[DEEPEST];
} Reader;

static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static bool isNext(const Reader *r, char c) { return r->at < r->end && *r->at == c; }

static bool isKeyword(const char *name, size_t length) {
  static const char *const words[] = {"and",   "break", "do",  "else", "elseif", "end",    "for",  "function", "goto",  "if",   "in",
                                      "local", "nil",   "not", "or",   "repeat", "return", "then", "true",     "until", "while", "false"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == length && memcmp(words[i], name, length) == 0) return true;
  return false;
}

/// Whether a bracket here calls or indexes the operand before it.
static bool isBehindOperand(const Reader *r) {
  return r->last == OPERAND || (r->last == NAME && !isKeyword(r->name, r->length));
}

static void pass(Reader *r, Token token) {
  r->last = token;
  r->parts = 0;
}

static bool isLineEnd(char c) { return c == '\n' || c == '\r'; }

/// Skips one character; a line end of two characters counts as one line.
static void passOne(Reader *r) {
  char c = *r->at++;
  if (!isLineEnd(c)) return;
  r->line++;
  if (r->at < r->end && isLineEnd(*r->at) && *r->at != c) r->at++;
}

/// The length of the long bracket here; 0 if there is none.
static size_t longBracket(const Reader *r, char bracket) {
  const char *at = r->at;
  if (at == r->end || *at++ != bracket) return 0;
  while (at < r->end && *at == '=') at++;
  return at < r->end && *at == bracket ? (size_t)(at + 1 - r->at) : 0;
}

/// Skips a long string or comment in long brackets; false if there is none here.
static bool passLong(Reader *r) {
  size_t length = longBracket(r, '[');
  if (length == 0) return false;
  r->at += length;
  while (r->at < r->end && longBracket(r, ']') != length) passOne(r);
  r->at += r->at < r->end ? length : 0;
  return true;
}

static void passComment(Reader *r) {
  if (passLong(r)) return;
  while (r->at < r->end && !isLineEnd(*r->at)) r->at++;
}

static void passString(Reader *r, char quote) {
  while (r->at < r->end && *r->at != quote) {
    if (*r->at == '\\' && r->at + 1 < r->end) r->at++;
    passOne(r);
  }
  if (r->at < r->end) r->at++;
  pass(r, OPERAND);
}

static void passName(Reader *r) {
  r->name = r->at;
  while (r->at < r->end && (isLetter(*r->at) || isDigit(*r->at))) r->at++;
  r->length = (size_t)(r->at - r->name);
  r->parts = r->last == DOT ? r->parts + 1 : 0;
  r->last = NAME;
}

static void open(Reader *r, Bracket kind) {
  if (r->depth < DEEPEST) {
    r->brackets[r->depth].kind = kind;
    r->brackets[r->depth].parts = r->parts;
  }
  r->depth++;
  pass(r, OTHER);
}

static void close(Reader *r) {
  r->last = OPERAND;
  if (r->depth == 0 || --r->depth >= DEEPEST) return;
  int32_t inner = r->parts;
  switch (r->brackets[r->depth].kind) {
    case CALL:
    case TABLE: r->parts = 0; break;
    case GROUP: break;
    case INDEX: r->parts = r->brackets[r->depth].parts + 1 + inner; break;
  }
}

static void passToken(Reader *r) {
  if (isLetter(*r->at)) return passName(r);
  if (isDigit(*r->at)) {
    while (r->at < r->end && (isLetter(*r->at) || isDigit(*r->at) || *r->at == '.')) r->at++;
    return pass(r, OTHER);
  }
  switch (*r->at) {
    case '\n':
    case '\r': return passOne(r);
    case ' ':
    case '\t':
    case '\f':
    case '\v': r->at++; return;
    case '[':
      if (passLong(r)) return pass(r, OPERAND);
      r->at++;
      return open(r, isBehindOperand(r) ? INDEX : TABLE);
    case '(': r->at++; return open(r, isBehindOperand(r) ? CALL : GROUP);
    case '{': r->at++; return open(r, TABLE);
    case ')':
    case ']':
    case '}': r->at++; return close(r);
    case '"':
    case '\'': return passString(r, *r->at++);
    case '-':
      r->at++;
      if (!isNext(r, '-')) return pass(r, OTHER);
      r->at++;
      return passComment(r);
    case '.':
    case ':': {
      const char *first = r->at++;
      while (isNext(r, *first)) r->at++;
      if (r->at - first > 1) return pass(r, OTHER);
      r->last = DOT;
      return;
    }
    default: r->at++; return pass(r, OTHER);
  }
}

int32_t clua_longName(const char *source, size_t length) {
  if (length < 2 * CLUA_PARTS) return 0;
  Reader r = {.at = source, .end = source + length, .line = 1, .last = OTHER};
  while (r.at < r.end) {
    passToken(&r);
    if (r.parts > CLUA_PARTS) return r.line;
  }
  return 0;
}
