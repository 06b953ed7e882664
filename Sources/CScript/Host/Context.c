// The context that a handler gets: a table that holds the supplied values. All contexts have one metatable, which gives access to the calls of a
// context and to the host's fields; Swift makes the table of fields when a script first reads one. Questions get a reader of the context, an
// empty table through which the context can only be read, and providers a supply, through which they write into it.

#include "Script.h"

#include <string.h>

static char originKey, fieldsKey, behindKey;

enum { READER = 0, SUPPLY = 1 };

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
  lua_rawgeti(L, LUA_REGISTRYINDEX, script->reader[i].metatable[script->reader[i].side]);
  if (lua_rawgetp(L, -1, key) == LUA_TNIL) {
    lua_settop(L, -2);
    pushCopy(L, table, view);
    script->reader[i].copies = true;
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -3, key);
  }
  lua_replace(L, -2);
}

bool clua_isHostName(clua_Host *h, lua_State *L, int index) {
  index = lua_absindex(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->namesRef);
  lua_pushvalue(L, index);
  bool isOne = lua_rawget(L, -2) != LUA_TNIL;
  lua_settop(L, -3);
  return isOne;
}

void clua_addHostName(lua_State *L, int32_t name, bool isField) {
  clua_Script *script = clua_script(clua_host(L));
  const int32_t tables[] = {script->namesRef, script->callsRef};
  for (int i = 0; i < (isField ? 2 : 1); i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, tables[i]);
    lua_rawgeti(L, LUA_REGISTRYINDEX, name);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_settop(L, -2);
  }
}

bool clua_isContext(lua_State *L, int32_t index) {
  if (!lua_getmetatable(L, index)) return false;
  bool isOne = lua_topointer(L, -1) == clua_script(clua_host(L))->contextMeta;
  lua_settop(L, -2);
  return isOne;
}

/// Pushes the host's fields of the context at the index, which Swift makes the first time; false, pushing nothing, if it has no request.
static bool pushFields(lua_State *L, int context) {
  clua_Host *h = clua_host(L);
  if (lua_rawgetp(L, context, &fieldsKey) == LUA_TTABLE) return true;
  lua_settop(L, -2);
  lua_rawgetp(L, context, &originKey);
  void *origin = clua_object(L, -1, CLUA_OBJECT);
  lua_settop(L, -2);
  if (origin == NULL) return false;
  luaL_checkstack(L, 64, NULL);
  clua_checkStack(h, L);
  h->hostDepth++;
  bool isMade = clua_script(h)->fill(clua_script(h)->filler, L, origin);
  h->hostDepth--;
  if (!isMade) return false;
  lua_pushvalue(L, -1);
  lua_rawsetp(L, context, &fieldsKey);
  return true;
}

/// Replaces the responder on top by what the script that reads it may see of it.
static void viewTop(lua_State *L, int32_t view) {
  if (view == 0 || !lua_istable(L, -1) || clua_hostNumber(L, -1) < 0) return;
  lua_rawgeti(L, LUA_REGISTRYINDEX, view);
  lua_insert(L, -2);
  lua_call(L, 1, 1);
}

/// __index of a context, for a key that was not supplied: a call, a field of the host's, or nil. The upvalue has the calls, and true for the
/// name of each field.
static int indexOfContext(lua_State *L) {
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TBOOLEAN) return 1;
  lua_settop(L, 2);
  if (!pushFields(L, 1)) return 0;
  lua_pushvalue(L, 2);
  if (lua_rawget(L, 3) != LUA_TTABLE) return 1;
  int32_t view = clua_host(L)->viewRef;
  if (clua_hostNumber(L, 4) >= 0) {
    viewTop(L, view);
    return 1;
  }
  if (strcmp(lua_tostring(L, 2), copied[0]) != 0 && strcmp(lua_tostring(L, 2), copied[1]) != 0) return 1;
  if (clua_host(L)->phase == CLUA_ASKING) {
    pushCopyForQuestion(L, 1, 2, 4, view);
    return 1;
  }
  pushCopy(L, 4, view);  // each perform has a copy, which it may change
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 5);
  lua_rawset(L, 1);
  clua_script(clua_host(L))->hasCopies = true;
  return 1;
}

