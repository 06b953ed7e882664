// The context of a handler: a table with the supplied values. Its metatable has the calls and the host's fields, which
// Swift makes when a script first reads one. Each context has a record, a clua_Context, and a *reader*: an empty table
// with which questions read the context. Only providers write through it.

#include "Script.h"

#include <string.h>

static char recordKey, fieldsKey, behindKey;

enum { SPARE_RECORDS = 64 };  // more than contexts are ever nested

/// The fields with tables of the host.
static const char *const copied[] = {"args", "modifiers"};

static int overContext(lua_State *L) {
  return luaL_error(L, "this context is over: it is valid only during the call that received it");
}

/// Returns the record of the context at the index; NULL if Swift's object is gone or replaced by its remainder.
static clua_Context *recordOf(lua_State *L, int context) {
  lua_rawgetp(L, context, &recordKey);
  clua_Context *c = lua_islightuserdata(L, -1) ? lua_touserdata(L, -1) : NULL;
  lua_settop(L, -2);
  return c != NULL && c->address == lua_topointer(L, context) ? c : NULL;
}

/// __newindex of a read-only reader.
static int newIndexOfReader(lua_State *L) {
  lua_settop(L, 2);
  lua_getmetatable(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(clua_host(L))->indexKey);
  lua_rawget(L, 3);
  if (lua_tocfunction(L, -1) == overContext) return overContext(L);
  if (lua_type(L, 2) == LUA_TSTRING)
    return luaL_error(L, "'%s' can't be set: here the context can only be read", lua_tostring(L, 2));
  return luaL_error(L, "the context can only be read here");
}

/// Pushes a copy of a host table. The function `view`, if not 0, replaces each responder by the reading script's view.
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

/// Pushes the question's copy of `args` or `modifiers`: made once, kept with the reader, dropped with the answer.
static void pushCopyForQuestion(lua_State *L, int context, int name, int table, int32_t view) {
  const void *key = strcmp(lua_tostring(L, name), copied[0]) == 0 ? &copied[0] : &copied[1];
  clua_Context *c = recordOf(L, context);
  if (c == NULL || c->asked == 0) return pushCopy(L, table, view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->metatable);
  if (lua_rawgetp(L, -1, key) == LUA_TNIL) {
    lua_settop(L, -2);
    pushCopy(L, table, view);
    c->hasCopies = true;
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -3, key);
  }
  lua_replace(L, -2);
}

bool clua_isHostName(clua_Host *h, lua_State *L, int index) {
  // Short strings have the same text only if they have the same address.
  if (lua_type(L, index) != LUA_TSTRING) return false;
  const clua_Script *script = clua_script(h);
  const char *text = lua_tostring(L, index);
  for (int i = 0; i < script->nameCount; i++)
    if (script->names[i] == text) return true;
  return false;
}

void clua_addHostName(lua_State *L, int32_t name, bool isField) {
  clua_Script *script = clua_script(clua_host(L));
  lua_rawgeti(L, LUA_REGISTRYINDEX, name);
  if (script->nameCount < CLUA_NAMES) script->names[script->nameCount++] = lua_tostring(L, -1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, script->callsRef);
  lua_insert(L, -2);
  lua_pushboolean(L, 1);
  if (isField) lua_rawset(L, -3);
  else lua_settop(L, -3);
  lua_settop(L, -2);
}

bool clua_isContext(lua_State *L, int32_t index) {
  if (!lua_getmetatable(L, index)) return false;
  bool isOne = lua_topointer(L, -1) == clua_script(clua_host(L))->contextMeta;
  lua_settop(L, -2);
  return isOne;
}

/// Pushes the host's fields of the context, which Swift makes on demand; false, pushing nothing, without a request.
static bool pushFields(lua_State *L, int context) {
  clua_Host *h = clua_host(L);
  if (lua_rawgetp(L, context, &fieldsKey) == LUA_TTABLE) return true;
  lua_settop(L, -2);
  clua_Context *c = recordOf(L, context);
  lua_rawgetp(L, context, &recordKey);
  void *left = clua_object(L, -1, CLUA_OBJECT);
  lua_settop(L, -2);
  if (c == NULL && left == NULL) return false;
  luaL_checkstack(L, 64, NULL);
  clua_checkStack(h, L);
  h->hostDepth++;
  bool isMade = clua_script(h)->fill(clua_script(h)->filler, L, c != NULL ? c->object : NULL, left);
  h->hostDepth--;
  if (!isMade) return false;
  if (c != NULL) c->hasFields = true;
  lua_pushvalue(L, -1);
  lua_rawsetp(L, context, &fieldsKey);
  return true;
}

