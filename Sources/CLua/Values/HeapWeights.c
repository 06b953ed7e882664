// Weighs the memory of scripts, by a walk through their functions and tables. It runs between scripts, in host mode,
// calls no metamethod, and isn't recursive, so that deep data needs no deep C stack.

#include "Internal.h"

#include <stdlib.h>

enum {
  TABLE_BYTES = 56,     // of a table without fields
  ITEM_BYTES = 16,      // of an item in its list part
  FIELD_BYTES = 40,     // of any other field, with its share of free slots
  FUNCTION_BYTES = 40,  // of a function without upvalues
  UPVALUE_BYTES = 48,
  USERDATA_BYTES = 40,
  STRING_BYTES = 25,
  THREAD_BYTES = 1024,
  CALLS = 200,          // the most calls of a coroutine to walk through
  FIRST_SLOTS = 1 << 12,
};

/// The set of visited objects, by address.
typedef struct {
  const void **slots;
  size_t capacity, count;
} Met;

typedef struct {
  lua_State *L;
  Met met;
  int whose;            // stack index of the table that maps tables to their owners
  int waiting;          // stack index of the list of visited objects to walk through
  lua_Integer waits;    // number of objects in that list
  int32_t owner;        // the owner whose objects are weighed
  bool empties;         // whether to empty that owner's functions and tables
  size_t bytes;
} Walk;

// MARK: Visited objects

static size_t slotOf(const Met *met, const void *object) {
  size_t at = (size_t)(((uintptr_t)object >> 4) * 0x9E3779B97F4A7C15u >> 20) & (met->capacity - 1);
  while (met->slots[at] != NULL && met->slots[at] != object) at = (at + 1) & (met->capacity - 1);
  return at;
}

static bool grow(Met *met) {
  Met larger = {.capacity = met->capacity == 0 ? FIRST_SLOTS : met->capacity * 2, .count = met->count};
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (larger.slots == NULL) return false;
  for (size_t i = 0; i < met->capacity; i++)
    if (met->slots[i] != NULL) larger.slots[slotOf(&larger, met->slots[i])] = met->slots[i];
  free(met->slots);
  *met = larger;
  return true;
}

/// Returns true at the first visit of an object; false too if there is no memory to note it.
static bool meet(Met *met, const void *object) {
  if (met->count * 2 >= met->capacity && !grow(met)) return false;
  size_t at = slotOf(met, object);
  if (met->slots[at] != NULL) return false;
  met->slots[at] = object;
  met->count++;
  return true;
}

// MARK: Owners

/// Pops a table and returns its owner; 0 if unknown.
static int32_t lookUp(Walk *walk) {
  lua_State *L = walk->L;
  lua_rawget(L, walk->whose);
  int32_t owner = (int32_t)lua_tointeger(L, -1);
  lua_settop(L, -2);
  return owner;
}

static int32_t ownerOfFunction(Walk *walk, int index) {
  lua_Debug ar;
  lua_pushvalue(walk->L, index);
  if (lua_getinfo(walk->L, ">S", &ar) == 0 || *ar.what == 'C') return 0;
  return clua_codeOwner(&ar);
}

static int32_t ownerOfTable(Walk *walk, int index) {
  lua_pushvalue(walk->L, index);
  int32_t owner = lookUp(walk);
  if (owner != 0) return owner;
  int64_t number = clua_hostNumber(walk->L, index);
  return number >= 0 && number < CLUA_CLASS_MARK ? (int32_t)(number >> 32) : 0;
}

static int32_t ownerOf(Walk *walk, int index) {
  switch (lua_type(walk->L, index)) {
    case LUA_TFUNCTION: return ownerOfFunction(walk, index);
    case LUA_TTABLE: return ownerOfTable(walk, index);
    default: return 0;
  }
}

// MARK: Walking

/// Pops a value: counts a string, and adds an object to the list unless it was visited or has another owner.
static void take(Walk *walk) {
  lua_State *L = walk->L;
  int index = lua_gettop(L);
  switch (lua_type(L, index)) {
    case LUA_TSTRING:
      if (meet(&walk->met, lua_topointer(L, index))) walk->bytes += STRING_BYTES + lua_rawlen(L, index);
      break;
    case LUA_TTABLE:
    case LUA_TFUNCTION:
    case LUA_TUSERDATA:
    case LUA_TTHREAD: {
      int32_t owner = ownerOf(walk, index);
      if ((owner != 0 && owner != walk->owner) || !meet(&walk->met, lua_topointer(L, index))) break;
      lua_rawseti(L, walk->waiting, ++walk->waits);
      return;
    }
    default: break;
  }
  lua_settop(L, -2);
}

static void takeMetatable(Walk *walk, int index) {
  if (lua_getmetatable(walk->L, index)) take(walk);
}

