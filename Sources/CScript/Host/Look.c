// Reads a `look`'s answer in one crossing, if all its fields have the usual names and types; else Swift reads it.

#include "Script.h"

#include <string.h>

bool clua_isShownAsIs(const clua_Text *text) {
  if (text->count > CLUA_LONGEST_TEXT) return false;
  if (clua_isOrdinary(text->bytes, text->count)) return true;
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
  return clua_isShownAsIs(text);
}

bool clua_readFlag(lua_State *L, int32_t *flag) {
  *flag = lua_toboolean(L, -1);
  return lua_type(L, -1) == LUA_TBOOLEAN;
}

/// Reads a state: a flag, or one of the words "on", "off" and "mixed".
bool clua_readState(lua_State *L, int32_t *state) {
  if (lua_type(L, -1) != LUA_TSTRING) return clua_readFlag(L, state);
  const char *word = lua_tostring(L, -1);
  *state = strcmp(word, "on") == 0 ? 1 : strcmp(word, "off") == 0 ? 0 : strcmp(word, "mixed") == 0 ? 2 : -1;
  return *state >= 0;
}

/// Reads one field of the answer. Lua keeps one copy of each short string, so names are compared by their address.
static bool readField(lua_State *L, clua_Host *h, clua_LookAnswer *look) {
  const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
  int which = 0;
  while (which < CLUA_LOOK_NAMES && name != clua_script(h)->lookNames[which]) which++;
  switch (which) {
    case 0: return clua_readState(L, &look->state);
    case 1: return readText(L, &look->title);
    case 2: return readText(L, &look->subtitle);
    case 3: return readText(L, &look->icon);
    case 4: return clua_readFlag(L, &look->hidden);
    case 5: return clua_readFlag(L, &look->destructive);
    default: return false;
  }
}

void clua_openLook(clua_Host *h, lua_State *L) {
  static const char *const names[CLUA_LOOK_NAMES] = {"state", "title", "subtitle", "icon", "hidden", "destructive"};
  for (int i = 0; i < CLUA_LOOK_NAMES; i++) {
    clua_script(h)->lookNames[i] = lua_pushstring(L, names[i]);
    luaL_ref(L, LUA_REGISTRYINDEX);
  }
}

bool clua_readLook(lua_State *L, int32_t index, clua_LookAnswer *look) {
  clua_Host *h = clua_host(L);
  *look = (clua_LookAnswer){.state = -1, .hidden = -1, .destructive = -1};
  index = lua_absindex(L, index);
  int top = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (!readField(L, h, look)) {
      lua_settop(L, top);
      return false;
    }
    lua_settop(L, -2);
  }
  return true;
}
