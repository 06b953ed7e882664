// An interpreter with either set of pattern functions, and what they return as text.
#define _GNU_SOURCE
#include "Interpreter.h"
#include "Match.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

_Thread_local Till oracle_till;

uint64_t oracle_clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void pay(lua_State *L, size_t steps) {
  Till *till = &oracle_till;
  if (!till->open) return;
  uint64_t now = oracle_clock();
  if (till->payments > 0 && now - till->last > till->longestSilence) till->longestSilence = now - till->last;
  till->last = now;
  till->payments++;
  till->steps += steps;
  if (till->steps > till->allowance) luaL_error(L, "spent");
}

/// What replaces a match depends on nothing but the captures, so both interpreters do the same.
static const char prelude[] =
  "find, match, gmatch, gsub = string.find, string.match, string.gmatch, string.gsub\n"
  "replacements = setmetatable({a = 'X', b = false, ab = 12, c = 1.5, [1] = 'first', [2] = 'second'},\n"
  "  {__index = function(_, key)\n"
  "    if key == '0' then return {} elseif key == '1' then return true elseif key == 3 then error('third') end\n"
  "    if #tostring(key) > 1 then return '<' .. key .. '>' end\n"
  "  end})\n"
  "function replace(...)\n"
  "  local first = ...\n"
  "  if first == 'b' then return false elseif first == 'c' then return elseif first == 'ab' then return 7 end\n"
  "  if first == '0' then return print elseif first == '01' then error('raised') end\n"
  "  if first == '9' then return (gsub('nested', '(.)', '%1%1')) end\n"
  "  local all = table.pack(...)\n"
  "  for i = 1, all.n do all[i] = math.type(all[i]) and '@' .. all[i] or all[i] end\n"
  "  return '<' .. table.concat(all, ',') .. '>'\n"
  "end\n";

lua_State *oracle_open(bool ours) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  if (ours) {
    lua_getglobal(L, "string");
    clua_openMatcherSpending(L, pay);
    lua_pop(L, 1);
  }
  if (luaL_dostring(L, prelude)) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_settop(L, 0);
  return L;
}

void oracle_write(lua_State *L, Output *out, int first) {
  for (int i = first; i <= lua_gettop(L); i++) {
    size_t length, room = sizeof out->bytes - out->length;
    const char *text = luaL_tolstring(L, i, &length);
    if (lua_type(L, i) == LUA_TTABLE || lua_type(L, i) == LUA_TFUNCTION) text = "object", length = 6;
    if (length + 2 > room) length = room < 2 ? 0 : room - 2;
    if (room >= 2) {
      out->bytes[out->length++] = "NBLisTFUtEe"[lua_type(L, i)] + (lua_isinteger(L, i) ? 1 : 0);
      memcpy(out->bytes + out->length, text, length);
      out->length += length;
      out->bytes[out->length++] = ' ';
    }
    lua_pop(L, 1);
  }
}
