// The context that providers, `can` and handlers get: a plain table. It holds the supplied values; its metatable gives access to the host's
// fields. A reader is an empty table whose metatable only lets the context be read.

#include "Script.h"

#include <string.h>

static char contextKey, originKey, behindKey;

/// The fields that are tables of the host's own.
static const char *const copied[] = {"args", "modifiers"};

static int newIndexOfReader(lua_State *L) {
  if (lua_type(L, 2) == LUA_TSTRING)
    return luaL_error(L, "'%s' can't be set: asking must not do, so the context can only be read here", lua_tostring(L, 2));
  return luaL_error(L, "the context can only be read here");
}

static int overContext(lua_State *L) {
  return luaL_error(L, "this context was good only during the call that it was handed to");
}

/// Pushes a copy of a table of the host's. The function `view`, if not 0, replaces each responder in it by what the reading script may see.
static void pushCopy(lua_State *L, int index, int32_t view) {
  lua_createtable(L, 0, 4);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (view != 0 && lua_istable(L, -1) && clua_hostNumber(L, -1) >= 0) {
      lua_rawgeti(L, LUA_REGISTRYINDEX, view);
      lua_insert(L, -2);
      lua_call(L, 1, 1);
    }
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
}

/// Pushes this question's own copy of `args` or `modifiers`: made once, kept with the question's reader, and dropped when it is answered.
static void pushCopyForQuestion(lua_State *L, int context, int name, int table, int32_t view) {
  clua_Script *script = clua_script(clua_host(L));
  const void *key = strcmp(lua_tostring(L, name), copied[0]) == 0 ? &copied[0] : &copied[1];
  int32_t i = script->readers - 1;
  while (i >= 0 && script->reader[i].context != lua_topointer(L, context)) i--;
  if (i < 0) return pushCopy(L, table, view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, script->reader[i].metatable);
  if (lua_rawgetp(L, -1, key) == LUA_TNIL) {
    lua_settop(L, -2);
    pushCopy(L, table, view);
    script->reader[i].copies = true;
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -3, key);
  }
  lua_replace(L, -2);
}

/// __index of a context, for a key that was not supplied: a field of the host's, a call, or nil. Upvalues: the fields, the calls.
static int indexOfContext(lua_State *L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) return 1;
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TTABLE || lua_type(L, 2) != LUA_TSTRING) return 1;
  int32_t view = clua_host(L)->viewRef;
  if (view != 0 && clua_hostNumber(L, 3) >= 0) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, view);
    lua_insert(L, 3);
    lua_call(L, 1, 1);
    return 1;
  }
  if (strcmp(lua_tostring(L, 2), "args") != 0 && strcmp(lua_tostring(L, 2), "modifiers") != 0) return 1;
  if (clua_host(L)->phase == CLUA_ASKING) {
    pushCopyForQuestion(L, 1, 2, 3, view);
    return 1;
  }
  pushCopy(L, 3, view);  // each perform has a copy, which it may change
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 4);
  lua_rawset(L, 1);
  return 1;
}

/// __pairs of a context: shows all that a handler can read, supplied values and the host's fields.
static int pairsOfContext(lua_State *L) {
  int32_t view = clua_host(L)->viewRef;
  bool isAsking = clua_host(L)->phase == CLUA_ASKING;
  lua_settop(L, 1);
  lua_pushnil(L);
  lua_createtable(L, 0, 16);
  for (int source = 0; source < 2; source++) {
    if (source == 0) lua_pushvalue(L, lua_upvalueindex(1));
    else lua_pushvalue(L, 1);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      if (view != 0 && source == 0 && clua_hostNumber(L, -1) >= 0) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, view);
        lua_insert(L, -2);
        lua_call(L, 1, 1);
      }
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, 3);
    }
    lua_settop(L, 3);
  }
  for (int i = 0; i < 2; i++) {  // scripts see copies, never the host's tables
    lua_pushstring(L, copied[i]);
    lua_getfield(L, 1, copied[i]);
    if (isAsking && lua_istable(L, 5)) {
      pushCopyForQuestion(L, 1, 4, 5, 0);
      lua_replace(L, 5);
    }
    lua_rawset(L, 3);
  }
  lua_pushcfunction(L, clua_baseNext);
  lua_replace(L, 2);
  lua_pushnil(L);
  return 3;
}

/// Makes the metatable of contexts that have the fields on top, which it replaces.
void clua_newContextMetatable(lua_State *L) {
  clua_Host *h = clua_host(L);
  lua_createtable(L, 0, 6);
  lua_pushvalue(L, -2);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->callsRef);
  lua_pushcclosure(L, indexOfContext, 2);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, pairsOfContext, 1);
  lua_setfield(L, -2, "__pairs");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushliteral(L, "context");
  lua_setfield(L, -2, "__name");
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, &contextKey);
  clua_markHostObject(L);
  lua_replace(L, -2);
}

bool clua_contextFields(lua_State *L, int32_t index) {
  if (!lua_getmetatable(L, index)) return false;
  if (lua_rawgetp(L, -1, &contextKey) == LUA_TTABLE) {
    lua_replace(L, -2);
    return true;
  }
  lua_settop(L, -3);
  return false;
}

