// Finds the caller's owner.

#include "Internal.h"

#include <string.h>

/// Moves from a coroutine's first frame to the code that resumed it; false if no script resumed it.
static bool goToResumer(const clua_Resume **resume, lua_State **L) {
  while (*resume != NULL && (*resume)->thread != *L) *resume = (*resume)->outer;
  if (*resume == NULL) return false;
  *L = (*resume)->from;
  return true;
}

int32_t clua_caller(lua_State *L, int32_t level) {
  lua_Debug place;
  const clua_Resume *resume = clua_host(L)->resumes;
  while (true) {
    for (; lua_getstack(L, level, &place) == 1; level++) {
      if (!lua_checkstack(L, 1) || lua_getinfo(L, "Sf", &place) == 0) return CLUA_NONE;
      bool isSwift = clua_isTrampoline(lua_tocfunction(L, -1));
      lua_settop(L, -2);
      // The caller of a Swift function isn't the caller of the functions that Swift calls.
      if (isSwift) return CLUA_NONE;
      if (*place.what == 'C') continue;
      int32_t owner = clua_codeOwner(&place);
      if (owner != CLUA_CALLERS) return owner;
    }
    if (!goToResumer(&resume, &L)) return CLUA_NONE;
    level = 0;
  }
}

/// Returns true if a call in the caller's text started the function, and not an operator, a loop or a hook.
static bool isSaid(lua_State *L, lua_Debug *called) {
  if (lua_getinfo(L, "n", called) == 0) return false;
  static const char *const unsaid[] = {"metamethod", "for iterator", "hook"};
  for (size_t i = 0; i < sizeof unsaid / sizeof *unsaid; i++)
    if (strcmp(called->namewhat, unsaid[i]) == 0) return false;
  return true;
}

bool clua_isCalledByName(lua_State *L) {
  const clua_Resume *resume = clua_host(L)->resumes;
  lua_Debug called, caller;
  for (int32_t level = 0; lua_getstack(L, level, &called) == 1;) {
    if (lua_getstack(L, level + 1, &caller) == 0) {
      if (!goToResumer(&resume, &L)) return false;
      level = 0;
      continue;
    }
    if (!lua_checkstack(L, 1) || lua_getinfo(L, "Sf", &caller) == 0) return false;
    lua_CFunction function = lua_tocfunction(L, -1);
    lua_settop(L, -2);
    if (*caller.what == 'C') {
      if (!clua_isCatcher(function)) return false;
    } else {
      if (!isSaid(L, &called)) return false;
      if (clua_codeOwner(&caller) != CLUA_CALLERS) return true;
    }
    level++;
  }
  return false;
}

bool clua_isCallable(lua_State *L, int32_t index) {
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
  lua_pushliteral(L, "__call");
  bool isCallable = lua_rawget(L, -2) != LUA_TNIL;
  lua_settop(L, -3);
  return isCallable;
}

bool clua_runningFunction(lua_State *L, int32_t level) {
  lua_Debug ar;
  if (lua_getstack(L, level, &ar) == 0 || !lua_checkstack(L, 4)) return false;
  if (lua_getinfo(L, "f", &ar) == 0) return false;
  if (lua_getlocal(L, &ar, 1) == NULL) lua_pushnil(L);
  return true;
}

bool clua_isAction(lua_State *L, int32_t level) {
  clua_Host *h = clua_host(L);
  lua_Debug ar;
  if (h->phase != CLUA_DOING || h->runsAction == NULL || !h->runsAction(L)) return false;
  return lua_getstack(L, level + 1, &ar) != 0 && lua_getstack(L, level + 2, &ar) == 0;
}

bool clua_pushCallName(lua_State *L, int32_t level) {
  lua_Debug ar;
  if (lua_getstack(L, level, &ar) == 0 || lua_getinfo(L, "n", &ar) == 0 || ar.name == NULL || !lua_checkstack(L, 2)) return false;
  lua_pushstring(L, ar.name);
  return true;
}

bool clua_isGiven(lua_State *L, int32_t level, int32_t index) {
  lua_Debug ar;
  if (lua_getstack(L, level, &ar) == 0 || !lua_checkstack(L, 4) || lua_getlocal(L, &ar, 2) == NULL) return false;
  bool is = lua_rawequal(L, -1, index);
  lua_settop(L, -2);
  return is;
}
