// Reads the menu items that scripts declare into plain data. If one is unusual or wrong, Swift reads it from the start, and words the error.

#include "Script.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_ITEM = 2048, MOST_ARGUMENTS = 8, PLACE_LEVELS = 16, LONGEST_FILE = 256 };
enum { BOX = 1, OWNER = 2, OPEN = 3 };  // upvalues of a constructor

// MARK: Naming

static int32_t addFile(clua_Host *h, const char *name) {
  for (int32_t i = 0; i < clua_script(h)->fileCount; i++)
    if (strcmp(clua_script(h)->files[i], name) == 0) return clua_script(h)->lastFile = i;
  if (clua_script(h)->fileCount == CLUA_FILES) return -1;
  char *kept = strdup(name);
  if (kept == NULL) return -1;
  clua_script(h)->files[clua_script(h)->fileCount] = kept;
  return clua_script(h)->lastFile = clua_script(h)->fileCount++;
}

/// Finds the file and line of the script that declares the element; false if there is none, or no number left for the file.
static bool findPlace(clua_Host *h, lua_State *L, clua_Element *element) {
  char name[LONGEST_FILE];
  lua_Debug place;
  for (int level = 1; level < 1 + PLACE_LEVELS && lua_getstack(L, level, &place) == 1; level++) {
    if (lua_getinfo(L, "Sl", &place) == 0 || place.currentline <= 0) continue;
    clua_copyName(&place, name, sizeof name);
    const char *file = name[0] == '=' || name[0] == '@' ? name + 1 : name;
    bool isLast = clua_script(h)->fileCount > 0 && strcmp(clua_script(h)->files[clua_script(h)->lastFile], file) == 0;
    element->file = isLast ? clua_script(h)->lastFile : addFile(h, file);
    element->line = place.currentline;
    return element->file >= 0;
  }
  return false;
}

bool clua_readShown(lua_State *L, int index, clua_Text *text) {
  if (lua_type(L, index) != LUA_TSTRING) return false;
  text->bytes = lua_tolstring(L, index, &text->count);
  return clua_isShownAsIs(text) && clua_isUnicode(text->bytes, text->count);
}

/// `item "Title"`
static int nameItem(lua_State *L) {
  clua_Host *h = clua_host(L);
  clua_Element place;
  clua_Text title;
  // A second argument of these types is an error, which Swift reports.
  int beside = lua_type(L, 2);
  bool isAlone = beside != LUA_TTABLE && beside != LUA_TUSERDATA && beside != LUA_TSTRING;
  bool isPlain = h->tripped == CLUA_TRIP_NONE && lua_toboolean(L, lua_upvalueindex(OPEN)) && isAlone
                 && clua_readShown(L, 1, &title) && findPlace(h, L, &place);
  if (!isPlain) return clua_trampoline(L);
  clua_Element *element = clua_newElement(h, L);
  element->owner = (int32_t)lua_tointeger(L, lua_upvalueindex(OWNER));
  element->file = place.file;
  element->line = place.line;
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  return 1;
}

// MARK: Fields

/// An item while it is read. `pushItem` joins its fixed part, its texts and its arguments.
typedef struct {
  clua_PlainItem item;
  clua_ItemArgument arguments[MOST_ARGUMENTS];
  size_t used;
  char bytes[LONGEST_ITEM];
} Reading;

static bool keep(Reading *r, const clua_Text *text, clua_ItemText *kept) {
  if (sizeof r->bytes - r->used < text->count) return false;
  memcpy(r->bytes + r->used, text->bytes, text->count);
  *kept = (clua_ItemText){(uint16_t)(sizeof(clua_PlainItem) + r->used), (uint16_t)text->count};
  r->used += text->count;
  return true;
}

static bool keepText(lua_State *L, int index, Reading *r, clua_ItemText *kept) {
  clua_Text text;
  return clua_readShown(L, index, &text) && keep(r, &text, kept);
}

static bool keepFlag(lua_State *L, uint8_t *kept, bool meansNo) {
  int32_t flag;
  if (!clua_readFlag(L, &flag)) return false;
  *kept = (flag != 0) != meansNo;
  return true;
}

static bool keepState(lua_State *L, uint8_t *kept) {
  int32_t state;
  if (!clua_readState(L, &state)) return false;
  *kept = (uint8_t)(1 + state);
  return true;
}

