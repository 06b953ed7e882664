// Swift objects in scripts: functions, elements, errors, and opaque or callable objects.

#include "Internal.h"

static int afterCall(lua_State *L, int status, lua_KContext base) {
  (void)status;
  return lua_gettop(L) - (int)base;
}

/// __close: ends a call that showed a context to another script, also after an error. Shows it to the caller again.
static int endLending(lua_State *L) {
  lua_settop(L, 1);
  lua_getiuservalue(L, 1, 1);
  clua_host(L)->showAgain(L, 2);
  return 0;
}

/// Inserts a value at the index that ends the lending of the context at index 1 when the running function ends.
static void lend(clua_Host *h, lua_State *L, int index) {
  lua_newuserdatauv(L, 0, 1);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->lendingRef);
  lua_setmetatable(L, -2);
  lua_insert(L, index);
  lua_toclose(L, index);
}

/// Ends a wait: returns or raises the values with which the host resumed it.
static int afterYield(lua_State *L, int status, lua_KContext base) {
  (void)status;
  clua_Host *h = clua_host(L);
  if (h->raises) {
    h->raises = false;
    return lua_error(L);
  }
  return lua_gettop(L) - (int)base;
}

/// Runs the Swift function in upvalue 1, then performs its answer. An error is raised only here, without a Swift frame.
int clua_trampoline(lua_State *L) {
  clua_Host *h = clua_host(L);
  clua_Box *box = lua_touserdata(L, lua_upvalueindex(1));
  if (h->tripped != CLUA_TRIP_NONE) return clua_raiseTrip(L);
  clua_checkStack(h, L);
  h->hostDepth++;
  int32_t answer = h->dispatch(L, box->object);
  if (answer == CLUA_RAISE_AT) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  h->hostDepth--;
  h->pending += CLUA_CALL_STEPS;
  if (h->pending >= CLUA_SPEND && answer >= 0) clua_checkLimits(h, L);  // not if it yields: an error would orphan what it is to wait for
  if (h->tripped != CLUA_TRIP_NONE) return clua_raiseTrip(L);
  if (answer >= 0) return answer;
  if (answer != CLUA_YIELD && answer != CLUA_CALL) return lua_error(L);
  int count = (int)lua_tointeger(L, -1);
  lua_settop(L, -2);
  if (answer == CLUA_YIELD) {
    h->wait.nanoseconds = -1;
    return lua_yieldk(L, count, lua_gettop(L) - count, afterYield);
  }
  lua_KContext base = lua_gettop(L) - count - 1;
  if (h->viewRef != 0 && clua_isHostObject(L, 1) && clua_hostNumber(L, 1) < 0) lend(h, L, (int)++base);
  lua_callk(L, count, LUA_MULTRET, base, afterCall);
  return afterCall(L, LUA_OK, base);
}

bool clua_isTrampoline(lua_CFunction function) { return function == clua_trampoline; }

/// __tostring of a Swift error that a script caught.
static int describeFailure(lua_State *L) {
  lua_getiuservalue(L, 1, 1);
  return 1;
}

static void newMetatable(lua_State *L, const char *name) {
  lua_createtable(L, 0, 8);
  lua_pushliteral(L, "__metatable");
  lua_pushboolean(L, 0);
  lua_rawset(L, -3);
  lua_pushliteral(L, "__name");
  lua_pushstring(L, name);
  lua_rawset(L, -3);
  clua_pushFinalizerName(L);
  lua_pushcfunction(L, clua_releaseBox);
  lua_rawset(L, -3);
}

void clua_dropFinalizers(clua_Host *h) {
  lua_State *L = h->main;
  if (!lua_checkstack(L, 3)) return;
  const int32_t metatables[] = {h->objectRef, h->failureRef, h->callableRef, h->functionRef};
  for (size_t i = 0; i < sizeof metatables / sizeof *metatables && metatables[i] != 0; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, metatables[i]);
    clua_pushFinalizerName(L);
    lua_pushnil(L);
    lua_rawset(L, -3);
    lua_settop(L, -2);
  }
}