/// Replaces the responder on top by the reading script's view of it.
static void viewTop(lua_State *L, int32_t view) {
  if (view == 0 || !lua_istable(L, -1) || clua_hostNumber(L, -1) < 0) return;
  lua_rawgeti(L, LUA_REGISTRYINDEX, view);
  lua_insert(L, -2);
  lua_call(L, 1, 1);
}

/// __index of a context, for a key that was not supplied: a call, a field of the host, or nil. The upvalue has the
/// calls, and true for the name of each field.
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

/// __pairs of a context: iterates over all readable values, both supplied values and the host's fields.
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
  clua_markHostMetatable(L, -1);
  clua_script(h)->contextMeta = lua_topointer(L, -1);
  clua_script(h)->contextRef = luaL_ref(L, LUA_REGISTRYINDEX);
}

void clua_setFiller(lua_State *L, void *filler, clua_Fill fill) {
  clua_script(clua_host(L))->filler = filler;
  clua_script(clua_host(L))->fill = fill;
}

// MARK: Records

/// Releases a record that is unused apart from the context, which a script may still have.
static void dropRecord(lua_State *L, const clua_Context *c) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
  if (lua_rawgetp(L, -1, &recordKey) == LUA_TLIGHTUSERDATA) {
    lua_pushnil(L);
    lua_rawsetp(L, -3, &recordKey);
  }
  lua_settop(L, -3);
  const int32_t references[] = {c->table, c->reader, c->metatable, c->itself};
  for (int i = 0; i < 4; i++)
    if (references[i] != 0) clua_release(L, references[i]);
}

/// Adds a record to the free list, or releases it if there are enough.
static void spare(lua_State *L, clua_Context *c) {
  clua_Script *script = clua_script(clua_host(L));
  clua_closeReader(L, c);
  if (script->spareCount == SPARE_RECORDS) return dropRecord(L, c);
  script->spareCount++;
  lua_pushboolean(L, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, c->table);
  c->next = script->spare;
  script->spare = c;
}

static clua_Context *newRecord(lua_State *L) {
  clua_Context *c = lua_newuserdatauv(L, sizeof *c, 0);
  *c = (clua_Context){0};
  c->itself = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_pushboolean(L, 0);
  c->table = luaL_ref(L, LUA_REGISTRYINDEX);
  return c;
}

clua_Context *clua_newContext(lua_State *L) {
  clua_Script *script = clua_script(clua_host(L));
  lua_checkstack(L, 8);
  while (script->ended != NULL) {
    clua_Context *c = script->ended;
    script->ended = c->next;
    spare(L, c);
  }
  clua_Context *c = script->spare;
  if (c != NULL) {
    script->spare = c->next;
    script->spareCount--;
  } else {
    c = newRecord(L);
  }
  lua_createtable(L, 0, script->contextSize);
  lua_pushlightuserdata(L, c);
  lua_rawsetp(L, -2, &recordKey);
  lua_rawgeti(L, LUA_REGISTRYINDEX, script->contextRef);
  lua_setmetatable(L, -2);
  c->address = lua_topointer(L, -1);
  c->hasFields = false;
  lua_rawseti(L, LUA_REGISTRYINDEX, c->table);
  return c;
}

void clua_dropContext(lua_State *L, clua_Context *c) {
  c->address = NULL;
  c->object = NULL;
  c->next = clua_script(clua_host(L))->ended;
  clua_script(clua_host(L))->ended = c;
}

void clua_setFields(lua_State *L, clua_Context *c) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
  lua_insert(L, -2);
  lua_rawsetp(L, -2, &fieldsKey);
  lua_settop(L, -2);
  c->hasFields = true;
}