static bool keepAction(clua_Host *h, lua_State *L, Reading *r) {
  clua_Text text;
  if (lua_type(L, -1) != LUA_TSTRING) return false;
  text.bytes = lua_tolstring(L, -1, &text.count);
  return clua_isPlainReference(h, L, text.bytes, text.count) && keep(r, &text, &r->item.action);
}

/// Keeps the value on top as an argument; its key is below it.
static bool keepArgument(clua_Host *h, lua_State *L, Reading *r) {
  clua_Text key, text;
  if (r->item.argumentCount == MOST_ARGUMENTS || !clua_readShown(L, -2, &key)) return false;
  clua_ItemArgument *argument = &r->arguments[r->item.argumentCount++];
  memset(argument, 0, sizeof *argument);
  if (clua_isHostName(h, L, -2) || !keep(r, &key, &argument->key)) return false;
  switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
      argument->kind = CLUA_ARGUMENT_BOOL;
      argument->bits = lua_toboolean(L, -1);
      return true;
    case LUA_TNUMBER:
      argument->kind = lua_isinteger(L, -1) ? CLUA_ARGUMENT_INTEGER : CLUA_ARGUMENT_NUMBER;
      lua_Number number = lua_tonumber(L, -1);
      if (lua_isinteger(L, -1)) argument->bits = lua_tointeger(L, -1);
      else memcpy(&argument->bits, &number, sizeof number);
      return true;
    case LUA_TSTRING:
      argument->kind = CLUA_ARGUMENT_TEXT;
      text.bytes = lua_tolstring(L, -1, &text.count);
      return clua_isUnicode(text.bytes, text.count) && keep(r, &text, &argument->text);
    default: return false;
  }
}

static bool comesBefore(const Reading *r, const clua_ItemArgument *left, const clua_ItemArgument *right) {
  const char *bytes = r->bytes - sizeof(clua_PlainItem);
  size_t count = left->key.count < right->key.count ? left->key.count : right->key.count;
  int order = memcmp(bytes + left->key.at, bytes + right->key.at, count);
  return order < 0 || (order == 0 && left->key.count < right->key.count);
}

/// Sorts the arguments by key, because the order of a Lua table differs each time.
static void sortArguments(Reading *r) {
  for (int i = 1; i < r->item.argumentCount; i++) {
    clua_ItemArgument moved = r->arguments[i];
    int at = i;
    for (; at > 0 && comesBefore(r, &moved, &r->arguments[at - 1]); at--) r->arguments[at] = r->arguments[at - 1];
    r->arguments[at] = moved;
  }
}

static bool keepArguments(clua_Host *h, lua_State *L, Reading *r) {
  if (lua_type(L, -1) != LUA_TTABLE || clua_hostNumber(L, -1) >= 0) return false;
  int table = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (!keepArgument(h, L, r)) return false;
    lua_settop(L, -2);
  }
  sortArguments(r);
  return true;
}

static bool keepID(lua_State *L, Reading *r) {
  clua_Text id;
  return clua_readShown(L, -1, &id) && clua_mayBeID(&id) && keep(r, &id, &r->item.id);
}

/// Keeps one field. Lua keeps one copy of each short string, so names are compared by their address.
static bool keepField(clua_Host *h, lua_State *L, Reading *r) {
  if (lua_type(L, -2) != LUA_TSTRING)
    return lua_isinteger(L, -2) && lua_tointeger(L, -2) == 1 && keepAction(h, L, r);
  const char *name = lua_tostring(L, -2);
  int which = 0;
  while (which < CLUA_ITEM_NAMES && name != clua_script(h)->itemNames[which]) which++;
  switch (which) {
    case 0: return keepText(L, -1, r, &r->item.subtitle);
    case 1: return keepArguments(h, L, r);
    case 2: return keepID(L, r);
    case 3: return keepText(L, -1, r, &r->item.icon);
    case 4: return keepState(L, &r->item.state);
    case 5: return keepFlag(L, &r->item.hidden, false);
    case 6: return keepFlag(L, &r->item.isDisabled, true);
    case 7: return keepText(L, -1, r, &r->item.confirm);
    case 8: return keepFlag(L, &r->item.destructive, false);
    case 9: return keepFlag(L, &r->item.keepsOpen, false);
    default: return false;
  }
}

