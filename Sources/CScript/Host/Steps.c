// The steps that take a change back. A step is three values in a table: an object, a key and its old value. A *move* in
// a list is three steps. The first has the list, `inserted` or `removed`, and the value. The second has a filler, the
// place, and the value in front. The third has two fillers, and the value behind.

#include "Script.h"

static char nothing, inserted, removed;     // replace nil, and name the two kinds of moves
static char places, moves, values;       // keys of an index, see `noteWrites`

enum {
  STEP = 3,
  MOVE = 3,  // steps of a move
  FEW = 16,  // the most steps that are compared one by one
};

// MARK: Parts

lua_Integer clua_countSteps(lua_State *L, int steps) { return (lua_Integer)lua_rawlen(L, steps) / STEP; }

static void setPart(lua_State *L, int steps, lua_Integer step, int part) {
  lua_rawseti(L, steps, STEP * (step - 1) + part);
}

static int getPart(lua_State *L, int steps, lua_Integer step, int part) {
  return lua_rawgeti(L, steps, STEP * (step - 1) + part);
}

/// Replaces the nil placeholder on top by nil.
static void makeNil(lua_State *L) {
  if (lua_touserdata(L, -1) != &nothing) return;
  lua_settop(L, -2);
  lua_pushnil(L);
}

/// Replaces nil on top by its placeholder.
static void standForNil(lua_State *L) {
  if (!lua_isnil(L, -1)) return;
  lua_settop(L, -2);
  lua_pushlightuserdata(L, &nothing);
}

static void setFiller(lua_State *L, int steps, lua_Integer step) {
  for (int part = 1; part <= STEP; part++) {
    lua_pushlightuserdata(L, &nothing);
    setPart(L, steps, step, part);
  }
}

lua_Integer clua_appendFillers(lua_State *L, int steps, int count) {
  lua_Integer step = clua_countSteps(L, steps) + 1;
  for (int i = 0; i < count; i++) setFiller(L, steps, step + i);
  return step;
}

void clua_fillStep(lua_State *L, int steps, lua_Integer step, int object, int key) {
  lua_pushvalue(L, object);
  setPart(L, steps, step, 1);
  lua_pushvalue(L, key);
  setPart(L, steps, step, 2);
  standForNil(L);
  setPart(L, steps, step, 3);
}

bool clua_isStepOf(lua_State *L, int steps, lua_Integer step, int object, int key) {
  getPart(L, steps, step, 1);
  getPart(L, steps, step, 2);
  bool same = lua_rawequal(L, -2, object) && lua_rawequal(L, -1, key);
  lua_settop(L, -3);
  return same;
}

/// Returns the kind of the move that a step begins; NULL if it sets a field or is a filler.
static const void *moveAt(lua_State *L, int steps, lua_Integer step) {
  getPart(L, steps, step, 2);
  const void *kind = lua_touserdata(L, -1);
  lua_settop(L, -2);
  return kind == &inserted || kind == &removed ? kind : NULL;
}

int32_t clua_newSteps(lua_State *L, int32_t count) {
  lua_createtable(L, STEP * count, 0);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

int32_t clua_stepCount(lua_State *L, int32_t reference) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_Integer count = clua_countSteps(L, lua_gettop(L));
  lua_settop(L, -2);
  return (int32_t)count;
}

// MARK: Fields

bool clua_hasNewIndex(lua_State *L, int object) {
  if (!lua_getmetatable(L, object)) return false;
  lua_pushliteral(L, "__newindex");
  bool there = lua_rawget(L, -2) != LUA_TNIL;
  lua_settop(L, -3);
  return there;
}

bool clua_pushOwn(lua_State *L, int object, int key) {
  lua_pushvalue(L, key);
  if (lua_rawget(L, object) != LUA_TNIL) return true;
  return clua_hostNumber(L, object) >= 0 ? !clua_isApart(L, object, key) : !clua_hasNewIndex(L, object);
}

void clua_pushOld(lua_State *L, int object, int key) {
  if (clua_pushOwn(L, object, key)) return;
  lua_settop(L, -2);
  lua_pushvalue(L, key);
  lua_gettable(L, object);
}

