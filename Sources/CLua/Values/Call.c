// The entries into script code, and the trampoline with which scripts call Swift. A raise begins and ends in this
// target: no Swift frame is ever between the two.

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

// MARK: Leaving and entering host mode

typedef struct {
  int32_t hostDepth;
  lua_State *running;
} Mode;

static inline Mode leaveHost(clua_Host *h, lua_State *L) {
  Mode before = {h->hostDepth, h->running};
  h->hostDepth = 0;
  h->running = L;
  if (h->depth++ == 0) {
    h->lookedAt = 0;  // the host's time doesn't count as that of instructions
    __atomic_store_n(&h->pulse->isRunning, 1, __ATOMIC_RELAXED);
  }
  return before;
}

static inline void returnToHost(clua_Host *h, Mode before) {
  h->hostDepth = before.hostDepth;
  h->running = before.running;
  if (--h->depth == 0) __atomic_store_n(&h->pulse->isRunning, 0, __ATOMIC_RELAXED);
}

/// Replaces the value on top by a record of the spent limit and its place.
static int32_t recordTrip(clua_Host *h, lua_State *L) {
  lua_settop(L, lua_gettop(L) - 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->tripRefs[h->tripped]);
  clua_recordPlain(h, L, h->spent.line > 0 ? h->spent.source : NULL, h->spent.line);
  lua_pushinteger(L, h->tripped);
  lua_rawseti(L, -2, CLUA_ERROR_LIMIT);
  return CLUA_LIMIT;
}

/// Clears a spent limit when the outermost entry ends outside of any allowance.
static void settle(clua_Host *h) {
  if (h->depth == 0 && h->levels[h->top].isOutside) clua_settle(h);
}

/// Returns the status of a failed entry, and makes the error value on top a record.
static int32_t failed(clua_Host *h, lua_State *L, int status) {
  bool block = h->refusedBlock && !h->refusedStack;
  if (status == LUA_ERRMEM) clua_caughtMemory(h, L, false);
  if (h->tripped != CLUA_TRIP_NONE) {
    int32_t result = recordTrip(h, L);
    settle(h);
    return result;
  }
  if (status != LUA_ERRMEM) {
    clua_record(h, L, L, 0);
    return CLUA_ERROR;
  }
  clua_recordPlain(h, L, h->spent.line > 0 ? h->spent.source : NULL, h->spent.line);
  return block ? CLUA_MEMORY : CLUA_ERROR;
}

/// Refuses an entry because a limit is spent already. Pops the values of the call.
static int32_t refuseEntry(clua_Host *h, lua_State *L, int32_t taken) {
  lua_settop(L, lua_gettop(L) - taken);
  lua_pushnil(L);
  return recordTrip(h, L);
}

// MARK: Calls

static inline int32_t enter(clua_Host *h, lua_State *L, int nargs, int nresults, int handler) {
  Mode before = leaveHost(h, L);
  int status = lua_pcall(L, nargs, nresults, handler);
  returnToHost(h, before);
  return status;
}

/// Makes a call inside another call, or on a coroutine, with its own message handler below the function.
static __attribute__((noinline)) int32_t nestedCall(clua_Host *h, lua_State *L, int nargs, int nresults) {
  if (!lua_checkstack(L, 4)) {
    lua_settop(L, lua_gettop(L) - nargs - 1);
    lua_pushliteral(L, "stack overflow");
    clua_recordPlain(h, L, NULL, 0);
    return CLUA_ERROR;
  }
  int handler = lua_gettop(L) - nargs;
  lua_pushcfunction(L, clua_report);
  lua_insert(L, handler);
  int status = enter(h, L, nargs, nresults, handler);
  lua_remove(L, handler);
  return status == LUA_OK ? CLUA_OK : failed(h, L, status);
}

/// Calls the function on the stack. An outermost call uses the message handler at the bottom of the main stack.
static inline __attribute__((always_inline)) int32_t call(clua_Host *h, lua_State *L, int nargs, int nresults) {
  if (__builtin_expect(h->tripped != CLUA_TRIP_NONE, 0)) return refuseEntry(h, L, nargs + 1);
  if (__builtin_expect(h->depth > 0 || L != h->main, 0)) return nestedCall(h, L, nargs, nresults);
  // Unused stack slots may still hold values of an earlier script; now all slots are free.
  if (__builtin_expect(h->live > h->ceiling, 0)) lua_gc(L, LUA_GCCOLLECT);
  int status = enter(h, L, nargs, nresults, 1);
  return __builtin_expect(status == LUA_OK, 1) ? CLUA_OK : failed(h, L, status);
}

int32_t clua_call(lua_State *L, int32_t nargs, int32_t nresults) { return call(clua_host(L), L, nargs, nresults); }

static int32_t resume(clua_Host *h, lua_State *co, lua_State *from, int32_t nargs, int32_t *nresults) {
  clua_shorten(co, h->period);
  Mode before = leaveHost(h, co);
  int status = lua_resume(co, from, nargs, nresults);
  returnToHost(h, before);
  if (status == LUA_OK) return CLUA_OK;
  if (status == LUA_YIELD) return CLUA_YIELDED;
  *nresults = 0;
  return failed(h, co, status);
}

int32_t clua_resumeKnown(lua_State *co, lua_State *from, int32_t nargs, int32_t *nresults) {
  clua_Host *h = clua_host(co);
  *nresults = 0;
  return h->tripped != CLUA_TRIP_NONE ? refuseEntry(h, co, nargs) : resume(h, co, from, nargs, nresults);
}

// MARK: Loading

