// ctx:set and ctx:undo, by which a handler says how to take back what it does. A step is three values in a table: an object, a key and its
// old value; or a function and two fillers; or three fillers, where the change failed.

#include "Script.h"

#include <string.h>

static char nothing;  // stands for nil

enum {
  STEP = 3,
  CONTEXT = 1,
  MOST = 4096,  // steps in one table, far below the largest block that may be allocated
  FEW = 16,     // the most steps that are compared or swapped in one go
  NONE = -1,    // instead of a count: nothing is kept
};

/// How each call is used, for error messages.
static const char setUsage[] = "ctx:set(object, key, value)", undoUsage[] = "ctx:undo(title, function)";

// MARK: Steps

static lua_Integer countSteps(lua_State *L, int steps) { return (lua_Integer)lua_rawlen(L, steps) / STEP; }

static void setPart(lua_State *L, int steps, lua_Integer step, int part) {
  lua_rawseti(L, steps, STEP * (step - 1) + part);
}

static int getPart(lua_State *L, int steps, lua_Integer step, int part) {
  return lua_rawgeti(L, steps, STEP * (step - 1) + part);
}

/// Appends a step of fillers, so that filling it in later needs no memory. Returns its number.
static lua_Integer appendFillers(lua_State *L, int steps) {
  lua_Integer step = countSteps(L, steps) + 1;
  for (int part = 1; part <= STEP; part++) {
    lua_pushlightuserdata(L, &nothing);
    setPart(L, steps, step, part);
  }
  return step;
}

/// Fills in a step with an object, a key and the old value, which it takes from the top.
static void fill(lua_State *L, int steps, lua_Integer step, int object, int key) {
  lua_pushvalue(L, object);
  setPart(L, steps, step, 1);
  lua_pushvalue(L, key);
  setPart(L, steps, step, 2);
  if (lua_isnil(L, -1)) {
    lua_settop(L, -2);
    lua_pushlightuserdata(L, &nothing);
  }
  setPart(L, steps, step, 3);
}

/// Whether a step is for the given field.
static bool isOf(lua_State *L, int steps, lua_Integer step, int object, int key) {
  getPart(L, steps, step, 1);
  getPart(L, steps, step, 2);
  bool same = lua_rawequal(L, -2, object) && lua_rawequal(L, -1, key);
  lua_settop(L, -3);
  return same;
}

// MARK: Fields

/// Whether the object has a __newindex, so that writing an absent key calls a metamethod.
static bool hasNewIndex(lua_State *L, int object) {
  if (!lua_getmetatable(L, object)) return false;
  lua_pushliteral(L, "__newindex");
  bool there = lua_rawget(L, -2) != LUA_TNIL;
  lua_settop(L, -3);
  return there;
}

/// Pushes the table's own value for a key. Whether writing the key there calls no metamethod.
static bool pushOwn(lua_State *L, int object, int key) {
  lua_pushvalue(L, key);
  return lua_rawget(L, object) != LUA_TNIL || clua_hostNumber(L, object) >= 0 || !hasNewIndex(L, object);
}

/// Pushes the old value of a key: the table's own, or the one that its metamethods give.
static void pushOld(lua_State *L, int object, int key) {
  if (pushOwn(L, object, key)) return;
  lua_settop(L, -2);
  lua_pushvalue(L, key);
  lua_gettable(L, object);
}

/// Writes the value on top as a script would, and takes it. Objects of the host's are written raw: `checkField` has allowed it.
static void put(lua_State *L, int object, int key) {
  lua_pushvalue(L, key);
  lua_insert(L, -2);
  if (clua_hostNumber(L, object) >= 0) lua_rawset(L, object);
  else lua_settable(L, object);
}

// MARK: Registering

static const char *described(lua_State *L, int index) {
  static const char *const words[] = {"nothing", "nil", "a boolean", "an object", "a number", "a string", "a table", "a function", "an object", "a coroutine"};
  return words[lua_type(L, index) + 1];
}

