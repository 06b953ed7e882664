// ctx:set, ctx:insert, ctx:remove and ctx:undo, with which a handler registers how to take back its effects.

#include "Script.h"

#include <string.h>

enum {
  CONTEXT = 1,
  NONE = -1,  // instead of a count: no steps are kept
};

/// The usage of each call, for error messages.
static const char setUsage[] = "ctx:set(object, key, value)", undoUsage[] = "ctx:undo(title, function)",
                  insertUsage[] = "ctx:insert(list, at, value)", removeUsage[] = "ctx:remove(list, value)";

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
    luaL_error(L, "%s is for handlers: the host only asks this function, so it must not change anything", usage);
  luaL_error(L, "%s is for a running handler, on its own context", usage);
}

/// Checks the options and replaces them by their only field: the key by which groups merge, or nil.
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

/// Checks the optional last arguments: a title and options.
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

/// Returns the text at the index; without bytes for nil.
static clua_Text textAt(lua_State *L, int index) {
  clua_Text text = {NULL, 0};
  if (!lua_isnil(L, index)) text.bytes = lua_tolstring(L, index, &text.count);
  return text;
}

/// Makes Swift keep steps. Returns their reference; 0 during an undo, which keeps no steps.
static int32_t keep(clua_Host *h, lua_State *L, int title, int options, clua_Steps steps) {
  steps.number = clua_runningNumber(h);
  if (title != 0) {
    steps.title = textAt(L, title);
    steps.key = textAt(L, options);
  }
  h->hostDepth++;
  int32_t reference = clua_script(h)->keep(clua_script(h)->keeper, L, &steps);
  h->hostDepth--;
  if (reference < 0) luaL_error(L, "%s", lua_tostring(L, -1));  // why it can't be kept, which Swift has pushed
  return reference;
}

/// Pushes the running perform's table of steps, and returns their number. During an undo, which keeps no steps, returns
/// NONE and pushes nothing. `title` is 0 without title and options.
static lua_Integer pushSteps(lua_State *L, int title, int options) {
  clua_Script *script = clua_script(clua_host(L));
  lua_Integer count = 0;
  bool isKept = script->stepsOf == script->run && script->stepsAt == *script->changes;
  if (isKept) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, script->stepsRef);
    count = clua_countSteps(L, lua_gettop(L));
    isKept = count < CLUA_MOST_STEPS;
    if (!isKept) lua_settop(L, -2);
  }
  if (isKept && (title == 0 || (lua_isnil(L, title) && lua_isnil(L, options)))) return count;
  int32_t reference = keep(clua_host(L), L, title, options, (clua_Steps){.isKept = isKept});
  if (isKept) return count;
  if (reference == 0) return NONE;
  script->stepsRef = reference;
  script->stepsOf = script->run;
  script->stepsAt = *script->changes;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  return 0;
}

/// Writes one field. Notes its old value in the table at `steps`, which has `last` steps, unless `last` is NONE.
static void change(lua_State *L, int steps, lua_Integer last, int object, int key, int value) {
  clua_spend(L, 4);
  if (last == NONE || (last > 0 && clua_isStepOf(L, steps, last, object, key))) {
    lua_pushvalue(L, value);
    clua_putField(L, object, key);
    return;
  }
  if (clua_pushOwn(L, object, key)) {
    // Noted before the write: if there is no memory for writing, taking the step back changes nothing.
    clua_fillStep(L, steps, last + 1, object, key);
    lua_pushvalue(L, key);
    lua_pushvalue(L, value);
    lua_rawset(L, object);
    return;
  }
  lua_settop(L, -2);
  // If a metamethod raises, the step stays a filler.
  lua_Integer step = clua_appendFillers(L, steps, 1);
  clua_pushOld(L, object, key);
  lua_pushvalue(L, value);
  clua_putField(L, object, key);
  clua_fillStep(L, steps, step, object, key);
}

/// Raises if this field of a host object is read-only.
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

/// Does the same for an object of the program, which Swift checks and writes.
static int setNative(lua_State *L) {
  enum { OBJECT = 2, KEY, VALUE, TITLE, OPTIONS };
  if (lua_type(L, KEY) == LUA_TTABLE) {
    lua_pushnil(L);
    lua_insert(L, VALUE);
  }
  lua_settop(L, OPTIONS);
  checkRest(L, TITLE, OPTIONS, "ctx:set");
  lua_rawgeti(L, LUA_REGISTRYINDEX, clua_script(clua_host(L))->checkRef);
  lua_insert(L, OBJECT);
  lua_pushinteger(L, clua_runningNumber(clua_host(L)));
  lua_call(L, 6, 1);
  if (!lua_isnil(L, -1)) luaL_error(L, "%s", lua_tostring(L, -1));
  return 0;
}

/// ctx:set(object, key, value [, title [, options]]), ctx:set(object, fields [, title [, options]])
static int set(lua_State *L) {
  enum { OBJECT = 2, KEY, VALUE, TITLE, OPTIONS, STEPS };
  checkHandler(L, setUsage);
  if (clua_object(L, OBJECT, CLUA_OBJECT) != NULL) return setNative(L);
  bool isTable = lua_istable(L, OBJECT), isHost = isTable && clua_isHostObject(L, OBJECT);
  if (!isTable || (isHost && clua_hostNumber(L, OBJECT) < 0))
    return luaL_error(L, "ctx:set writes into a table or a responder, not %s", isTable ? "an object of the host's" : described(L, OBJECT));
  int type = lua_type(L, KEY), given = lua_gettop(L);
  // A table of fields; a host object is a key instead.
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
  lua_Integer last = pushSteps(L, hasRest ? TITLE : 0, OPTIONS);
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
      last = pushSteps(L, 0, 0);
      if (last != NONE) lua_replace(L, STEPS);  // a new table, if the last table was full
    }
    change(L, STEPS, last, OBJECT, STEPS + 1, STEPS + 2);
    lua_settop(L, STEPS + 1);
  }
  return 0;
}

