// What a `look` answered, read in one crossing where it is what it usually is.

#include "Internal.h"

#include <string.h>

/// Whether a text is short and has no control characters, so that it is shown as it is.
static bool isShownAsIs(const clua_Text *text) {
  if (text->count > 4096) return false;
  for (size_t i = 0; i < text->count; i++) {
    unsigned char byte = (unsigned char)text->bytes[i];
    if (byte < 0x20 || byte == 0x7F) return false;
    if (byte == 0xC2 && i + 1 < text->count && (unsigned char)text->bytes[i + 1] < 0xA0) return false;
  }
  return true;
}

static bool readText(lua_State *L, clua_Text *text) {
  if (lua_type(L, -1) != LUA_TSTRING) return false;
  text->bytes = lua_tolstring(L, -1, &text->count);
  return isShownAsIs(text);
}

static bool readFlag(lua_State *L, int32_t *flag) {
  *flag = lua_toboolean(L, -1);
  return lua_type(L, -1) == LUA_TBOOLEAN;
}

/// A flag, or one of the words for it.
static bool readState(lua_State *L, int32_t *state) {
  if (lua_type(L, -1) != LUA_TSTRING) return readFlag(L, state);
  const char *word = lua_tostring(L, -1);
  *state = strcmp(word, "on") == 0 ? 1 : strcmp(word, "off") == 0 ? 0 : strcmp(word, "mixed") == 0 ? 2 : -1;
  return *state >= 0;
}

static bool readField(lua_State *L, clua_LookAnswer *look) {
  if (lua_type(L, -2) != LUA_TSTRING) return false;
  const char *name = lua_tostring(L, -2);
  if (strcmp(name, "state") == 0) return readState(L, &look->state);
  if (strcmp(name, "title") == 0) return readText(L, &look->title);
  if (strcmp(name, "subtitle") == 0) return readText(L, &look->subtitle);
  if (strcmp(name, "icon") == 0) return readText(L, &look->icon);
  if (strcmp(name, "hidden") == 0) return readFlag(L, &look->hidden);
  return strcmp(name, "destructive") == 0 && readFlag(L, &look->destructive);
}

bool clua_readLook(lua_State *L, int32_t index, clua_LookAnswer *look) {
  *look = (clua_LookAnswer){.state = -1, .hidden = -1, .destructive = -1};
  index = lua_absindex(L, index);
  int top = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (!readField(L, look)) {
      lua_settop(L, top);
      return false;
    }
    lua_settop(L, -2);
  }
  return true;
}