void clua_putField(lua_State *L, int object, int key) {
  lua_pushvalue(L, key);
  lua_insert(L, -2);
  if (clua_hostNumber(L, object) >= 0 && !clua_isApart(L, object, key)) lua_rawset(L, object);
  else lua_settable(L, object);
}

// MARK: Moves in a list

/// Pushes the element of a list at a place; the placeholder for nil in front of the first and behind the last.
static void pushElement(lua_State *L, int list, lua_Integer at, lua_Integer count) {
  if (at >= 1 && at <= count) lua_rawgeti(L, list, at);
  else lua_pushnil(L);
  standForNil(L);
}

static bool isElement(lua_State *L, int list, lua_Integer at, lua_Integer count, int value) {
  pushElement(L, list, at, count);
  bool same = lua_rawequal(L, -1, value);
  lua_settop(L, -2);
  return same;
}

lua_Integer clua_placeOf(lua_State *L, int list, int value) {
  lua_Integer count = (lua_Integer)lua_rawlen(L, list);
  for (lua_Integer at = 1; at <= count; at++) {
    clua_spend(L, 2);
    if (isElement(L, list, at, count, value)) return at;
  }
  return 0;
}

/// How well the neighbours of a place are those of a move.
enum { NONE = 0, BEHIND = 1, FRONT = 2, BOTH = FRONT + BEHIND };

/// Returns the place in a list with the neighbours of a move, and among equal places the nearest. It is a place of the
/// `value`, or if that is 0 a place between two elements. Returns 0 if there is none. The neighbours are on top.
static lua_Integer placeOfMove(lua_State *L, int list, int value, lua_Integer to) {
  lua_Integer count = (lua_Integer)lua_rawlen(L, list), last = value != 0 ? count : count + 1, best = 0;
  int behind = lua_gettop(L), front = behind - 1, found = -1;
  for (lua_Integer distance = 0; found < BOTH && (to - distance > 0 || to + distance <= last); distance++) {
    clua_spend(L, 4);
    lua_Integer both[] = {to - distance, to + distance};
    for (int i = 0; i < 2; i++) {
      lua_Integer at = both[i];
      if (at < 1 || at > last || (value != 0 && !isElement(L, list, at, count, value))) continue;
      int fits = isElement(L, list, at - 1, count, front) ? FRONT : NONE;
      if (isElement(L, list, value != 0 ? at + 1 : at, count, behind)) fits += BEHIND;
      if (fits <= found) continue;
      found = fits;
      best = at;
    }
  }
  return best;
}

/// Fills in the steps of a move at a place, where the value is now.
static void fillMove(lua_State *L, int steps, lua_Integer step, const void *kind, int list, int value, lua_Integer at) {
  lua_pushvalue(L, list);
  setPart(L, steps, step, 1);
  lua_pushlightuserdata(L, (void *)kind);
  setPart(L, steps, step, 2);
  lua_pushvalue(L, value);
  setPart(L, steps, step, 3);
  lua_pushinteger(L, at);
  setPart(L, steps, step + 1, 2);
  lua_Integer count = (lua_Integer)lua_rawlen(L, list);
  pushElement(L, list, at - 1, count);
  setPart(L, steps, step + 1, 3);
  pushElement(L, list, at + 1, count);
  setPart(L, steps, step + 2, 3);
}

void clua_insertAt(lua_State *L, int steps, int list, int value, lua_Integer at) {
  lua_Integer last = (lua_Integer)lua_rawlen(L, list), step = steps != 0 ? clua_appendFillers(L, steps, MOVE) : 0;
  clua_spend(L, (size_t)(last - at) + 4);
  // From the end: if there is no memory for one more place, no value has moved.
  for (; last >= at; last--) {
    lua_rawgeti(L, list, last);
    lua_rawseti(L, list, last + 1);
  }
  lua_pushvalue(L, value);
  lua_rawseti(L, list, at);
  if (steps != 0) fillMove(L, steps, step, &inserted, list, value, at);
}

void clua_removeAt(lua_State *L, int steps, int list, int value, lua_Integer at) {
  lua_Integer last = (lua_Integer)lua_rawlen(L, list), step = steps != 0 ? clua_appendFillers(L, steps, MOVE) : 0;
  clua_spend(L, (size_t)(last - at) + 4);
  if (steps != 0) fillMove(L, steps, step, &removed, list, value, at);
  for (; at < last; at++) {
    lua_rawgeti(L, list, at + 1);
    lua_rawseti(L, list, at);
  }
  lua_pushnil(L);
  lua_rawseti(L, list, last);
}