/// Checks that the value at the index is a list that can be changed in place.
static void checkList(lua_State *L, int list, const char *call, const char *usage) {
  bool isTable = lua_istable(L, list);
  if (!isTable || clua_isHostObject(L, list))
    luaL_error(L, "%s takes a list, not %s: %s", call, isTable ? "an object of the host's" : described(L, list), usage);
  if (clua_hasNewIndex(L, list)) luaL_error(L, "%s takes a list without a metamethod __newindex", call);
}

/// Checks the value to insert or remove.
static void checkValue(lua_State *L, int value, const char *call, const char *usage) {
  if (lua_isnoneornil(L, value)) luaL_error(L, "%s lacks the value: %s", call, usage);
  if (lua_type(L, value) == LUA_TNUMBER && lua_tonumber(L, value) != lua_tonumber(L, value))
    luaL_error(L, "the value of %s can't be NaN", call);
}

/// ctx:insert(list, at, value [, title [, options]])
static int insert(lua_State *L) {
  enum { LIST = 2, AT, VALUE, TITLE, OPTIONS, STEPS };
  checkHandler(L, insertUsage);
  checkList(L, LIST, "ctx:insert", insertUsage);
  checkValue(L, VALUE, "ctx:insert", insertUsage);
  lua_Integer most = (lua_Integer)lua_rawlen(L, LIST) + 1;
  if (!lua_isinteger(L, AT) || lua_tointeger(L, AT) < 1 || lua_tointeger(L, AT) > most)
    return luaL_error(L, "the place for ctx:insert must be a whole number from 1 to #list + 1, which is %d", (int)most);
  lua_settop(L, OPTIONS);
  checkRest(L, TITLE, OPTIONS, "ctx:insert");
  bool isKept = pushSteps(L, TITLE, OPTIONS) != NONE;
  clua_insertAt(L, isKept ? STEPS : 0, LIST, VALUE, lua_tointeger(L, AT));
  return 0;
}

/// ctx:remove(list, value [, title [, options]]); returns true if the value was in the list.
static int removeValue(lua_State *L) {
  enum { LIST = 2, VALUE, TITLE, OPTIONS, STEPS };
  checkHandler(L, removeUsage);
  checkList(L, LIST, "ctx:remove", removeUsage);
  checkValue(L, VALUE, "ctx:remove", removeUsage);
  lua_settop(L, OPTIONS);
  checkRest(L, TITLE, OPTIONS, "ctx:remove");
  lua_Integer at = clua_placeOf(L, LIST, VALUE);
  if (at != 0) {
    bool isKept = pushSteps(L, TITLE, OPTIONS) != NONE;
    clua_removeAt(L, isKept ? STEPS : 0, LIST, VALUE, at);
  }
  lua_pushboolean(L, at != 0);
  return 1;
}

/// ctx:undo(title, reference [, arguments [, options]])
static int undoByAction(lua_State *L) {
  enum { TITLE = 2, REFERENCE, ARGUMENTS, OPTIONS };
  lua_settop(L, OPTIONS);
  if (!lua_isnil(L, ARGUMENTS) && !lua_istable(L, ARGUMENTS))
    return luaL_error(L, "the arguments of ctx:undo must be a table, not %s: %s", described(L, ARGUMENTS), undoUsage);
  checkRest(L, TITLE, OPTIONS, "ctx:undo");
  keep(clua_host(L), L, TITLE, OPTIONS, (clua_Steps){.reference = REFERENCE});
  return 0;
}

/// ctx:undo([title,] function [, options]), or the same arguments as `undoByAction`
static int undo(lua_State *L) {
  enum { TITLE = 2, FUNCTION, OPTIONS };
  checkHandler(L, undoUsage);
  if (lua_type(L, FUNCTION) == LUA_TSTRING) return undoByAction(L);
  if (lua_isfunction(L, TITLE)) {
    lua_pushnil(L);
    lua_insert(L, TITLE);
  }
  lua_settop(L, OPTIONS);
  if (!lua_isfunction(L, FUNCTION))
    return luaL_error(L, "ctx:undo takes a function or an action that reverses the action, not %s: %s", described(L, FUNCTION), undoUsage);
  checkRest(L, TITLE, OPTIONS, "ctx:undo");
  lua_pushvalue(L, FUNCTION);
  keep(clua_host(L), L, TITLE, OPTIONS, (clua_Steps){.isFunction = true});
  return 0;
}

// MARK: Opening

void clua_openUndo(lua_State *L) {
  static const luaL_Reg calls[] = {{"set", set}, {"insert", insert}, {"remove", removeValue}, {"undo", undo}, {NULL, NULL}};
  luaL_setfuncs(L, calls, 0);
}

void clua_watchUndo(lua_State *L, clua_Keep keep, void *keeper, int32_t check, const intptr_t *changes) {
  clua_Host *h = clua_host(L);
  clua_script(h)->keep = keep;
  clua_script(h)->keeper = keeper;
  clua_script(h)->checkRef = check;
  clua_script(h)->changes = changes;
}