static void checkHandler(lua_State *L, const char *usage) {
  clua_Host *h = clua_host(L);
  if (clua_isRunning(h, L, CONTEXT)) return;
  if (!lua_istable(L, CONTEXT) || !clua_isHostObject(L, CONTEXT) || clua_hostNumber(L, CONTEXT) >= 0)
    luaL_error(L, "call it with a colon, on a context: %s", usage);
  if (h->phase < CLUA_IDLE)
    luaL_error(L, "%s is for handlers: the host is asking, and asking must not do", usage);
  luaL_error(L, "%s is for the handler that runs, on its own context", usage);
}

/// Checks the options and replaces them by their only value: the key by which groups merge, or nil.
static void readOptions(lua_State *L, int options, const char *call) {
  if (lua_isnil(L, options)) return;
  if (!lua_istable(L, options))
    luaL_error(L, "the options of %s must be a table like { coalesce = \"typing\" }, not %s", call, described(L, options));
  lua_pushnil(L);
  while (lua_next(L, options)) {
    if (lua_type(L, -2) != LUA_TSTRING || strcmp(lua_tostring(L, -2), "coalesce") != 0)
      luaL_error(L, "%s has no option %s: there is only 'coalesce'", call,
                 lua_type(L, -2) == LUA_TSTRING ? lua_pushfstring(L, "'%s'", lua_tostring(L, -2)) : described(L, -2));
    if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'coalesce' must be a string, not %s", described(L, -1));
    lua_settop(L, -2);
  }
  lua_pushliteral(L, "coalesce");
  lua_rawget(L, options);
  lua_replace(L, options);
}

/// Checks the arguments that may come last: a title and options.
static void checkRest(lua_State *L, int title, int options, const char *call) {
  if (lua_istable(L, title) && lua_isnil(L, options)) {
    lua_pushvalue(L, title);
    lua_replace(L, options);
    lua_pushnil(L);
    lua_replace(L, title);
  }
  if (!lua_isnil(L, title) && lua_type(L, title) != LUA_TSTRING)
    luaL_error(L, "the title of %s must be a string, not %s", call, described(L, title));
  readOptions(L, options, call);
}

/// The text at the index; without bytes if it is nil.
static clua_Text textAt(lua_State *L, int index) {
  clua_Text text = {NULL, 0};
  if (!lua_isnil(L, index)) text.bytes = lua_tolstring(L, index, &text.count);
  return text;
}

int32_t clua_newSteps(lua_State *L, int32_t count) {
  lua_createtable(L, STEP * count, 0);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

/// Removes all steps of the table on top but the first, whose object becomes a filler; mostly that one is filled in next.
static void empty(lua_State *L) {
  lua_Integer last = (lua_Integer)lua_rawlen(L, -1);
  for (; last > STEP; last--) {
    lua_pushnil(L);
    lua_rawseti(L, -2, last);
  }
  if (last < STEP) return;
  lua_pushlightuserdata(L, &nothing);
  lua_rawseti(L, -2, 1);
}

/// Asks Swift to keep a table for steps, or, if `isKept`, tells it the title and options for the one it keeps. Returns the reference, or 0.
static int32_t keep(clua_Host *h, lua_State *L, int title, int options, bool hasRest, bool isKept) {
  clua_Steps steps = {clua_runningNumber(h), {NULL, 0}, {NULL, 0}, isKept};
  if (hasRest) {
    steps.title = textAt(L, title);
    steps.key = textAt(L, options);
  }
  h->hostDepth++;
  int32_t reference = clua_script(h)->keep(clua_script(h)->keeper, L, &steps);
  h->hostDepth--;
  if (reference < 0) luaL_error(L, "%s", lua_tostring(L, -1));  // why it can't be kept, which Swift has pushed
  return reference;
}

/// Pushes the running perform's table of steps, and returns how many it has. Returns NONE, pushing nothing, if no steps are kept because
/// something is being taken back. Title and options are nil if `hasRest` is false.
static lua_Integer pushSteps(lua_State *L, int title, int options, bool hasRest) {
  clua_Host *h = clua_host(L);
  bool kept = clua_script(h)->stepsOf == clua_script(h)->run && clua_script(h)->stepsAt == *clua_script(h)->changes;
  lua_Integer count = 0;
  if (kept) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(h)->stepsRef);
    count = countSteps(L, lua_gettop(L));
    kept = count < MOST;
    if (!kept) lua_settop(L, -2);
  }
  if (kept && (!hasRest || (lua_isnil(L, title) && lua_isnil(L, options)))) return count;
  int32_t reference = keep(h, L, title, options, hasRest, kept);
  if (kept) return count;
  if (reference == 0) return NONE;
  clua_script(h)->stepsRef = reference;
  clua_script(h)->stepsOf = clua_script(h)->run;
  clua_script(h)->stepsAt = *clua_script(h)->changes;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  empty(L);
  return 0;
}