void clua_setOrigin(lua_State *L, int32_t fields) { lua_rawsetp(L, fields, &originKey); }

void clua_pushBehindReader(lua_State *L, int index) {
  lua_pushvalue(L, index);
  if (!lua_getmetatable(L, -1)) return;
  if (lua_rawgetp(L, -1, &contextKey) == LUA_TNIL) {
    lua_settop(L, -2);
    lua_pushliteral(L, "__index");
    if (lua_rawget(L, -2) == LUA_TFUNCTION) {
      lua_settop(L, -2);
      lua_rawgetp(L, -1, &behindKey);
    }
    if (lua_istable(L, -1)) lua_replace(L, -3);
    else lua_settop(L, -2);
  } else {
    lua_settop(L, -2);
  }
  lua_settop(L, -2);
}

bool clua_origin(lua_State *L, int32_t index) {
  clua_pushBehindReader(L, index);
  bool found = clua_contextFields(L, -1);
  if (found) {
    found = lua_rawgetp(L, -1, &originKey) != LUA_TNIL;
    lua_replace(L, -3);
    lua_settop(L, -2);
  }
  if (!found) lua_settop(L, -2);
  return found;
}

void clua_setViewer(lua_State *L, int32_t view, int32_t show) {
  clua_host(L)->viewRef = view;
  clua_script(clua_host(L))->showRef = show;
}

void clua_newContext(lua_State *L, int32_t fields) {
  lua_createtable(L, 0, fields);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(clua_host(L))->providingRef);
  lua_setmetatable(L, -2);
}

void clua_setMetatable(lua_State *L, int32_t index, int32_t metatable) {
  index = lua_absindex(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable);
  lua_setmetatable(L, index);
}

// MARK: The reader of a context through which it can only be read. There is one for each depth of nested questions.

static clua_ContextReader newReader(clua_Host *h, lua_State *L) {
  clua_ContextReader reader;
  h->hostDepth++;
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 8);
  lua_pushcfunction(L, newIndexOfReader);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushliteral(L, "context");
  lua_setfield(L, -2, "__name");
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->pairsRef);
  lua_setfield(L, -2, "__pairs");
  clua_markHostObject(L);
  lua_pushvalue(L, -1);
  lua_setmetatable(L, -3);
  reader.metatable = luaL_ref(L, LUA_REGISTRYINDEX);
  reader.table = luaL_ref(L, LUA_REGISTRYINDEX);
  h->hostDepth--;
  return reader;
}

/// __index of a reader whose context has its own `args` or `modifiers`, which an earlier handler may have changed: copies those. Upvalue: the
/// context.
static int indexOfCopies(lua_State *L) {
  lua_settop(L, 2);
  for (int i = 0; i < 2 && lua_type(L, 2) == LUA_TSTRING; i++) {
    if (strcmp(lua_tostring(L, 2), copied[i]) != 0) continue;
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TTABLE) {
      pushCopyForQuestion(L, lua_upvalueindex(1), 2, 3, 0);
      return 1;
    }
    lua_settop(L, 2);
  }
  lua_gettable(L, lua_upvalueindex(1));
  return 1;
}

/// Makes the reader whose metatable is on top answer with copies of the context's own `args` and `modifiers`.
static void copyForReader(clua_Host *h, lua_State *L, int context) {
  h->hostDepth++;
  lua_pushvalue(L, context);
  lua_rawsetp(L, -2, &behindKey);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->indexKey);
  lua_pushvalue(L, context);
  lua_pushcclosure(L, indexOfCopies, 1);
  lua_rawset(L, -3);
  h->hostDepth--;
}

/// Whether the context holds its own `args` (name 0) or `modifiers` (1), copied when a handler read it.
static bool hasOwn(clua_Host *h, lua_State *L, int context, int name) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->copiedKeys[name]);
  bool has = lua_rawget(L, context) == LUA_TTABLE;
  lua_settop(L, -2);
  return has;
}

/// Pushes a reader of the context at the index; false if asking is nested too deep.
static bool openReader(clua_Host *h, lua_State *L, int context) {
  if (clua_script(h)->readers >= CLUA_READERS) return false;
  if (clua_script(h)->readers == clua_script(h)->readersMade) clua_script(h)->reader[clua_script(h)->readersMade++] = newReader(h, L);
  clua_ContextReader *reader = &clua_script(h)->reader[clua_script(h)->readers++];
  reader->context = lua_topointer(L, context);
  reader->copies = hasOwn(h, L, context, 0) || hasOwn(h, L, context, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reader->metatable);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->indexKey);
  lua_pushvalue(L, context);
  lua_rawset(L, -3);
  if (__builtin_expect(reader->copies, 0)) copyForReader(h, L, context);
  lua_settop(L, -2);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reader->table);
  return true;
}

