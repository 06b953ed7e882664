// string.gsub.
#include "Match.h"
#include <string.h>

/// Adds bytes to the result, billed before they are copied.
static void append(const clua_Matcher *m, luaL_Buffer *result, const unsigned char *start, const unsigned char *end) {
  size_t length = (size_t)(end - start);
  if (length == 1) {
    luaL_addchar(result, (char)*start);
    return;
  }
  clua_bill(&m->account, length / CLUA_BULK);
  luaL_addlstring(result, (const char *)start, length);
}

/// Adds the value on top of the stack, a string or a number, and pops it.
static void appendValue(lua_State *L, const clua_Matcher *m, luaL_Buffer *result) {
  size_t length;
  lua_tolstring(L, -1, &length);
  clua_bill(&m->account, length / CLUA_BULK);
  luaL_addvalue(result);
}

/// Adds the replacement string with its `%0` to `%9` filled in.
static void appendTemplate(lua_State *L, const clua_Matcher *m, luaL_Buffer *result) {
  size_t length;
  const unsigned char *text = (const unsigned char *)lua_tolstring(L, 3, &length), *end = text + length;
  while (text < end) {
    const unsigned char *escape = memchr(text, '%', (size_t)(end - text));
    append(m, result, text, escape == NULL ? end : escape);
    if (escape == NULL) return;
    // After a `%` at the very end comes the string's zero byte, which is no digit.
    unsigned char which = escape[1];
    clua_bill(&m->account, 1);
    if (which == '%') {
      luaL_addchar(result, '%');
    } else if (which == '0') {
      append(m, result, m->from, m->to);
    } else if (which >= '1' && which <= '9') {
      clua_pushCapture(L, m, which - '1');
      appendValue(L, m, result);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
    text = escape + 2;
  }
}

/// Adds the replacement from argument 3; false if the match stays as it is.
static bool appendReplacement(lua_State *L, const clua_Matcher *m, luaL_Buffer *result, int type) {
  if (type == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    m->account.spend(L, 1);  // each nested callback uses much of the C stack, which this checks
    lua_call(L, clua_pushCaptures(L, m), 1);
  } else if (type == LUA_TTABLE) {
    clua_pushCapture(L, m, 0);
    lua_gettable(L, 3);
  } else {
    appendTemplate(L, m, result);
    return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    append(m, result, m->from, m->to);
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  appendValue(L, m, result);
  return true;
}

int clua_gsub(lua_State *L) {
  size_t length, patternLength;
  const char *subject = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &patternLength);
  int type = lua_type(L, 3);
  lua_Integer limit = luaL_optinteger(L, 4, (lua_Integer)length + 1), count = 0;
  luaL_argexpected(
    L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
    "string/function/table");

  bool anchored = *pattern == '^', changed = false;
  clua_Matcher m;
  clua_prepare(&m, clua_ownAccount(L), subject, length, pattern + anchored, patternLength - anchored);
  const unsigned char *rest = m.subject;
  luaL_Buffer result;
  luaL_buffinit(L, &result);
  while (count < limit && clua_seek(&m, rest, anchored)) {
    count++;
    append(&m, &result, rest, m.from);
    changed |= appendReplacement(L, &m, &result, type);
    rest = m.to;
    if (anchored) break;
  }
  if (changed) {
    append(&m, &result, rest, m.subjectEnd);
    luaL_pushresult(&result);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, count);
  return 2;
}