/// Writes one field, and notes its old value in the table at `steps`, which has `last` steps; NONE: without a note.
static void change(lua_State *L, int steps, lua_Integer last, int object, int key, int value) {
  clua_spend(L, 4);
  if (last == NONE || (last > 0 && isOf(L, steps, last, object, key))) {
    lua_pushvalue(L, value);
    put(L, object, key);
    return;
  }
  if (pushOwn(L, object, key)) {
    // Noted before it is written: if there is no memory for writing, taking the step back changes nothing.
    fill(L, steps, last + 1, object, key);
    lua_pushvalue(L, key);
    lua_pushvalue(L, value);
    lua_rawset(L, object);
    return;
  }
  lua_settop(L, -2);
  // If a metamethod raises, the step stays one of fillers.
  lua_Integer step = appendFillers(L, steps);
  pushOld(L, object, key);
  lua_pushvalue(L, value);
  put(L, object, key);
  fill(L, steps, step, object, key);
}

/// Raises if this field of an object of the host's may not be written.
static void checkField(lua_State *L, int object, int key, int value) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(clua_host(L))->checkRef);
  lua_pushvalue(L, object);
  lua_pushvalue(L, key);
  lua_pushvalue(L, value);
  lua_call(L, 3, 1);
  if (!lua_isnil(L, -1)) luaL_error(L, "%s", lua_tostring(L, -1));
  lua_settop(L, -2);
}

static void checkKey(lua_State *L, int key, int type) {
  if (type <= LUA_TNIL) luaL_error(L, "the key that ctx:set writes can't be nil");
  if (type == LUA_TNUMBER && lua_tonumber(L, key) != lua_tonumber(L, key))
    luaL_error(L, "the key that ctx:set writes can't be NaN");
}

/// ctx:set(object, key, value [, title [, options]]), ctx:set(object, fields [, title [, options]])
static int set(lua_State *L) {
  enum { OBJECT = 2, KEY, VALUE, TITLE, OPTIONS, STEPS };
  checkHandler(L, setUsage);
  bool isTable = lua_istable(L, OBJECT), isHost = isTable && clua_isHostObject(L, OBJECT);
  if (!isTable || (isHost && clua_hostNumber(L, OBJECT) < 0))
    return luaL_error(L, "ctx:set writes into a table or a responder, not %s", isTable ? "an object of the host's" : described(L, OBJECT));
  int type = lua_type(L, KEY), given = lua_gettop(L);
  // A table of fields; an object of the host's is a key instead.
  bool several = type == LUA_TTABLE && clua_hostNumber(L, KEY) < 0, hasRest = several || given > VALUE;
  if (!several && given < VALUE)
    return luaL_error(L, "ctx:set lacks the value: %s; to take a key out, say nil", setUsage);
  if (several) {
    lua_settop(L, OPTIONS - 1);
    lua_pushnil(L);
    lua_insert(L, VALUE);
    if (isHost) lua_pushnil(L);
    while (isHost && lua_next(L, KEY)) {
      checkField(L, OBJECT, OPTIONS + 1, OPTIONS + 2);
      lua_settop(L, OPTIONS + 1);
    }
  } else {
    checkKey(L, KEY, type);
    lua_settop(L, OPTIONS);
    if (isHost) checkField(L, OBJECT, KEY, VALUE);
  }
  if (hasRest) checkRest(L, TITLE, OPTIONS, "ctx:set");
  lua_Integer last = pushSteps(L, TITLE, OPTIONS, hasRest);
  if (!several) {
    change(L, STEPS, last, OBJECT, KEY, VALUE);
    return 0;
  }
  if (last == NONE) lua_pushnil(L);
  lua_pushnil(L);
  lua_replace(L, TITLE);
  lua_pushnil(L);
  lua_replace(L, OPTIONS);
  lua_pushnil(L);
  while (lua_next(L, KEY)) {
    if (last != NONE) {
      last = pushSteps(L, TITLE, OPTIONS, false);
      if (last != NONE) lua_replace(L, STEPS);  // a new table, if the last one was full
    }
    change(L, STEPS, last, OBJECT, STEPS + 1, STEPS + 2);
    lua_settop(L, STEPS + 1);
  }
  return 0;
}