/// Pushes the item as one string.
static void pushItem(lua_State *L, Reading *r) {
  char all[sizeof(clua_PlainItem) + LONGEST_ITEM + 8 + sizeof r->arguments];
  size_t texts = sizeof(clua_PlainItem) + r->used, padding = -texts & 7, arguments = r->item.argumentCount * sizeof *r->arguments;
  r->item.argumentsAt = (uint16_t)(texts + padding);
  r->item.size = (int32_t)(texts + padding + arguments);
  memcpy(all, &r->item, sizeof r->item);
  memcpy(all + sizeof r->item, r->bytes, r->used);
  memset(all + texts, 0, padding);
  memcpy(all + texts + padding, r->arguments, arguments);
  lua_pushlstring(L, all, (size_t)r->item.size);
}

/// Reads the fields at 2 of the element at 1.
static bool readItem(clua_Host *h, lua_State *L, clua_Element *element) {
  Reading r;
  memset(&r.item, 0, sizeof r.item);
  r.used = 0;
  r.item.file = element->file;
  r.item.line = element->line;
  lua_getiuservalue(L, 1, 1);
  if (!keepText(L, -1, &r, &r.item.title)) return false;
  lua_settop(L, 2);
  lua_pushnil(L);
  while (lua_next(L, 2)) {
    if (!keepField(h, L, &r)) return false;
    lua_settop(L, 3);
  }
  pushItem(L, &r);
  lua_setiuservalue(L, 1, 1);
  return element->isWhole = true;
}

/// `item "Title" { … }`
static int callElement(lua_State *L) {
  clua_Host *h = clua_host(L);
  int top = lua_gettop(L);
  clua_Element *element = h->tripped == CLUA_TRIP_NONE && top == 2 ? clua_element(h, L, 1) : NULL;
  bool isPlain = element != NULL && !element->isWhole && lua_type(L, 2) == LUA_TTABLE && clua_hostNumber(L, 2) < 0
                 && readItem(h, L, element);
  if (isPlain) {
    lua_settop(L, 1);
    return 1;
  }
  lua_settop(L, top);
  return clua_trampoline(L);
}

// MARK: For Swift

void clua_openElements(clua_Host *h, lua_State *L) {
  static const char *const names[CLUA_ITEM_NAMES] = {"subtitle", "args",    "id",      "icon",        "state",
                                                     "hidden",   "enabled", "confirm", "destructive", "keeps_open"};
  for (int i = 0; i < CLUA_ITEM_NAMES; i++) {
    clua_script(h)->itemNames[i] = lua_pushstring(L, names[i]);
    luaL_ref(L, LUA_REGISTRYINDEX);
  }
}

void clua_pushItemConstructor(lua_State *L, void *retained, int32_t owner) {
  clua_pushFunctionBox(L, retained);
  lua_pushinteger(L, owner);
  lua_pushboolean(L, true);
  lua_pushcclosure(L, nameItem, OPEN);
}

void clua_closeItemConstructor(lua_State *L) {
  if (lua_tocfunction(L, -1) == nameItem) {
    lua_pushboolean(L, false);
    lua_setupvalue(L, -2, OPEN);
  }
  lua_settop(L, -2);
}

void clua_pushElementCall(lua_State *L, void *retained) {
  clua_pushFunctionBox(L, retained);
  lua_pushcclosure(L, callElement, BOX);
}

const clua_PlainItem *clua_item(clua_Host *h, lua_State *L, int index) {
  clua_Element *element = clua_element(h, L, index);
  if (element == NULL || !element->isWhole) return NULL;
  lua_getiuservalue(L, index, 1);
  const clua_PlainItem *item = (const clua_PlainItem *)lua_tostring(L, -1);
  lua_settop(L, -2);
  return item;
}

bool clua_plainElement(lua_State *L, int32_t index, clua_PlainElement *plain) {
  clua_Host *h = clua_host(L);
  clua_Element *element = clua_element(h, L, index);
  if (element == NULL) return false;
  *plain = (clua_PlainElement){element->owner, element->file, element->line, {NULL, 0}, clua_item(h, L, index)};
  if (plain->item != NULL) return true;
  lua_getiuservalue(L, index, 1);
  plain->title.bytes = lua_tolstring(L, -1, &plain->title.count);
  lua_settop(L, -2);
  return true;
}

const char *clua_fileName(lua_State *L, int32_t file) {
  clua_Host *h = clua_host(L);
  return file >= 0 && file < clua_script(h)->fileCount ? clua_script(h)->files[file] : "";
}