/// Drops the copies of a closed reader, whose metatable is on top.
static void dropCopies(lua_State *L, clua_ContextReader *reader) {
  const void *keys[] = {&behindKey, &copied[0], &copied[1]};
  reader->copies = false;
  for (int i = 0; i < 3; i++) {
    lua_pushnil(L);
    lua_rawsetp(L, -2, keys[i]);
  }
}

void clua_closeOpenReaders(clua_Host *h, lua_State *L, int32_t remaining) {
  while (clua_script(h)->readers > remaining) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->reader[--clua_script(h)->readers].metatable);
    lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->indexKey);
    lua_pushcfunction(L, overContext);
    lua_rawset(L, -3);
    if (__builtin_expect(clua_script(h)->reader[clua_script(h)->readers].copies, 0)) {
      dropCopies(L, &clua_script(h)->reader[clua_script(h)->readers]);
    }
    lua_settop(L, -2);
  }
}

void clua_callAsking(clua_Host *h, lua_State *L, int context, bool onlyReads, int arguments, int results) {
  int32_t readers = clua_script(h)->readers;
  if (onlyReads) lua_pushvalue(L, context);
  else if (!openReader(h, L, context)) luaL_error(L, "questions are nested too deep");
  lua_call(L, arguments + 1, results);
  clua_closeReaders(h, L, readers);
}

/// __pairs of a reader: that of its context.
static int pairsOfReader(lua_State *L) {
  lua_settop(L, 1);
  clua_pushBehindReader(L, 1);
  lua_replace(L, 1);
  if (!clua_contextFields(L, 1)) return overContext(L);
  lua_settop(L, 1);
  lua_pushcfunction(L, clua_basePairs);
  lua_insert(L, 1);
  lua_call(L, 1, 3);
  return 3;
}

// MARK: The copy of a context that a provider may keep

/// Makes the first table hold what the second holds, and nothing else.
static void assign(lua_State *L, int to, int from) {
  lua_pushnil(L);
  while (lua_next(L, to)) {
    lua_settop(L, -2);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, from) == LUA_TNIL) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, to);
    } else {
      lua_settop(L, -2);
    }
  }
  lua_pushnil(L);
  while (lua_next(L, from)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, to);
  }
}

void clua_copyContext(lua_State *L, int32_t context) {
  context = lua_absindex(L, context);
  clua_newContext(L, 8);
  assign(L, lua_gettop(L), context);
}

void clua_returnContext(lua_State *L, int32_t context) {
  context = lua_absindex(L, context);
  int copy = lua_gettop(L);
  assign(L, context, copy);
  lua_createtable(L, 0, 0);
  assign(L, copy, lua_gettop(L));
  lua_settop(L, copy);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(clua_host(L))->overRef);
  lua_setmetatable(L, copy);
  lua_settop(L, copy - 1);
}

static void newOverMetatable(lua_State *L) {
  static const char *const names[] = {"__index", "__newindex", "__pairs"};
  lua_createtable(L, 0, 8);
  for (int i = 0; i < 3; i++) {
    lua_pushcfunction(L, overContext);
    lua_setfield(L, -2, names[i]);
  }
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushliteral(L, "context");
  lua_setfield(L, -2, "__name");
  clua_markHostObject(L);
}

void clua_openContexts(clua_Host *h, lua_State *L) {
  lua_pushliteral(L, "__index");
  clua_script(h)->indexKey = luaL_ref(L, LUA_REGISTRYINDEX);
  for (int i = 0; i < 2; i++) {
    lua_pushstring(L, copied[i]);
    clua_script(h)->copiedKeys[i] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  lua_pushcfunction(L, pairsOfReader);
  clua_script(h)->pairsRef = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_createtable(L, 0, 32);
  clua_script(h)->namesRef = luaL_ref(L, LUA_REGISTRYINDEX);
  // A context has calls but no fields while providers fill it.
  lua_createtable(L, 0, 0);
  clua_newContextMetatable(L);
  clua_script(h)->providingRef = luaL_ref(L, LUA_REGISTRYINDEX);
  newOverMetatable(L);
  clua_script(h)->overRef = luaL_ref(L, LUA_REGISTRYINDEX);
}

bool clua_pushReader(lua_State *L, int32_t context) { return openReader(clua_host(L), L, lua_absindex(L, context)); }

bool clua_pushWitnessedReader(lua_State *L, int32_t context) {
  clua_Host *h = clua_host(L);
  context = lua_absindex(L, context);
  if (!openReader(h, L, context)) {
    lua_settop(L, -2);
    return false;
  }
  lua_insert(L, -2);
  lua_getmetatable(L, -2);
  lua_pushvalue(L, context);
  lua_rawsetp(L, -2, &behindKey);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->indexKey);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_settop(L, -3);
  return true;
}

void clua_popReader(lua_State *L) {
  clua_Host *h = clua_host(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->reader[clua_script(h)->readers - 1].metatable);
  lua_pushnil(L);
  lua_rawsetp(L, -2, &behindKey);
  lua_settop(L, -2);
  clua_closeReaders(h, L, clua_script(h)->readers - 1);
}

void clua_pushContextCalls(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(clua_host(L))->callsRef); }