/// __pairs of a context: shows all that a handler can read, supplied values and the host's fields.
static int pairsOfContext(lua_State *L) {
  clua_Host *h = clua_host(L);
  bool isAsking = h->phase == CLUA_ASKING;
  lua_settop(L, 1);
  lua_pushnil(L);
  lua_createtable(L, 0, 16);
  for (int source = 0; source < 2; source++) {
    if (source == 1) lua_pushvalue(L, 1);
    else if (!pushFields(L, 1)) continue;
    lua_pushnil(L);
    while (lua_next(L, 4)) {
      if (clua_isHiddenKey(h, L, -2)) {
        lua_settop(L, -2);
        continue;
      }
      if (source == 0) viewTop(L, h->viewRef);
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

/// Makes the metatable of all contexts.
static void newContextMetatable(clua_Host *h, lua_State *L) {
  lua_createtable(L, 0, 6);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->callsRef);
  lua_pushcclosure(L, indexOfContext, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, pairsOfContext);
  lua_setfield(L, -2, "__pairs");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushliteral(L, "context");
  lua_setfield(L, -2, "__name");
  clua_markHostObject(L);
  clua_script(h)->contextMeta = lua_topointer(L, -1);
  clua_script(h)->contextRef = luaL_ref(L, LUA_REGISTRYINDEX);
}

void clua_setFiller(lua_State *L, void *filler, clua_Fill fill) {
  clua_script(clua_host(L))->filler = filler;
  clua_script(clua_host(L))->fill = fill;
}

void clua_newContext(lua_State *L, int32_t fields, void *origin) {
  lua_createtable(L, 0, fields + 1);
  clua_pushObject(L, origin);
  lua_rawsetp(L, -2, &originKey);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(clua_host(L))->contextRef);
  lua_setmetatable(L, -2);
}

void clua_forgetFields(lua_State *L, int32_t context) {
  context = lua_absindex(L, context);
  lua_pushnil(L);
  lua_rawsetp(L, context, &fieldsKey);
}

void clua_pushBehindReader(lua_State *L, int index) {
  lua_pushvalue(L, index);
  if (clua_isContext(L, -1) || !lua_getmetatable(L, -1)) return;
  lua_pushliteral(L, "__index");
  if (lua_rawget(L, -2) == LUA_TFUNCTION) {
    lua_settop(L, -2);
    lua_rawgetp(L, -1, &behindKey);
  }
  if (lua_istable(L, -1)) lua_replace(L, -3);
  else lua_settop(L, -2);
  lua_settop(L, -2);
}

void *clua_origin(lua_State *L, int32_t index) {
  clua_pushBehindReader(L, index);
  void *origin = NULL;
  if (clua_isContext(L, -1)) {
    lua_rawgetp(L, -1, &originKey);
    origin = clua_object(L, -1, CLUA_OBJECT);
    lua_settop(L, -2);
  }
  lua_settop(L, -2);
  return origin;
}

void clua_setViewer(lua_State *L, int32_t view, int32_t show) {
  clua_host(L)->viewRef = view;
  clua_script(clua_host(L))->showRef = show;
}

// MARK: Readers, through which a context can only be read, and supplies, through which a provider writes. There is one of each for each depth
// of nested questions.

/// __newindex of a supply: writes into the context, and notes what it may not write, the host's names. The upvalue is the supply's depth.
static int newIndexOfSupply(lua_State *L) {
  clua_Host *h = clua_host(L);
  lua_settop(L, 3);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->reader[lua_tointeger(L, lua_upvalueindex(1))].metatable[SUPPLY]);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->indexKey);
  if (lua_rawget(L, 4) != LUA_TTABLE) return overContext(L);
  if (lua_type(L, 2) == LUA_TSTRING && clua_isHostName(h, L, 2)) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->refusedRef);
    lua_pushvalue(L, 2);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    clua_script(h)->hasRefused = true;
    return 0;
  }
  lua_replace(L, 4);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_rawset(L, 4);
  return 0;
}

/// Makes the reader of a depth, or its supply.
static void newReader(clua_Host *h, lua_State *L, int32_t depth, int side) {
  h->hostDepth++;
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 8);
  lua_pushinteger(L, depth);
  lua_pushcclosure(L, side == SUPPLY ? newIndexOfSupply : newIndexOfReader, 1);
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
  clua_script(h)->reader[depth].metatable[side] = luaL_ref(L, LUA_REGISTRYINDEX);
  clua_script(h)->reader[depth].table[side] = luaL_ref(L, LUA_REGISTRYINDEX);
  h->hostDepth--;
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

