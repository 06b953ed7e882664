// Error records: the raised value, message, place and traceback. Made in host mode, so the allocator never refuses.

#include "Internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_MESSAGE = 4096, LONGEST_NAME = 1024, PLACE_LEVELS = 16 };

/// If the message begins with the place of a function on the stack, fills in `place`. Returns the prefix's length.
static size_t placeInMessage(lua_State *at, int level, const char *message, lua_Debug *place) {
  char prefix[LUA_IDSIZE + 16];
  for (int i = level; i < level + PLACE_LEVELS && lua_getstack(at, i, place) == 1; i++) {
    if (lua_getinfo(at, "Sl", place) == 0 || place->currentline <= 0) continue;
    int n = snprintf(prefix, sizeof prefix, "%s:%d: ", place->short_src, place->currentline);
    if (n > 0 && strncmp(message, prefix, (size_t)n) == 0) return (size_t)n;
  }
  return 0;
}

/// Does the same for several places of one chunk. The last is the error's: `coroutine.wrap` prepends its caller's.
static size_t placesInMessage(lua_State *at, int level, const char *message, lua_Debug *place) {
  size_t length = placeInMessage(at, level, message, place);
  size_t name = length > 0 ? strlen(place->short_src) : 0;
  while (length > 0 && strncmp(message + length, place->short_src, name) == 0 && message[length + name] == ':') {
    char *end;
    const char *digits = message + length + name + 1;
    long line = *digits >= '1' && *digits <= '9' ? strtol(digits, &end, 10) : 0;
    if (line <= 0 || line > INT_MAX || strncmp(end, ": ", 2) != 0) break;
    place->currentline = (int)line;
    length = (size_t)(end + 2 - message);
  }
  return length;
}

static bool nearestPlace(lua_State *at, int level, lua_Debug *place) {
  for (int i = level; i < level + PLACE_LEVELS && lua_getstack(at, i, place) == 1; i++)
    if (lua_getinfo(at, "Sl", place) != 0 && place->currentline > 0) return true;
  return false;
}

/// Returns the host's name of a chunk, "=name" or "@name", or the beginning of the text of a script's unnamed chunk.
static const char *chunkName(const lua_Debug *place, size_t *length) {
  bool named = place->source[0] == '=' || place->source[0] == '@';
  *length = named ? clua_nameLength(place) : strlen(place->short_src);
  return named ? place->source : place->short_src;
}

void clua_copyName(const lua_Debug *place, char *to, size_t capacity) {
  size_t length;
  const char *name = chunkName(place, &length);
  if (length > capacity - 1) length = capacity - 1;
  memcpy(to, name, length);
  to[length] = 0;
}

static void newRecord(clua_Host *h, lua_State *L) {
  lua_createtable(L, CLUA_ERROR_TRACEBACK, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->recordRef);
  lua_setmetatable(L, -2);
}

/// Returns true if the value at the index is a record already.
static bool isRecord(clua_Host *h, lua_State *L, int index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return false;
  bool same = lua_topointer(L, -1) == h->recordTable;
  lua_pop(L, 1);
  return same;
}

static void pushMessage(lua_State *L, const char *text, size_t length) {
  lua_pushlstring(L, text, length < LONGEST_MESSAGE ? length : LONGEST_MESSAGE);
}

void clua_record(clua_Host *h, lua_State *to, lua_State *at, int level) {
  if (!lua_checkstack(to, 20) || !lua_checkstack(at, 20)) return;
  if (isRecord(h, to, -1)) return;
  int value = lua_gettop(to);
  lua_Debug place;
  bool placed = false;
  newRecord(h, to);
  if (lua_type(to, value) == LUA_TSTRING) {
    size_t length;
    const char *message = lua_tolstring(to, value, &length);
    size_t prefix = placesInMessage(at, level, message, &place);
    placed = prefix > 0;
    pushMessage(to, message + prefix, length - prefix);
    lua_rawseti(to, -2, CLUA_ERROR_MESSAGE);
  }
  if (placed || nearestPlace(at, level, &place)) {
    size_t length;
    const char *name = chunkName(&place, &length);
    lua_pushlstring(to, name, length < LONGEST_NAME ? length : LONGEST_NAME);
    lua_rawseti(to, -2, CLUA_ERROR_SOURCE);
    lua_pushinteger(to, place.currentline);
    lua_rawseti(to, -2, CLUA_ERROR_LINE);
  }
  luaL_traceback(to, at, NULL, level);
  lua_rawseti(to, -2, CLUA_ERROR_TRACEBACK);
  lua_pushvalue(to, value);
  lua_rawseti(to, -2, CLUA_ERROR_VALUE);
  lua_replace(to, value);
}

int clua_report(lua_State *L) {
  clua_Host *h = clua_host(L);
  if (h->tripped != CLUA_TRIP_NONE) return 1;
  h->hostDepth++;
  clua_record(h, L, L, 1);
  h->hostDepth--;
  return 1;
}

void clua_recordPlain(clua_Host *h, lua_State *L, const char *source, int32_t line) {
  newRecord(h, L);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, CLUA_ERROR_MESSAGE);
  if (source != NULL) {
    lua_pushstring(L, source);
    lua_rawseti(L, -2, CLUA_ERROR_SOURCE);
  }
  if (line > 0) {
    lua_pushinteger(L, line);
    lua_rawseti(L, -2, CLUA_ERROR_LINE);
  }
  lua_replace(L, -2);
}

int32_t clua_errorPart(lua_State *L, int32_t part) {
  clua_Host *h = clua_host(L);
  if (isRecord(h, L, -1)) return lua_rawgeti(L, -1, part);
  if (part == CLUA_ERROR_VALUE || (part == CLUA_ERROR_MESSAGE && lua_type(L, -1) == LUA_TSTRING)) lua_pushvalue(L, -1);
  else lua_pushnil(L);
  return lua_type(L, -1);
}

int32_t clua_where(lua_State *L, int32_t level, char *source, size_t capacity) {
  lua_Debug place;
  if (capacity == 0) return 0;
  source[0] = 0;
  if (!nearestPlace(L, level, &place)) return 0;
  clua_copyName(&place, source, capacity);
  return place.currentline;
}

// A refusal: an error that no script can catch.

bool clua_isRefusal(clua_Host *h, lua_State *L, int index) { return lua_topointer(L, index) == h->refusal; }

bool clua_isRefusalRecord(lua_State *L) {
  clua_errorPart(L, CLUA_ERROR_VALUE);
  bool refused = clua_isRefusal(clua_host(L), L, -1);
  lua_settop(L, -2);
  return refused;
}

void clua_pushRefusal(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, clua_host(L)->refusalRef); }

/// Replaces a record of a refusal on top by its reason; false for any other record.
bool clua_takeRefusal(clua_Host *h, lua_State *L) {
  if (!clua_isRefusalRecord(L)) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, h->reasonRef);
  lua_replace(L, -2);
  return true;
}