/// ctx:undo([title,] function [, options])
static int undo(lua_State *L) {
  enum { TITLE = 2, FUNCTION, OPTIONS, STEPS };
  checkHandler(L, undoUsage);
  if (lua_isfunction(L, TITLE)) {
    lua_pushnil(L);
    lua_insert(L, TITLE);
  }
  lua_settop(L, OPTIONS);
  if (!lua_isfunction(L, FUNCTION))
    return luaL_error(L, "ctx:undo takes a function that reverses the action, not %s: %s", described(L, FUNCTION), undoUsage);
  checkRest(L, TITLE, OPTIONS, "ctx:undo");
  if (pushSteps(L, TITLE, OPTIONS, true) == NONE) return 0;
  lua_Integer step = appendFillers(L, STEPS);
  lua_pushvalue(L, FUNCTION);
  setPart(L, STEPS, step, 1);
  return 0;
}

// MARK: Taking back

/// Takes back the steps of a table, the last first, down to a function. Arguments: the table; the table that gets the steps for redoing, or
/// nil; the number of steps. Returns how many are left.
static int takeBack(lua_State *L) {
  enum { TABLE = 1, OTHER, COUNT, OBJECT, KEY, OLD };
  int other = lua_isnil(L, OTHER) ? 0 : OTHER;
  lua_Integer step = lua_tointeger(L, COUNT);
  for (; step > 0; step--) {
    clua_spend(L, 4);
    int type = getPart(L, TABLE, step, 1);
    if (type == LUA_TFUNCTION) break;
    if (type == LUA_TTABLE) {
      getPart(L, TABLE, step, 2);
      if (getPart(L, TABLE, step, 3) == LUA_TLIGHTUSERDATA && lua_touserdata(L, -1) == &nothing) {
        lua_settop(L, -2);
        lua_pushnil(L);
      }
      lua_Integer filler = other != 0 ? appendFillers(L, other) : 0;
      pushOld(L, OBJECT, KEY);
      lua_pushvalue(L, OLD);
      put(L, OBJECT, KEY);
      if (other != 0) fill(L, other, filler, OBJECT, KEY);
    }
    lua_settop(L, COUNT);
  }
  lua_pushinteger(L, step);
  return 1;
}

int32_t clua_takeBack(lua_State *L, int32_t steps, int32_t other, int32_t *count) {
  lua_checkstack(L, 8);
  lua_pushcfunction(L, takeBack);
  lua_rawgeti(L, LUA_REGISTRYINDEX, steps);
  if (other != 0) lua_rawgeti(L, LUA_REGISTRYINDEX, other);
  else lua_pushnil(L);
  lua_pushinteger(L, *count);
  int32_t status = clua_call(L, 3, 1);
  if (status != CLUA_OK) return status;
  *count = (int32_t)lua_tointeger(L, -1);
  lua_settop(L, -2);
  return CLUA_OK;
}

int32_t clua_stepCount(lua_State *L, int32_t index) { return (int32_t)countSteps(L, index); }

void clua_pushStep(lua_State *L, int32_t steps, int32_t step) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, steps);
  getPart(L, lua_gettop(L), step, 1);
  lua_replace(L, -2);
}

// MARK: Swapping