/// Pushes a reader of the context at the index, or a supply for it; false if asking is nested too deep.
static bool openReader(clua_Host *h, lua_State *L, int context, int side) {
  int32_t depth = clua_script(h)->readers;
  if (depth >= CLUA_READERS) return false;
  clua_ContextReader *reader = &clua_script(h)->reader[depth];
  if (reader->table[side] == 0) newReader(h, L, depth, side);
  clua_script(h)->readers++;
  reader->side = side;
  reader->context = lua_topointer(L, context);
  reader->copies = clua_script(h)->hasCopies && (hasOwn(h, L, context, 0) || hasOwn(h, L, context, 1));
  lua_rawgeti(L, LUA_REGISTRYINDEX, reader->metatable[side]);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->indexKey);
  lua_pushvalue(L, context);
  lua_rawset(L, -3);
  if (reader->copies) copyForReader(h, L, context);
  lua_settop(L, -2);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reader->table[side]);
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
    clua_ContextReader *reader = &clua_script(h)->reader[--clua_script(h)->readers];
    lua_rawgeti(L, LUA_REGISTRYINDEX, reader->metatable[reader->side]);
    lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->indexKey);
    lua_pushcfunction(L, overContext);
    lua_rawset(L, -3);
    if (reader->copies) dropCopies(L, reader);
    lua_settop(L, -2);
  }
}

/// __pairs of a reader: that of its context.
static int pairsOfReader(lua_State *L) {
  lua_settop(L, 1);
  clua_pushBehindReader(L, 1);
  lua_replace(L, 1);
  if (!clua_isContext(L, 1)) return overContext(L);
  lua_pushcfunction(L, clua_basePairs);
  lua_insert(L, 1);
  lua_call(L, 1, 3);
  return 3;
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
  lua_createtable(L, 0, 4);
  clua_script(h)->refusedRef = luaL_ref(L, LUA_REGISTRYINDEX);
  newContextMetatable(h, L);
}

bool clua_pushReader(lua_State *L, int32_t context) { return openReader(clua_host(L), L, lua_absindex(L, context), READER); }

bool clua_pushSupply(lua_State *L, int32_t context) { return openReader(clua_host(L), L, lua_absindex(L, context), SUPPLY); }

bool clua_pushSupplied(lua_State *L, int32_t index) {
  clua_Script *script = clua_script(clua_host(L));
  if (clua_isContext(L, index)) {
    lua_pushvalue(L, index);
    return true;
  }
  for (int32_t i = script->readers - 1; i >= 0; i--) {
    if (script->reader[i].side != SUPPLY) continue;
    lua_rawgeti(L, LUA_REGISTRYINDEX, script->reader[i].table[SUPPLY]);
    bool isIt = lua_rawequal(L, -1, index);
    lua_settop(L, -2);
    if (!isIt) continue;
    clua_pushBehindReader(L, index);
    return true;
  }
  return false;
}

bool clua_nextRefused(lua_State *L) {
  clua_Script *script = clua_script(clua_host(L));
  if (!script->hasRefused) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, script->refusedRef);
  lua_pushnil(L);
  if (!lua_next(L, -2)) {
    script->hasRefused = false;
    lua_settop(L, -2);
    return false;
  }
  lua_settop(L, -2);
  lua_pushvalue(L, -1);
  lua_pushnil(L);
  lua_rawset(L, -4);
  lua_replace(L, -2);
  return true;
}

bool clua_pushWitnessedReader(lua_State *L, int32_t context) {
  clua_Host *h = clua_host(L);
  context = lua_absindex(L, context);
  if (!openReader(h, L, context, READER)) {
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
  if (clua_script(h)->reader[clua_script(h)->readers - 1].side == SUPPLY) return clua_closeReaders(h, L, clua_script(h)->readers - 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->reader[clua_script(h)->readers - 1].metatable[READER]);
  lua_pushnil(L);
  lua_rawsetp(L, -2, &behindKey);
  lua_settop(L, -2);
  clua_closeReaders(h, L, clua_script(h)->readers - 1);
}

void clua_pushContextCalls(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(clua_host(L))->callsRef); }