/// Replaces the compiler's message on top by a record. The message is "chunk:line: error" with a cut chunk name.
static int32_t recordSyntax(clua_Host *h, lua_State *L, const char *chunkName) {
  const char *message = lua_tostring(L, -1);
  const char *what = message;
  int32_t line = 0;
  size_t shown = strlen(chunkName) - 1;
  if (shown > LUA_IDSIZE - 1) shown = LUA_IDSIZE - 1;
  if (strncmp(message, chunkName + 1, shown) != 0) shown = 0;
  for (const char *colon = strchr(message + shown, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
    char *end;
    long n = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || n <= 0 || strncmp(end, ": ", 2) != 0) continue;
    what = end + 2;
    line = (int32_t)n;
    break;
  }
  lua_pushstring(L, what);
  lua_replace(L, -2);
  clua_recordPlain(h, L, chunkName, line);
  return CLUA_SYNTAX;
}

/// Loads a chunk of mode "t" or "b", whose text had `text` bytes.
static int32_t load(lua_State *L, const char *bytes, size_t length, size_t text, const char *chunkName, const char *mode,
                    int32_t environment, int32_t owner) {
  clua_Host *h = clua_host(L);
  if (h->tripped != CLUA_TRIP_NONE) return refuseEntry(h, L, 0);
  int32_t line = *mode == 't' ? h->limits.longName(bytes, length) : 0;
  if (line > 0) {
    lua_pushfstring(L, CLUA_LONG_NAME, CLUA_PARTS);
    clua_recordPlain(h, L, chunkName, line);
    return CLUA_SYNTAX;
  }
  Mode before = leaveHost(h, L);
  int status = *mode == 'b' ? clua_loadMarked(L, bytes, length, chunkName, owner) : luaL_loadbufferx(L, bytes, length, chunkName, mode);
  if (status == LUA_OK && *mode == 't') status = clua_mark(L, chunkName, owner);
  returnToHost(h, before);
  h->used += text;
  if (status == LUA_ERRSYNTAX) return recordSyntax(h, L, chunkName);
  if (status == LUA_ERRRUN) {  // the compiler's only other error is "C stack overflow", without a line
    lua_pushliteral(L, "the source is nested too deeply");
    lua_replace(L, -2);
    clua_recordPlain(h, L, NULL, 0);
    return CLUA_SYNTAX;
  }
  if (status != LUA_OK) return failed(h, L, status);
  if (environment != 0) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, environment);
    if (lua_setupvalue(L, -2, 1) == NULL) lua_settop(L, -2);
  }
  clua_noteChunk(L, chunkName, owner);
  return CLUA_OK;
}

int32_t clua_load(lua_State *L, const char *text, size_t length, const char *chunkName, int32_t environment, int32_t owner) {
  return load(L, text, length, length, chunkName, "t", environment, owner);
}

int32_t clua_loadCode(lua_State *L, const clua_Code *code, const char *chunkName, int32_t environment, int32_t owner) {
  return load(L, code->bytes, code->length, code->text, chunkName, "b", environment, owner);
}

// MARK: Operations with metamethods: a light C function, which allocates nothing, inside a protected call

static int indexValue(lua_State *L) {
  lua_gettable(L, 1);
  return 1;
}

static int describeValue(lua_State *L) {
  clua_tostring(L, 1, NULL);
  return 1;
}

static int describeRaised(lua_State *L) {
  switch (lua_type(L, 1)) {
    case LUA_TTABLE: case LUA_TFUNCTION: case LUA_TUSERDATA: case LUA_TLIGHTUSERDATA: case LUA_TTHREAD:
      // The number in the text of `tostring` changes in each run. Lua's own program prints this instead.
      if (luaL_getmetafield(L, 1, "__tostring") == LUA_TNIL) {
        lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
        return 1;
      }
      lua_settop(L, 1);
  }
  return describeValue(L);
}

int32_t clua_getField(lua_State *L, int32_t index, const char *key, size_t length) {
  clua_Host *h = clua_host(L);
  index = lua_absindex(L, index);
  lua_pushcfunction(L, indexValue);
  lua_pushvalue(L, index);
  lua_pushlstring(L, key, length);
  return call(h, L, 2, 1);
}

static int32_t describe(lua_State *L, int32_t index, lua_CFunction describer) {
  clua_Host *h = clua_host(L);
  index = lua_absindex(L, index);
  lua_pushcfunction(L, describer);
  lua_pushvalue(L, index);
  return call(h, L, 1, 1);
}

int32_t clua_describe(lua_State *L, int32_t index) { return describe(L, index, describeValue); }

int32_t clua_describeRaised(lua_State *L, int32_t index) { return describe(L, index, describeRaised); }

// The pool of coroutines in which the host runs handlers, and the host's other operations on coroutines.

lua_State *clua_takeThread(clua_Host *h, lua_State *L) {
  if (h->pooled > 0) return h->pool[--h->pooled];
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->poolRef);
  lua_State *co = lua_newthread(L);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_settop(L, -2);
  return co;
}

void clua_keepThread(clua_Host *h, lua_State *L, lua_State *co, bool usable) {
  if (usable && h->pooled < CLUA_POOL) {
    lua_settop(co, 0);
    h->pool[h->pooled++] = co;
    return;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->poolRef);
  lua_pushthread(co);
  lua_xmove(co, L, 1);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_settop(L, -2);
}

void clua_unwind(lua_State *L, lua_State *thread) { clua_keepThread(clua_host(L), L, thread, false); }

bool clua_isHostThread(clua_Host *h, lua_State *L, int index) {
  index = lua_absindex(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->poolRef);
  lua_pushvalue(L, index);
  bool known = lua_rawget(L, -2) != LUA_TNIL;
  lua_settop(L, -3);
  return known;
}

void clua_openThreads(clua_Host *h, lua_State *L) {
  lua_createtable(L, CLUA_POOL, 0);
  h->poolRef = luaL_ref(L, LUA_REGISTRYINDEX);
}