void clua_leave(lua_State *L, const clua_Context *c, void *retained) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
  clua_pushObject(L, retained);
  lua_rawsetp(L, -2, &recordKey);
  lua_settop(L, -2);
}

void clua_forgetFields(lua_State *L, clua_Context *c) {
  if (!c->hasFields) return;
  lua_pushnil(L);
  clua_setFields(L, c);
  c->hasFields = false;
}

bool clua_findContext(lua_State *L, int32_t index, void **object) {
  clua_pushBehindReader(L, index);
  bool isOne = clua_isContext(L, -1);
  const clua_Context *c = isOne ? recordOf(L, lua_gettop(L)) : NULL;
  *object = c != NULL ? c->object : NULL;
  lua_settop(L, -2);
  return isOne;
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

void clua_setViewer(lua_State *L, int32_t view, int32_t show) {
  clua_host(L)->viewRef = view;
  clua_script(clua_host(L))->showRef = show;
}

// MARK: Readers

/// Makes the reader of a record.
static void newReader(clua_Host *h, lua_State *L, clua_Context *c) {
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
  clua_markHostMetatable(L, -1);
  lua_pushvalue(L, -1);
  lua_setmetatable(L, -3);
  c->metatable = luaL_ref(L, LUA_REGISTRYINDEX);
  c->reader = luaL_ref(L, LUA_REGISTRYINDEX);
  h->hostDepth--;
}

/// Pops a value and makes it a metamethod of a record's reader. `name` is the reference of its name.
static void setMetamethod(lua_State *L, const clua_Context *c, int32_t name) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->metatable);
  lua_rawgeti(L, LUA_REGISTRYINDEX, name);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_settop(L, -3);
}

/// Connects the reader of a record to the context.
static void openReader(clua_Host *h, lua_State *L, clua_Context *c) {
  if (c->isOpen) return;
  if (c->reader == 0) newReader(h, L, c);
  c->isOpen = true;
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
  setMetamethod(L, c, clua_script(h)->indexKey);
}

/// Makes the reader of a record read-only.
static void refuseWriting(lua_State *L, clua_Context *c) {
  c->isWritable = false;
  lua_pushcfunction(L, newIndexOfReader);
  setMetamethod(L, c, clua_script(clua_host(L))->newIndexKey);
}

void clua_closeReader(lua_State *L, clua_Context *c) {
  if (!c->isOpen) return;
  c->isOpen = false;
  lua_pushcfunction(L, overContext);
  setMetamethod(L, c, clua_script(clua_host(L))->indexKey);
}

/// __index of a reader whose context has its own `args` or `modifiers`: copies those, as a handler may have changed
/// them. Upvalue: the context.
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

/// Returns true if the context has its own `args` (name 0) or `modifiers` (1), copied for a handler.
static bool hasOwn(clua_Host *h, lua_State *L, const clua_Context *c, int name) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->copiedKeys[name]);
  bool has = lua_rawget(L, -2) == LUA_TTABLE;
  lua_settop(L, -3);
  return has;
}

/// Pops a function and makes it answer reads from the reader during a question.
static void divert(lua_State *L, clua_Context *c) {
  c->isDiverted = true;
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->metatable);
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
  lua_rawsetp(L, -2, &behindKey);
  lua_settop(L, -2);
  setMetamethod(L, c, clua_script(clua_host(L))->indexKey);
}

/// Opens the reader for a question. The referenced function, if it isn't 0, becomes its __index.
static void beginAsking(clua_Host *h, lua_State *L, clua_Context *c, int32_t witness) {
  h->hostDepth++;
  openReader(h, L, c);
  c->asked++;
  if (witness != 0) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, witness);
    divert(L, c);
  } else if (clua_script(h)->hasCopies && (hasOwn(h, L, c, 0) || hasOwn(h, L, c, 1))) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
    lua_pushcclosure(L, indexOfCopies, 1);
    divert(L, c);
  }
  h->hostDepth--;
}

