// The owner of a chunk and of every function in it. The owner's number follows the chunk's name and a zero byte, where
// the name ends for all readers. The first owner's chunks have no number, because most hosts have a single owner.

#include "Dump.h"

enum { MARK_BYTES = 1 + sizeof(int32_t) };

static bool isMarked(const lua_Debug *place) {
  return place->srclen > MARK_BYTES && place->source[0] == '=' && place->source[place->srclen - MARK_BYTES] == 0;
}

size_t clua_nameLength(const lua_Debug *place) { return isMarked(place) ? place->srclen - MARK_BYTES : place->srclen; }

int32_t clua_codeOwner(const lua_Debug *place) {
  int32_t owner = CLUA_FIRST;
  if (isMarked(place)) memcpy(&owner, place->source + place->srclen - sizeof owner, sizeof owner);
  return owner;
}

// MARK: Marking: the compiled code is dumped, and loaded again under another name

/// Dumped code in pieces: the part before the name, the name with its length before it, and the rest.
typedef struct {
  const void *pieces[4];
  size_t lengths[4];
  int next;
} Pieces;

static const char *nextPiece(lua_State *L, void *data, size_t *length) {
  (void)L;
  Pieces *pieces = data;
  if (pieces->next == 4) return NULL;
  *length = pieces->lengths[pieces->next];
  return pieces->pieces[pieces->next++];
}

/// Writes a size, in the format of a dump, so that it ends at `end`; returns its beginning.
static uint8_t *putSize(size_t size, uint8_t *end) {
  *--end = 0x80 | (size & 0x7F);
  while ((size >>= 7) != 0) *--end = size & 0x7F;
  return end;
}

int clua_loadMarked(lua_State *L, const void *bytes, size_t length, const char *name, int32_t owner) {
  Reader reader = {bytes, (const uint8_t *)bytes + length, false};
  takeStart(&reader);
  const uint8_t *before = reader.at;
  size_t nameLength = strlen(name), old;
  takeString(&reader, &old);
  char *whole = malloc(nameLength + MARK_BYTES);
  if (reader.failed || whole == NULL) {
    free(whole);
    lua_pushliteral(L, "not enough memory");
    return LUA_ERRMEM;
  }
  memcpy(whole, name, nameLength + 1);
  memcpy(whole + nameLength + 1, &owner, sizeof owner);
  if (owner != CLUA_FIRST) nameLength += MARK_BYTES;
  uint8_t size[10], *sizeStart = putSize(nameLength + 1, size + sizeof size);
  Pieces pieces = {
    {bytes, sizeStart, whole, reader.at},
    {(size_t)(before - (const uint8_t *)bytes), (size_t)(size + sizeof size - sizeStart), nameLength, (size_t)(reader.end - reader.at)}, 0};
  int status = lua_load(L, nextPiece, &pieces, name, "b");
  free(whole);
  return status;
}

int clua_mark(lua_State *L, const char *name, int32_t owner) {
  if (owner == CLUA_FIRST) return LUA_OK;
  Dump made = dump(L, -1);
  lua_settop(L, -2);
  int status = clua_loadMarked(L, made.bytes, made.length, name, owner);
  free(made.bytes);
  return status;
}

// MARK: The last owner of each chunk name, kept for good

static const char registryKey[] = "clua.owners";

void clua_noteChunk(lua_State *L, const char *name, int32_t owner) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, registryKey);
  lua_pushinteger(L, owner);
  lua_setfield(L, -2, name);
  lua_settop(L, -2);
}

bool clua_isChunkOfOther(lua_State *L, const char *name, int32_t owner) {
  int top = lua_gettop(L);
  bool isOfOther = lua_getfield(L, LUA_REGISTRYINDEX, registryKey) == LUA_TTABLE
                   && lua_getfield(L, -1, name) == LUA_TNUMBER && lua_tointeger(L, -1) != owner;
  lua_settop(L, top);
  return isOfOther;
}

clua_Code *clua_code(lua_State *L, int32_t index, size_t text) {
  Dump made = dump(L, index);
  clua_Code *code = made.length > 0 ? malloc(sizeof *code) : NULL;
  if (code == NULL) {
    free(made.bytes);
    return NULL;
  }
  *code = (clua_Code){(const char *)made.bytes, made.length, text};
  return code;
}

void clua_freeCode(clua_Code *code) {
  free((void *)code->bytes);
  free(code);
}
