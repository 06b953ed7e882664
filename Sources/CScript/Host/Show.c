// Before a function call, replaces the responders in its context by the view that its owner may have of them. Does
// nothing while all scripts belong to one owner.

#include "Script.h"

#include <string.h>

enum { NOBODY = -1 };

/// Returns true if the value at the index is a responder of another owner's scripts.
static bool isForeign(lua_State *L, int index, int32_t owner) {
  int64_t number = lua_istable(L, index) ? clua_hostNumber(L, index) : -1;
  return number >= 0 && number < CLUA_CLASS_MARK && (int32_t)(number >> 32) != owner;
}

/// Returns true if a value in a context is a table of the host: a list from append, or the copy of `args`.
static bool isPart(lua_State *L, int key, int value) {
  if (!lua_istable(L, value)) return false;
  return clua_isAppended(L, value) || (lua_type(L, key) == LUA_TSTRING && strcmp(lua_tostring(L, key), "args") == 0);
}

static bool holdsForeign(lua_State *L, int table, int32_t owner, bool isWhole) {
  lua_pushnil(L);
  while (lua_next(L, table)) {
    int value = lua_gettop(L);
    if (isForeign(L, value, owner) || (isWhole && isPart(L, value - 1, value) && holdsForeign(L, value, owner, false))) {
      lua_settop(L, value - 2);
      return true;
    }
    lua_settop(L, value - 1);
  }
  return false;
}

/// Removes other owners' responders from a table, after the function that shows them failed.
static void hide(lua_State *L, int table, int32_t owner, bool isWhole) {
  lua_pushnil(L);
  while (lua_next(L, table)) {
    int value = lua_gettop(L);
    if (isForeign(L, value, owner)) {
      lua_pushvalue(L, value - 1);
      lua_pushnil(L);
      lua_rawset(L, table);
    } else if (isWhole && isPart(L, value - 1, value)) {
      hide(L, value, owner, false);
    }
    lua_settop(L, value - 1);
  }
}

bool clua_isPart(lua_State *L, int32_t key, int32_t value) {
  return isPart(L, lua_absindex(L, key), lua_absindex(L, value));
}

void clua_show(lua_State *L, int32_t context, int32_t self) {
  clua_Host *h = clua_host(L);
  if (h->viewRef == 0 || !lua_checkstack(L, 16)) return;
  self = lua_absindex(L, self);
  clua_pushBehindReader(L, context);
  context = lua_gettop(L);
  int64_t number = clua_hostNumber(L, self);
  if (number >= 0 && lua_istable(L, context) && holdsForeign(L, context, (int32_t)(number >> 32), true)) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->showRef);
    lua_pushvalue(L, context);
    lua_pushvalue(L, self);
    // It fails when the stack or a limit is exhausted.
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) hide(L, context, (int32_t)(number >> 32), true);
  }
  lua_settop(L, context - 1);
}

void clua_showAgain(lua_State *L, int index) {
  clua_Host *h = clua_host(L);
  if (!lua_checkstack(L, 8)) return;
  int top = lua_gettop(L);
  clua_pushBehindReader(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->showRef);
  lua_pushvalue(L, top + 1);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK && lua_istable(L, top + 1)) hide(L, top + 1, NOBODY, true);
  lua_settop(L, top);
}