static void endAsking(clua_Host *h, lua_State *L, clua_Context *c) {
  if (--c->asked > 0 || !(c->isDiverted || c->hasCopies)) return;
  const void *keys[] = {&behindKey, &copied[0], &copied[1]};
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->metatable);
  for (int i = 0; i < 3; i++) {
    lua_pushnil(L);
    lua_rawsetp(L, -2, keys[i]);
  }
  lua_settop(L, -2);
  if (c->isDiverted) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
    setMetamethod(L, c, clua_script(h)->indexKey);
  }
  c->isDiverted = c->hasCopies = false;
}

/// Calls a function in a phase, with these arguments and then the reader.
static int32_t callWithReader(clua_Host *h, lua_State *L, const clua_Context *c, int32_t phase, int32_t arguments, int32_t results) {
  int32_t before = h->phase;
  h->phase = phase;
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->reader);
  int32_t status = clua_call(L, arguments + 1, results);
  h->phase = before;
  return status;
}

int32_t clua_ask(lua_State *L, clua_Context *c, int32_t witness, int32_t arguments, int32_t results) {
  clua_Host *h = clua_host(L);
  lua_checkstack(L, 12);
  beginAsking(h, L, c, witness);
  int32_t status = callWithReader(h, L, c, CLUA_ASKING, arguments, results);
  endAsking(h, L, c);
  return status;
}

// MARK: Providers

int32_t clua_provide(lua_State *L, clua_Context *c, int32_t group, int32_t arguments) {
  clua_Host *h = clua_host(L);
  lua_checkstack(L, 12);
  openReader(h, L, c);
  if (!c->isWritable) {
    c->isWritable = true;
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
    setMetamethod(L, c, clua_script(h)->newIndexKey);
  }
  clua_script(h)->group = group;
  return callWithReader(h, L, c, CLUA_PROVIDING, arguments, 0);
}

int32_t clua_endProviding(lua_State *L, clua_Context *c) {
  clua_Host *h = clua_host(L);
  if (!c->isWritable) return 0;
  lua_checkstack(L, CLUA_NAMES + 8);
  refuseWriting(L, c);
  lua_rawgeti(L, LUA_REGISTRYINDEX, c->table);
  int32_t table = lua_gettop(L), size = 0, refused = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    size++;
    lua_settop(L, -2);
    if (!clua_isHostName(h, L, -1)) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, table);
    lua_pushvalue(L, -1);
    lua_insert(L, table);
    table++;
    refused++;
  }
  lua_settop(L, -2);
  clua_script(h)->contextSize = size + 2;  // most have an argument and the host's fields too
  return refused;
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
  lua_pushliteral(L, "__newindex");
  clua_script(h)->newIndexKey = luaL_ref(L, LUA_REGISTRYINDEX);
  for (int i = 0; i < 2; i++) {
    lua_pushstring(L, copied[i]);
    clua_script(h)->copiedKeys[i] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  lua_pushcfunction(L, pairsOfReader);
  clua_script(h)->pairsRef = luaL_ref(L, LUA_REGISTRYINDEX);
  clua_script(h)->contextSize = 8;
  newContextMetatable(h, L);
}

bool clua_pushSupplied(lua_State *L, int32_t index) {
  if (clua_isContext(L, index)) {
    lua_pushvalue(L, index);
    return true;
  }
  if (!lua_getmetatable(L, index)) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(clua_host(L))->newIndexKey);
  lua_rawget(L, -2);
  bool isSupplied = clua_isContext(L, -1);
  if (isSupplied) lua_replace(L, -2);
  else lua_settop(L, -3);
  return isSupplied;
}

void clua_pushContextCalls(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(clua_host(L))->callsRef); }

// Finds the values of a provider, by comparing a context with a copy made before the provider ran.

void clua_copyTable(lua_State *L) {
  int table = lua_gettop(L);
  lua_checkstack(L, 8);
  lua_createtable(L, 0, 8);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_remove(L, table);
}

bool clua_nextOther(lua_State *L, int32_t index, int32_t before) {
  while (lua_next(L, index)) {
    lua_pushvalue(L, -2);
    lua_rawget(L, before);
    bool same = lua_rawequal(L, -1, -2);
    lua_settop(L, same ? -3 : -2);
    if (!same) return true;
  }
  return false;
}