/// Takes back a move by the identity of its value, and of its neighbours. A removed value returns between them. If both
/// aren't neighbours any more, it returns behind the first or in front of the second, or at last to its place.
static void takeMoveBack(lua_State *L, int steps, int other, lua_Integer step, const void *kind, int list, int value) {
  getPart(L, steps, step + 1, 2);
  lua_Integer to = lua_tointeger(L, -1);
  getPart(L, steps, step + 1, 3);
  getPart(L, steps, step + 2, 3);
  bool wasInserted = kind == &inserted;
  lua_Integer at = placeOfMove(L, list, wasInserted ? value : 0, to);
  if (at != 0 && wasInserted) clua_removeAt(L, other, list, value, at);
  if (!wasInserted) clua_insertAt(L, other, list, value, at);
}

// MARK: Taking back

/// Takes back the steps of a table, last first. Arguments: the table; the table for the redo steps, or nil; the address
/// of the number of remaining steps.
static int takeBack(lua_State *L) {
  enum { TABLE = 1, OTHER, COUNT, OBJECT, KEY, OLD };
  int other = lua_isnil(L, OTHER) ? 0 : OTHER;
  for (int32_t *step = lua_touserdata(L, COUNT); *step > 0; --*step) {
    clua_spend(L, 4);
    if (getPart(L, TABLE, *step, 1) == LUA_TTABLE) {
      const void *kind = moveAt(L, TABLE, *step);
      getPart(L, TABLE, *step, 2);
      getPart(L, TABLE, *step, 3);
      if (kind != NULL) {
        takeMoveBack(L, TABLE, other, *step, kind, OBJECT, OLD);
      } else {
        makeNil(L);
        lua_Integer filler = other != 0 ? clua_appendFillers(L, other, 1) : 0;
        clua_pushOld(L, OBJECT, KEY);
        lua_pushvalue(L, OLD);
        clua_putField(L, OBJECT, KEY);
        if (other != 0) clua_fillStep(L, other, filler, OBJECT, KEY);
      }
    }
    lua_settop(L, COUNT);
  }
  return 0;
}

int32_t clua_takeBack(lua_State *L, int32_t steps, int32_t other, int32_t *count) {
  lua_checkstack(L, 8);
  lua_pushcfunction(L, takeBack);
  lua_rawgeti(L, LUA_REGISTRYINDEX, steps);
  if (other != 0) lua_rawgeti(L, LUA_REGISTRYINDEX, other);
  else lua_pushnil(L);
  lua_pushlightuserdata(L, count);
  return clua_call(L, 3, 0);
}

// MARK: Merging

/// Returns true if all steps of a table set fields, and are few enough to compare one by one.
static bool areFewSets(lua_State *L, int steps) {
  lua_Integer count = clua_countSteps(L, steps);
  if (count > FEW) return false;
  for (lua_Integer step = 1; step <= count; step++)
    if (moveAt(L, steps, step) != NULL) return false;
  return true;
}

/// Returns true if a table has a step for the field on top, object and key.
static bool hasStep(lua_State *L, int steps, lua_Integer count) {
  int key = lua_gettop(L), object = key - 1;
  for (lua_Integer step = 1; step <= count; step++)
    if (clua_isStepOf(L, steps, step, object, key)) return true;
  return false;
}

/// Appends a copy of a step of another table.
static void copyStep(lua_State *L, int from, lua_Integer step, int to) {
  lua_Integer last = clua_countSteps(L, to) + 1;
  for (int part = 1; part <= STEP; part++) {
    getPart(L, from, step, part);
    setPart(L, to, last, part);
  }
}

bool clua_mergeSteps(lua_State *L, int32_t steps, int32_t later) {
  lua_checkstack(L, 8);
  int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, steps);
  lua_rawgeti(L, LUA_REGISTRYINDEX, later);
  bool mayDrop = areFewSets(L, top + 1) && areFewSets(L, top + 2);
  lua_Integer count = clua_countSteps(L, top + 1), added = clua_countSteps(L, top + 2);
  bool fits = count + added <= CLUA_MOST_STEPS;
  for (lua_Integer step = 1; fits && step <= added; step++) {
    getPart(L, top + 2, step, 1);
    getPart(L, top + 2, step, 2);
    bool isKnown = mayDrop && hasStep(L, top + 1, count);
    lua_settop(L, top + 2);
    if (!isKnown) copyStep(L, top + 2, step, top + 1);
  }
  lua_settop(L, top);
  return fits;
}

