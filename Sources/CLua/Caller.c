// Whose code calls, told by the names of chunks: only the host gives names with a '=' before them.

#include "Internal.h"

#include <string.h>

int32_t clua_caller(lua_State *L, int32_t level, char *name, size_t capacity) {
  lua_Debug place;
  if (capacity == 0 || !lua_checkstack(L, 2)) return -1;
  for (; lua_getstack(L, level, &place) == 1; level++) {
    if (lua_getinfo(L, "Sf", &place) == 0) return -1;
    bool isSwift = clua_isTrampoline(lua_tocfunction(L, -1));
    lua_settop(L, -2);
    // Whoever called Swift has nothing to do with what Swift called in turn.
    if (isSwift) return -1;
    if (*place.what == 'C') continue;
    size_t length = place.source[0] == '=' ? place.srclen - 1 : 0;
    if (length >= capacity) length = 0;
    memcpy(name, place.source + 1, length);
    name[length] = 0;
    return level;
  }
  return -1;
}