static void lookIntoTable(Walk *walk, int index) {
  lua_State *L = walk->L;
  bool empties = walk->empties && ownerOfTable(walk, index) == walk->owner;
  size_t items = lua_rawlen(L, index), fields = 0;
  takeMetatable(walk, index);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    fields++;
    take(walk);
    lua_pushvalue(L, -1);
    take(walk);
    if (!empties || clua_isHiddenKey(clua_host(L), L, -1)) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, index);
  }
  walk->bytes += TABLE_BYTES + items * ITEM_BYTES + (fields > items ? fields - items : 0) * FIELD_BYTES;
}

static void lookIntoFunction(Walk *walk, int index) {
  lua_State *L = walk->L;
  bool empties = walk->empties && ownerOfFunction(walk, index) == walk->owner;
  int count = 0;
  while (lua_getupvalue(L, index, count + 1) != NULL) {
    count++;
    take(walk);
    if (!empties) continue;
    lua_pushnil(L);
    lua_setupvalue(L, index, count);
  }
  walk->bytes += FUNCTION_BYTES + (size_t)count * UPVALUE_BYTES;
}

static void lookIntoUserdata(Walk *walk, int index) {
  lua_State *L = walk->L;
  takeMetatable(walk, index);
  for (int i = 1; lua_getiuservalue(L, index, i) != LUA_TNONE; i++) take(walk);
  lua_settop(L, -2);
  walk->bytes += USERDATA_BYTES + lua_rawlen(L, index);
}

/// Pops a value from a coroutine, like `take`.
static void takeFrom(Walk *walk, lua_State *co) {
  lua_xmove(co, walk->L, 1);
  take(walk);
}

static void lookIntoThread(Walk *walk, lua_State *co) {
  walk->bytes += THREAD_BYTES;
  if (co == walk->L || !lua_checkstack(co, 2)) return;
  lua_Debug ar;
  int level = 0;
  for (; level < CALLS && lua_getstack(co, level, &ar) == 1; level++) {
    if (lua_getinfo(co, "f", &ar) != 0) takeFrom(walk, co);
    for (int i = 1; lua_getlocal(co, &ar, i) != NULL; i++) takeFrom(walk, co);
    for (int i = -1; lua_getlocal(co, &ar, i) != NULL; i--) takeFrom(walk, co);  // the values of `...`
  }
  if (level > 0) return;
  for (int i = lua_gettop(co); i > 0; i--) {  // the coroutine has not begun, or has ended
    lua_pushvalue(co, i);
    takeFrom(walk, co);
  }
}

/// Walks through all objects of the list, and their contents.
static void lookIntoAll(Walk *walk) {
  lua_State *L = walk->L;
  while (walk->waits > 0) {
    int type = lua_rawgeti(L, walk->waiting, walk->waits);
    lua_pushnil(L);
    lua_rawseti(L, walk->waiting, walk->waits--);
    int index = lua_gettop(L);
    if (type == LUA_TTABLE) lookIntoTable(walk, index);
    else if (type == LUA_TFUNCTION) lookIntoFunction(walk, index);
    else if (type == LUA_TUSERDATA) lookIntoUserdata(walk, index);
    else lookIntoThread(walk, lua_tothread(L, index));
    lua_settop(L, index - 1);
  }
}

/// Returns the owner of a host's value at the index. A table of undo steps belongs to the owner of its first object.
static int32_t ownerOfHeld(Walk *walk, int index) {
  int32_t owner = ownerOf(walk, index);
  if (owner != 0 || !lua_istable(walk->L, index)) return owner;
  lua_rawgeti(walk->L, index, 1);
  owner = ownerOf(walk, index + 1);
  lua_settop(walk->L, index);
  return owner;
}

/// Walks from the host's references for an owner.
static void walkFor(Walk *walk, int32_t owner) {
  lua_State *L = walk->L;
  walk->owner = owner;
  walk->bytes = 0;
  lua_pushnil(L);
  while (lua_next(L, LUA_REGISTRYINDEX)) {
    bool isReference = lua_isinteger(L, -2);
    if (isReference && ownerOfHeld(walk, lua_gettop(L)) == owner) take(walk);
    else lua_settop(L, -2);
  }
  lookIntoAll(walk);
}

static Walk begin(lua_State *L) {
  lua_checkstack(L, 16);
  lua_newtable(L);
  return (Walk){.L = L, .whose = lua_gettop(L) - 1, .waiting = lua_gettop(L)};
}

static void end(Walk *walk) {
  free(walk->met.slots);
  lua_settop(walk->L, walk->whose - 1);
}

void clua_weigh(lua_State *L, const int32_t *owners, size_t *bytes, int32_t count) {
  Walk walk = begin(L);
  for (int32_t i = 0; i < count; i++) {
    walkFor(&walk, owners[i]);
    bytes[i] = walk.bytes;
  }
  end(&walk);
}

void clua_empty(lua_State *L, int32_t owner) {
  Walk walk = begin(L);
  walk.empties = true;
  walkFor(&walk, owner);
  end(&walk);
}
