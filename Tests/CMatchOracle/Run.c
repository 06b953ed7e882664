// Single chunks: what they give, what they are billed, how long they take.
#include "CMatchOracle.h"
#include "Interpreter.h"
#include <string.h>

bool oracle_run(const char *chunk, bool ours, char *text, size_t size) {
  lua_State *L = oracle_open(ours);
  bool fine = luaL_dostring(L, chunk) == LUA_OK;
  size_t length = 0;
  for (int i = 1; i <= lua_gettop(L); i++) {
    size_t added;
    const char *value = luaL_tolstring(L, i, &added);
    if (length + added + 2 > size) break;
    if (i > 1) text[length++] = ' ';
    memcpy(text + length, value, added);
    length += added;
    lua_pop(L, 1);
  }
  text[length] = 0;
  lua_close(L);
  return fine;
}

oracle_Bill oracle_bill(const char *chunk, uint64_t allowance) {
  lua_State *L = oracle_open(true);
  oracle_till = (Till){.allowance = allowance, .open = true};
  bool raised = luaL_dostring(L, chunk) != LUA_OK;
  oracle_Bill bill = {oracle_till.payments, oracle_till.steps, oracle_till.longestSilence, raised};
  oracle_till.open = false;
  lua_close(L);
  return bill;
}

static uint64_t quickest(const char *chunk, bool ours) {
  lua_State *L = oracle_open(ours);
  uint64_t best = UINT64_MAX;
  bool fine = luaL_loadstring(L, chunk) == LUA_OK;
  for (int run = 0; fine && run < 5; run++) {
    lua_gc(L, LUA_GCCOLLECT);
    lua_pushvalue(L, 1);
    uint64_t start = oracle_clock();
    fine = lua_pcall(L, 0, 0, 0) == LUA_OK;
    uint64_t time = oracle_clock() - start;
    if (time < best) best = time;
  }
  lua_close(L);
  return fine ? best : 0;
}

void oracle_time(const char *chunk, uint64_t *stock, uint64_t *ours) {
  *stock = quickest(chunk, false);
  *ours = quickest(chunk, true);
}