/// __eq: two userdata of the same object are equal.
static int sameObject(lua_State *L) {
  void *left = clua_object(L, 1, CLUA_OBJECT), *right = clua_object(L, 2, CLUA_OBJECT);
  lua_pushboolean(L, left != NULL && left == right);
  return 1;
}

void clua_openObjects(clua_Host *h, lua_State *L) {
  h->boxSize = clua_measureBox(h, L);
  newMetatable(L, "object");
  lua_pushliteral(L, "__eq");
  lua_pushcfunction(L, sameObject);
  lua_rawset(L, -3);
  h->objectTable = lua_topointer(L, -1);
  h->objectRef = luaL_ref(L, LUA_REGISTRYINDEX);
  newMetatable(L, "error");
  lua_pushliteral(L, "__tostring");
  lua_pushcfunction(L, describeFailure);
  lua_rawset(L, -3);
  h->failureTable = lua_topointer(L, -1);
  h->failureRef = luaL_ref(L, LUA_REGISTRYINDEX);
  newMetatable(L, "menu element");
  h->callableTable = lua_topointer(L, -1);
  h->callableRef = luaL_ref(L, LUA_REGISTRYINDEX);
  newMetatable(L, "function");
  h->functionTable = lua_topointer(L, -1);
  h->functionRef = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_createtable(L, 0, 1);
  clua_pushClosingName(L);
  lua_pushcfunction(L, endLending);
  lua_rawset(L, -3);
  h->lendingRef = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_createtable(L, 0, 0);
  h->recordTable = lua_topointer(L, -1);
  h->recordRef = luaL_ref(L, LUA_REGISTRYINDEX);
}

void clua_pushFunctionBox(lua_State *L, void *retained) {
  clua_Host *h = clua_host(L);
  clua_pushBox(h, L, retained, CLUA_OBJECT, h->functionRef);
}

void clua_pushFunction(lua_State *L, void *retained) {
  clua_pushFunctionBox(L, retained);
  lua_pushcclosure(L, clua_trampoline, 1);
}

void clua_pushObject(lua_State *L, void *retained) {
  clua_Host *h = clua_host(L);
  clua_pushBox(h, L, retained, CLUA_OBJECT, h->objectRef);
}

/// Returns true if the value at the index is a userdata with the metatable.
static bool hasMetatable(lua_State *L, int index, const void *table) {
  if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return false;
  bool same = lua_topointer(L, -1) == table;
  lua_settop(L, -2);
  return same;
}

void clua_pushCallable(lua_State *L, void *retained) {
  clua_Host *h = clua_host(L);
  clua_pushBox(h, L, retained, CLUA_CALLABLE, h->callableRef);
}

void clua_hold(lua_State *L, int32_t index, int32_t count) {
  index = lua_absindex(L, index);
  lua_createtable(L, count, 0);
  lua_insert(L, -1 - count);
  int list = lua_gettop(L) - count;
  while (count > 0) lua_rawseti(L, list, count--);
  lua_pushvalue(L, index);
  lua_insert(L, -2);
  if (hasMetatable(L, -2, clua_host(L)->callableTable)) lua_setiuservalue(L, -2, 1);
  lua_settop(L, list - 1);
}

void clua_pushHeld(lua_State *L, int32_t index, int32_t number) {
  int top = lua_gettop(L);
  lua_pushvalue(L, index);
  if (hasMetatable(L, -1, clua_host(L)->callableTable) && lua_getiuservalue(L, -1, 1) == LUA_TTABLE)
    lua_rawgeti(L, -1, number);
  else lua_pushnil(L);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}

void clua_pushCallableMetatable(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, clua_host(L)->callableRef); }

void clua_pushFailure(lua_State *L, void *retained) {
  clua_Host *h = clua_host(L);
  clua_pushBox(h, L, retained, CLUA_FAILURE, h->failureRef);
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, 1);
}

void *clua_object(lua_State *L, int32_t index, int32_t kind) {
  clua_Host *h = clua_host(L);
  if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return NULL;
  const void *found = lua_topointer(L, -1);
  lua_settop(L, -2);
  const void *table = kind == CLUA_FAILURE ? h->failureTable : kind == CLUA_CALLABLE ? h->callableTable : h->objectTable;
  return found == table ? ((clua_Box *)lua_touserdata(L, index))->object : NULL;
}