// MARK: Overwritten steps (U14)

/// Pushes index[object], a table; a new table if it is missing and `makes`.
static bool pushFields(lua_State *L, int index, int object, bool makes) {
  lua_pushvalue(L, object);
  if (lua_rawget(L, index) == LUA_TTABLE) return true;
  if (!makes) return false;
  lua_settop(L, -2);
  lua_newtable(L);
  lua_pushvalue(L, object);
  lua_pushvalue(L, -2);
  lua_rawset(L, index);
  return true;
}

static void setID(lua_State *L, int fields, const void *key, lua_Integer id) {
  lua_pushinteger(L, id);
  lua_rawsetp(L, fields, key);
}

static lua_Integer getID(lua_State *L, int fields, const void *key) {
  lua_rawgetp(L, fields, key);
  lua_Integer id = lua_tointeger(L, -1);
  lua_settop(L, -2);
  return id;
}

static lua_Integer greater(lua_Integer one, lua_Integer other) { return one > other ? one : other; }

/// Returns the place in a list for a key; 0 if the key is no place.
static lua_Integer place(lua_State *L, int key) {
  lua_Integer place = lua_isinteger(L, key) ? lua_tointeger(L, key) : 0;
  return place > 0 ? place : 0;
}

/// Pushes the table under one of our keys in a table; a new table if it is missing and `makes`.
static bool pushPart(lua_State *L, int fields, void *key, bool makes) {
  lua_pushlightuserdata(L, key);
  bool there = pushFields(L, fields, lua_gettop(L), makes);
  lua_remove(L, -2);
  return there;
}

/// Notes a place in a list: pairs of a place and a number, each with a lower place than the previous pair.
static void notePlace(lua_State *L, int fields, lua_Integer at, int32_t id) {
  if (at == 0) return;
  pushPart(L, fields, &places, true);
  int pairs = lua_gettop(L);
  lua_Integer count = (lua_Integer)lua_rawlen(L, pairs);
  for (; count > 0; count -= 2) {
    lua_rawgeti(L, pairs, count - 1);
    bool isHigher = lua_tointeger(L, -1) > at;
    lua_settop(L, pairs);
    if (isHigher) break;
    lua_pushnil(L);
    lua_rawseti(L, pairs, count);
    lua_pushnil(L);
    lua_rawseti(L, pairs, count - 1);
  }
  lua_pushinteger(L, at);
  lua_rawseti(L, pairs, count + 1);
  lua_pushinteger(L, id);
  lua_rawseti(L, pairs, count + 2);
  lua_settop(L, pairs - 1);
}

/// Returns the number of the earliest write at a place or a higher place; 0 if there is none.
static lua_Integer placeWriter(lua_State *L, int fields, lua_Integer at) {
  int top = lua_gettop(L);
  lua_Integer id = 0;
  if (pushPart(L, fields, &places, false)) {
    for (lua_Integer count = (lua_Integer)lua_rawlen(L, top + 1); id == 0 && count > 0; count -= 2) {
      lua_rawgeti(L, top + 1, count - 1);
      lua_rawgeti(L, top + 1, count);
      if (lua_tointeger(L, -2) >= at) id = lua_tointeger(L, -1);
      lua_settop(L, top + 1);
    }
  }
  lua_settop(L, top);
  return id;
}