/// Swaps a field's value with the one in its step. Does nothing and returns false if script code would run, unless `again`, which swaps
/// back. The steps are on top.
static bool swapStep(lua_State *L, int steps, lua_Integer step, bool again) {
  int object = steps + 1, key = steps + 2;
  int type = getPart(L, steps, step, 1);
  bool does = type != LUA_TFUNCTION;
  if (type == LUA_TTABLE) {
    getPart(L, steps, step, 2);
    does = pushOwn(L, object, key) || again;
    if (does) {
      lua_pushvalue(L, key);
      if (getPart(L, steps, step, 3) == LUA_TLIGHTUSERDATA && lua_touserdata(L, -1) == &nothing) {
        lua_settop(L, -2);
        lua_pushnil(L);
      }
      lua_rawset(L, object);
      if (lua_isnil(L, -1)) lua_pushlightuserdata(L, &nothing);
      setPart(L, steps, step, 3);
    }
  }
  lua_settop(L, steps);
  return does;
}

/// Reverses the order of the steps.
static void reverse(lua_State *L, int steps, lua_Integer count) {
  for (lua_Integer first = 1, last = count; first < last; first++, last--) {
    for (int part = 1; part <= STEP; part++) {
      getPart(L, steps, first, part);
      getPart(L, steps, last, part);
      setPart(L, steps, first, part);
      setPart(L, steps, last, part);
    }
  }
}

bool clua_swapValues(lua_State *L, int32_t reference) {
  clua_Host *h = clua_host(L);
  // In host mode no memory limit is enforced, so there must be enough for each written table to grow.
  if (h->live > h->limits.memory / 4 || !lua_checkstack(L, 10)) return false;
  int top = lua_gettop(L), steps = top + 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_Integer count = countSteps(L, steps), left = count <= FEW ? count : -1;
  while (left > 0 && swapStep(L, steps, left, false)) left--;
  if (left == 0) reverse(L, steps, count);
  for (lua_Integer step = left + 1; left > 0 && step <= count; step++) swapStep(L, steps, step, true);
  lua_settop(L, top);
  return left == 0;
}

// MARK: Merging

/// Whether all steps of a table set fields, and there are few enough to compare each.
static bool areFewSets(lua_State *L, int steps) {
  lua_Integer count = countSteps(L, steps);
  if (count > FEW) return false;
  for (lua_Integer step = 1; step <= count; step++) {
    bool sets = getPart(L, steps, step, 1) != LUA_TFUNCTION;
    lua_settop(L, -2);
    if (!sets) return false;
  }
  return true;
}

/// Whether a table has a step for the field that is on top, object and key.
static bool hasStep(lua_State *L, int steps, lua_Integer count) {
  int key = lua_gettop(L), object = key - 1;
  for (lua_Integer step = 1; step <= count; step++)
    if (isOf(L, steps, step, object, key)) return true;
  return false;
}

bool clua_mergeSteps(lua_State *L, int32_t steps, int32_t later) {
  lua_checkstack(L, 8);
  int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, steps);
  lua_rawgeti(L, LUA_REGISTRYINDEX, later);
  bool mayDrop = areFewSets(L, top + 1) && areFewSets(L, top + 2);
  lua_Integer count = countSteps(L, top + 1), added = countSteps(L, top + 2);
  bool fits = count + added <= MOST;
  if (!fits) added = 0;
  for (lua_Integer step = 1; step <= added; step++) {
    getPart(L, top + 2, step, 1);
    getPart(L, top + 2, step, 2);
    if (mayDrop && hasStep(L, top + 1, count)) {
      lua_settop(L, top + 2);
      continue;
    }
    getPart(L, top + 2, step, 3);
    lua_Integer to = countSteps(L, top + 1) + 1;
    setPart(L, top + 1, to, 3);
    setPart(L, top + 1, to, 2);
    setPart(L, top + 1, to, 1);
  }
  lua_settop(L, top);
  return fits;
}

// MARK: Opening

void clua_openUndo(lua_State *L) {
  static const luaL_Reg calls[] = {{"set", set}, {"undo", undo}, {NULL, NULL}};
  luaL_setfuncs(L, calls, 0);
}

void clua_watchUndo(lua_State *L, clua_Keep keep, void *keeper, int32_t check, const intptr_t *changes) {
  clua_Host *h = clua_host(L);
  clua_script(h)->keep = keep;
  clua_script(h)->keeper = keeper;
  clua_script(h)->checkRef = check;
  clua_script(h)->changes = changes;
}
