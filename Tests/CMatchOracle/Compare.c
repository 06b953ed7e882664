// Runs a case in two interpreters that differ in their pattern functions only, and compares all that comes out.
#include "Case.h"
#include "Interpreter.h"
#include <stdio.h>
#include <string.h>

static const char *const names[ORACLE_KINDS] = {
  "literal", "escaped", "dot", "class", "opposite class", "%z", "set", "negated set", "range", "class in set",
  "odd set", "*", "+", "-", "?", "capture", "position", "%b", "%f", "back reference", "^", "$", "NUL", "long", "deep",
  "damaged", "find", "find plain", "match", "gmatch", "gsub string", "gsub table", "gsub function", "init", "limit",
};

const char *oracle_kindName(int kind) { return names[kind]; }

static void pushText(lua_State *L, const Text *text) {
  lua_pushlstring(L, (const char *)text->bytes, text->length);
}

static void pushReplacement(lua_State *L, const Case *c) {
  switch (c->function) {
    case ORACLE_GSUB_STRING: pushText(L, &c->replacement); break;
    case ORACLE_GSUB_TABLE: lua_getglobal(L, "replacements"); break;
    default: lua_getglobal(L, "replace"); break;
  }
}

/// Pushes the function and its arguments; gives their number.
static int pushCall(lua_State *L, const Case *c) {
  static const char *const functions[] = {"find", "find", "match", "gmatch", "gsub", "gsub", "gsub"};
  int base = lua_gettop(L) + 1;
  lua_getglobal(L, functions[c->function - ORACLE_FIND]);
  pushText(L, &c->subject);
  pushText(L, &c->pattern);
  if (c->function >= ORACLE_GSUB_STRING) pushReplacement(L, c);
  if (c->hasLimit) lua_pushinteger(L, c->limit);
  if (c->hasInit) lua_pushinteger(L, c->init);
  else if (c->function == ORACLE_FIND_PLAIN) lua_pushnil(L);
  if (c->function == ORACLE_FIND_PLAIN) lua_pushboolean(L, 1);
  return lua_gettop(L) - base;
}

/// Goes through a gmatch loop, and a turn further. A loop that raised is left alone: in stock Lua it counts its depth
/// wrongly from then on, and may crash.
static bool runLoop(lua_State *L, Output *out, bool *matched) {
  int iterator = lua_gettop(L);
  for (int turns = 0, through = 0; turns < 60 && through < 2; turns++) {
    lua_pushvalue(L, iterator);
    bool fine = lua_pcall(L, 0, LUA_MULTRET, 0) == LUA_OK;
    oracle_write(L, out, iterator + 1);
    if (!fine) return false;
    if (lua_gettop(L) == iterator) through++;
    else *matched = true;
    lua_settop(L, iterator);
  }
  return true;
}

/// Runs a case; false if it raised. All that it gave is in `out`.
static bool runCase(lua_State *L, const Case *c, Output *out, bool *matched) {
  out->length = 0;
  *matched = false;
  bool fine = lua_pcall(L, pushCall(L, c), LUA_MULTRET, 0) == LUA_OK;
  if (fine && c->function == ORACLE_GMATCH) {
    fine = runLoop(L, out, matched);
  } else {
    oracle_write(L, out, 1);
    if (fine && c->function >= ORACLE_GSUB_STRING) *matched = lua_tointeger(L, 2) > 0;
    else if (fine) *matched = !lua_isnil(L, 1);
  }
  lua_settop(L, 0);
  return fine;
}

static int quote(char *to, size_t room, const void *bytes, size_t length) {
  char *start = to;
  for (size_t i = 0; i < length && room > 5; i++) {
    unsigned char byte = ((const unsigned char *)bytes)[i];
    bool printable = byte >= 32 && byte < 127 && byte != '"' && byte != '\\';
    int written = printable ? snprintf(to, room, "%c", byte) : snprintf(to, room, "\\%03u", byte);
    to += written;
    room -= (size_t)written;
  }
  return (int)(to - start);
}

static void describe(oracle_Report *report, const Case *c, const Output *stock, const Output *ours) {
  char subject[1024] = "", pattern[1024] = "", replacement[256] = "", one[700] = "", other[700] = "";
  quote(subject, sizeof subject, c->subject.bytes, c->subject.length);
  quote(pattern, sizeof pattern, c->pattern.bytes, c->pattern.length);
  quote(replacement, sizeof replacement, c->replacement.bytes, c->replacement.length);
  quote(one, sizeof one, stock->bytes, stock->length);
  quote(other, sizeof other, ours->bytes, ours->length);
  snprintf(report->first, sizeof report->first,
           "%s(\"%s\", \"%s\") replacement \"%s\" init %s%lld limit %s%lld\nstock: %s\nours:  %s",
           names[c->function], subject, pattern, replacement, c->hasInit ? "" : "none ", (long long)c->init,
           c->hasLimit ? "" : "none ", (long long)c->limit, one, other);
}

void oracle_compare(uint64_t seed, uint64_t cases, oracle_Report *report) {
  *report = (oracle_Report){0};
  lua_State *stock = oracle_open(false), *ours = oracle_open(true);
  static _Thread_local Case c;
  static _Thread_local Output one, other;
  for (; report->cases < cases; report->cases++) {
    bool matched, alsoMatched;
    oracle_generate(&seed, &c);
    bool fine = runCase(stock, &c, &one, &matched);
    bool alsoFine = runCase(ours, &c, &other, &alsoMatched);
    report->matched += matched;
    report->raised += !fine;
    for (int i = 0; i < ORACLE_KINDS; i++) report->kinds[i] += c.items[i];
    if (fine == alsoFine && one.length == other.length && memcmp(one.bytes, other.bytes, one.length) == 0) continue;
    if (report->differences++ == 0) describe(report, &c, &one, &other);
  }
  lua_close(stock);
  lua_close(ours);
}
