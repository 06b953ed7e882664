// Lua's four pattern functions on the project's own matcher, which can be ended at any moment.
#ifndef CLUA_MATCH_H
#define CLUA_MATCH_H

#include "Internal.h"
#include "Pattern.h"

/// Like `clua_openMatcher`, with another biller than `clua_spend`: a test without a host counts the steps.
void clua_openMatcherSpending(lua_State *L, void (*spend)(lua_State *L, size_t steps));

/// An upvalue that the four functions of a state share.
typedef struct {
  void (*spend)(lua_State *L, size_t steps);
  size_t unspent;
} clua_Purse;

/// Raises the error that stock Lua has for a fault.
void clua_raiseFault(lua_State *L, clua_Fault fault, int number) __attribute__((noreturn));

/// Returns the account of the running function, whose first upvalue is the purse.
static inline clua_Account clua_ownAccount(lua_State *L) {
  clua_Purse *purse = lua_touserdata(L, lua_upvalueindex(1));
  return (clua_Account){.owner = L, .spend = purse->spend, .fail = clua_raiseFault, .unspent = &purse->unspent};
}

/// Pushes capture `index`, or the whole match if a pattern has none and `index` is 0. Raises for a missing or unclosed
/// capture.
void clua_pushCapture(lua_State *L, const clua_Matcher *matcher, int index);

/// Pushes all captures, or the whole match without captures; returns their number.
int clua_pushCaptures(lua_State *L, const clua_Matcher *matcher);

/// `string.gsub`.
int clua_gsub(lua_State *L);

#endif