void clua_fieldBits(lua_State *L, int32_t steps, uint64_t *one, uint64_t *other) {
  enum { TABLE = 1, OBJECT, KEY };
  lua_checkstack(L, 8);
  int top = lua_gettop(L);
  *one = *other = 0;
  lua_rawgeti(L, LUA_REGISTRYINDEX, steps);
  lua_Integer count = clua_countSteps(L, top + TABLE);
  for (lua_Integer step = 1; step <= count; step++) {
    if (getPart(L, top + TABLE, step, 1) == LUA_TTABLE) {
      uint64_t hash = (uint64_t)(uintptr_t)lua_topointer(L, top + OBJECT);
      // A place of a list concerns the higher ones: all of them are one field.
      size_t length = 0;
      const char *name = getPart(L, top + TABLE, step, 2) == LUA_TSTRING ? lua_tolstring(L, top + KEY, &length) : NULL;
      for (size_t i = 0; name != NULL && i < length && i < 32; i++) hash = (hash ^ (uint8_t)name[i]) * 0x100000001B3;
      hash *= 0x9E3779B97F4A7C15;
      *one |= (uint64_t)1 << (hash >> 58);
      *other |= (uint64_t)1 << (hash >> 52 & 63);
    }
    lua_settop(L, top + TABLE);
  }
  lua_settop(L, top);
}

void clua_noteWrites(lua_State *L, int32_t reference, int32_t steps, int32_t id) {
  enum { INDEX = 1, TABLE, OBJECT, KEY, VALUE, FIELDS };
  lua_checkstack(L, 12);
  int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_rawgeti(L, LUA_REGISTRYINDEX, steps);
  lua_Integer count = clua_countSteps(L, top + TABLE);
  for (lua_Integer step = 1; step <= count; step++) {
    if (getPart(L, top + TABLE, step, 1) == LUA_TTABLE) {
      getPart(L, top + TABLE, step, 2);
      getPart(L, top + TABLE, step, 3);
      pushFields(L, top + INDEX, top + OBJECT, true);
      if (moveAt(L, top + TABLE, step) != NULL) {
        setID(L, top + FIELDS, &moves, id);
        pushPart(L, top + FIELDS, &values, true);
        lua_pushvalue(L, top + VALUE);
        lua_pushinteger(L, id);
        lua_rawset(L, -3);
      } else {
        lua_pushvalue(L, top + KEY);
        lua_pushinteger(L, id);
        lua_rawset(L, top + FIELDS);
        notePlace(L, top + FIELDS, place(L, top + KEY), id);
      }
    }
    lua_settop(L, top + TABLE);
  }
  lua_settop(L, top);
}

/// Returns the number of the earliest later write that overwrote a step; 0 if there is none.
static lua_Integer overwriter(lua_State *L, int index, int steps, lua_Integer step) {
  int top = lua_gettop(L), object = top + 1, key = top + 2, value = top + 3, fields = top + 4;
  lua_Integer id = 0;
  if (getPart(L, steps, step, 1) == LUA_TTABLE) {
    getPart(L, steps, step, 2);
    getPart(L, steps, step, 3);
    if (pushFields(L, index, object, false)) {
      bool isMove = moveAt(L, steps, step) != NULL;
      lua_Integer at = place(L, key);
      if (isMove || at > 0) id = placeWriter(L, fields, at);
      if (at > 0) id = greater(id, getID(L, fields, &moves));
      if (isMove) lua_rawgetp(L, fields, &values);
      else lua_pushvalue(L, fields);
      lua_pushvalue(L, isMove ? value : key);
      if (lua_istable(L, -2) && lua_rawget(L, -2) == LUA_TNUMBER) id = greater(id, lua_tointeger(L, -1));
    }
  }
  lua_settop(L, top);
  return id;
}

int32_t clua_overwriter(lua_State *L, int32_t index, int32_t steps) {
  lua_checkstack(L, 12);
  int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, steps);
  lua_Integer count = clua_countSteps(L, top + 2), id = 0;
  for (lua_Integer step = 1; step <= count; step++) id = greater(id, overwriter(L, top + 1, top + 2, step));
  lua_settop(L, top);
  return (int32_t)id;
}

int32_t clua_splitSteps(lua_State *L, int32_t index, int32_t steps, int32_t id) {
  lua_checkstack(L, 12);
  int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, steps);
  lua_newtable(L);
  lua_Integer count = clua_countSteps(L, top + 2);
  for (lua_Integer step = 1; step <= count; step++) {
    if (overwriter(L, top + 1, top + 2, step) != id) continue;
    lua_Integer end = moveAt(L, top + 2, step) != NULL ? step + MOVE : step + 1;
    for (; step < end; step++) {
      copyStep(L, top + 2, step, top + 3);
      setFiller(L, top + 2, step);
    }
    step--;
  }
  int32_t reference = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_settop(L, top);
  return reference;
}
