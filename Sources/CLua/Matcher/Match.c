// string.find, string.match and string.gmatch.
#include "Match.h"

void clua_raiseFault(lua_State *L, clua_Fault fault, int number) {
  static const char *const texts[] = {
    [CLUA_ENDS_WITH_ESCAPE] = "malformed pattern (ends with '%')",
    [CLUA_SET_UNCLOSED] = "malformed pattern (missing ']')",
    [CLUA_BALANCE_UNNAMED] = "malformed pattern (missing arguments to '%b')",
    [CLUA_FRONTIER_UNNAMED] = "missing '[' after '%f' in pattern",
    [CLUA_CAPTURE_UNOPENED] = "invalid pattern capture",
    [CLUA_TOO_MANY_CAPTURES] = "too many captures",
    [CLUA_TOO_COMPLEX] = "pattern too complex",
  };
  if (fault == CLUA_CAPTURE_UNKNOWN) luaL_error(L, "invalid capture index %%%d", number);
  luaL_error(L, "%s", texts[fault]);
  __builtin_unreachable();
}

/// Pushes bytes of the subject, billed before they are copied: `.*` finds a megabyte in two steps.
static void pushBytes(lua_State *L, const clua_Matcher *m, const unsigned char *start, const unsigned char *end) {
  size_t length = (size_t)(end - start);
  clua_bill(&m->account, length / CLUA_BULK);
  lua_pushlstring(L, (const char *)start, length);
}

void clua_pushCapture(lua_State *L, const clua_Matcher *m, int index) {
  if (index >= m->captures) {
    if (index != 0) clua_raiseFault(L, CLUA_CAPTURE_UNKNOWN, index + 1);
    pushBytes(L, m, m->from, m->to);
    return;
  }
  if (m->open >> index & 1) luaL_error(L, "unfinished capture");
  const clua_Capture *capture = &m->capture[index];
  if (capture->end == NULL) lua_pushinteger(L, capture->start - m->subject + 1);
  else pushBytes(L, m, capture->start, capture->end);
}

/// Pushes the captures of the pattern; returns their number.
static int pushMarked(lua_State *L, const clua_Matcher *m) {
  luaL_checkstack(L, m->captures, "too many captures");
  for (int i = 0; i < m->captures; i++) clua_pushCapture(L, m, i);
  return m->captures;
}

int clua_pushCaptures(lua_State *L, const clua_Matcher *m) {
  if (m->captures > 0) return pushMarked(L, m);
  clua_pushCapture(L, m, 0);
  return 1;
}

/// Turns a script's position, which may count from the end, into a non-negative offset.
static size_t offsetOf(lua_Integer position, size_t length) {
  if (position > 0) return (size_t)position - 1;
  if (position == 0 || position < -(lua_Integer)length) return 0;
  return length - (size_t)-position;
}

static int pushFound(lua_State *L, size_t start, size_t end) {
  lua_pushinteger(L, (lua_Integer)start + 1);
  lua_pushinteger(L, (lua_Integer)end);
  return 2;
}

/// The common arguments of find and match.
typedef struct {
  const char *subject, *pattern;
  size_t length, patternLength;
  size_t offset; ///< where to start
} Arguments;

/// Reads the arguments in stock's order; false if the search starts behind the end.
static bool readArguments(lua_State *L, Arguments *a) {
  a->subject = luaL_checklstring(L, 1, &a->length);
  a->pattern = luaL_checklstring(L, 2, &a->patternLength);
  a->offset = offsetOf(luaL_optinteger(L, 3, 1), a->length);
  return a->offset <= a->length;
}

static int findPlain(lua_State *L, const clua_Account *account, const Arguments *a) {
  const unsigned char *text = (const unsigned char *)a->subject, *needle = (const unsigned char *)a->pattern;
  const unsigned char *found =
    clua_findPlain(account, text + a->offset, a->length - a->offset, needle, a->patternLength);
  if (found == NULL) {
    luaL_pushfail(L);
    return 1;
  }
  size_t start = (size_t)(found - text);
  return pushFound(L, start, start + a->patternLength);
}

static inline bool search(clua_Matcher *m, clua_Account account, const Arguments *a) {
  bool anchored = *a->pattern == '^';
  clua_prepare(m, account, a->subject, a->length, a->pattern + anchored, a->patternLength - anchored);
  return clua_seek(m, m->subject + a->offset, anchored);
}

static int find(lua_State *L) {
  Arguments a;
  if (readArguments(L, &a)) {
    clua_Account account = clua_ownAccount(L);
    if (lua_toboolean(L, 4) || clua_isPlain(&account, (const unsigned char *)a.pattern, a.patternLength))
      return findPlain(L, &account, &a);
    clua_Matcher m;
    if (search(&m, account, &a))
      return pushFound(L, (size_t)(m.from - m.subject), (size_t)(m.to - m.subject)) + pushMarked(L, &m);
  }
  luaL_pushfail(L);
  return 1;
}

static int match(lua_State *L) {
  Arguments a;
  clua_Matcher m;
  if (readArguments(L, &a) && search(&m, clua_ownAccount(L), &a)) return clua_pushCaptures(L, &m);
  luaL_pushfail(L);
  return 1;
}

/// The state of a gmatch loop between its rounds.
typedef struct {
  clua_Matcher matcher;
  const unsigned char *next; ///< NULL when the loop is over
} Loop;

/// One round of a gmatch loop. Upvalues: purse, loop, subject, pattern.
static int nextMatch(lua_State *L) {
  Loop *loop = lua_touserdata(L, lua_upvalueindex(2));
  clua_Matcher *m = &loop->matcher;
  // Another coroutine may run this round than the last.
  m->account.owner = L;
  if (loop->next == NULL) return 0;
  if (!clua_seek(m, loop->next, false)) {
    loop->next = NULL;
    return 0;
  }
  loop->next = m->to;
  return clua_pushCaptures(L, m);
}

static int gmatch(lua_State *L) {
  size_t length, patternLength;
  const char *subject = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &patternLength);
  size_t offset = offsetOf(luaL_optinteger(L, 3, 1), length);
  lua_settop(L, 2);
  lua_pushvalue(L, lua_upvalueindex(1));
  Loop *loop = lua_newuserdatauv(L, sizeof *loop, 0);
  clua_prepare(&loop->matcher, clua_ownAccount(L), subject, length, pattern, patternLength);
  loop->next = offset > length ? NULL : loop->matcher.subject + offset;
  lua_rotate(L, 1, 2);
  lua_pushcclosure(L, nextMatch, 4);
  return 1;
}

void clua_openMatcherSpending(lua_State *L, void (*spend)(lua_State *L, size_t steps)) {
  static const luaL_Reg functions[] = {
    {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", clua_gsub}, {NULL, NULL},
  };
  clua_Purse *purse = lua_newuserdatauv(L, sizeof *purse, 0);
  *purse = (clua_Purse){.spend = spend};
  luaL_setfuncs(L, functions, 1);
}

void clua_openMatcher(lua_State *L) {
  clua_openMatcherSpending(L, clua_spend);
}
