// Reads lists of menu elements in one crossing: the children of a menu, and the rows that a section's functions make of values.

#include "Script.h"

#include <stdlib.h>
#include <string.h>

enum { LIST = 1, ROWS = 2, MOST_TEXT = 64 << 20 };

// MARK: Children

static bool addChild(clua_Children *children, clua_Child child) {
  if (children->count == children->capacity) {
    int32_t capacity = children->capacity * 2 + 16;
    clua_Child *grown = realloc(children->list, (size_t)capacity * sizeof *grown);
    if (grown == NULL) return false;
    children->list = grown;
    children->capacity = capacity;
  }
  children->list[children->count++] = child;
  if (child.item != NULL) children->bytes += (size_t)child.item->size;
  return true;
}

bool clua_readChildren(lua_State *L, int32_t index, clua_Children *children) {
  clua_Host *h = clua_host(L);
  int top = lua_gettop(L);
  index = lua_absindex(L, index);
  lua_pushnil(L);
  // lua_next can't raise here: nothing changes the table meanwhile, so each key is one of its own.
  while (lua_next(L, index)) {
    bool fits = true;
    if (lua_isinteger(L, -2) && lua_tointeger(L, -2) > 0) {
      if (lua_toboolean(L, -1))
        fits = addChild(children, (clua_Child){lua_tointeger(L, -2), clua_item(h, L, -1)});
    } else if (lua_type(L, -2) != LUA_TSTRING) {
      children->isOdd = true;
    }
    if (!fits) {
      lua_settop(L, top);
      return false;
    }
    lua_settop(L, -2);
  }
  return true;
}

void clua_freeChildren(clua_Children *children) { free(children->list); }

// MARK: Rows

static const clua_Span none = {-1, 0};

static void addRow(lua_State *L, clua_SectionRows *r) {
  if (r->rowCount == r->capacity) {
    int32_t capacity = r->capacity * 2 + 16;
    clua_SectionRow *grown = realloc(r->rows, (size_t)capacity * sizeof *grown);
    if (grown == NULL) luaL_error(L, "not enough memory");
    r->rows = grown;
    r->capacity = capacity;
  }
  r->rows[r->rowCount++] = (clua_SectionRow){r->index, none, none};
}

/// Keeps a copy of bytes, at a multiple of 8 as a `clua_PlainItem` needs.
static bool keep(clua_Texts *texts, const void *bytes, size_t count, clua_Span *span) {
  size_t at = (texts->used + 7) & ~(size_t)7;
  if (texts->capacity < at + count) {
    size_t capacity = texts->capacity * 2 + count + 4096;
    char *grown = capacity > MOST_TEXT ? NULL : realloc(texts->bytes, capacity);
    if (grown == NULL) return false;
    texts->bytes = grown;
    texts->capacity = capacity;
  }
  memset(texts->bytes + texts->used, 0, at - texts->used);
  memcpy(texts->bytes + at, bytes, count);
  *span = (clua_Span){(int32_t)at, (int32_t)count};
  texts->used = at + count;
  return true;
}

/// Calls a function with a value, and with the context where there is one.
static void ask(clua_Host *h, lua_State *L, const clua_SectionRows *r, int32_t function, int32_t context) {
  lua_settop(L, ROWS);
  if (context != 0) lua_rawgeti(L, LUA_REGISTRYINDEX, context);
  lua_rawgeti(L, LUA_REGISTRYINDEX, function);
  lua_rawgeti(L, LIST, r->index);
  if (context != 0) clua_callAsking(h, L, ROWS + 1, 1, 1);
  else lua_call(L, 1, 1);
}

static bool keepInteger(clua_Texts *texts, lua_Integer value, clua_Span *span) {
  char digits[24];
  char *at = digits + sizeof digits;
  uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
  do *--at = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0) *--at = '-';
  return keep(texts, at, (size_t)(digits + sizeof digits - at), span);
}

static bool keepID(lua_State *L, clua_SectionRows *r, clua_Span *span) {
  if (lua_isinteger(L, -1)) return keepInteger(&r->texts, lua_tointeger(L, -1), span);
  clua_Text id;
  return clua_readShown(L, -1, &id) && clua_mayBeID(&id) && keep(&r->texts, id.bytes, id.count, span);
}

/// Asks for the row of a value and the row's id. False, with the answer on top, if the answer isn't plain.
static bool askRow(clua_Host *h, lua_State *L, clua_SectionRows *r) {
  if (!r->isIdentifying) {
    ask(h, L, r, r->row, r->context);
    if (!lua_toboolean(L, -1)) return true;
    addRow(L, r);
    r->isIdentifying = true;
    const clua_PlainItem *item = clua_item(h, L, -1);
    r->isOddRow = item == NULL || !keep(&r->texts, item, (size_t)item->size, &r->rows[r->rowCount - 1].item);
    if (r->isOddRow) return false;
  }
  if (r->id == 0) return true;
  ask(h, L, r, r->id, 0);
  r->isOddID = !keepID(L, r, &r->rows[r->rowCount - 1].id);
  return !r->isOddID;
}

static int body(lua_State *L) {
  clua_Host *h = clua_host(L);
  clua_SectionRows *r = lua_touserdata(L, ROWS);
  r->isOddRow = r->isOddID = false;
  for (; r->index <= r->count && r->rowCount <= r->most; r->index++) {
    if (!askRow(h, L, r)) return 1;
    r->isIdentifying = false;
  }
  return 0;
}

int32_t clua_askRows(lua_State *L, clua_SectionRows *rows) {
  clua_Host *h = clua_host(L);
  int32_t phase = h->phase, readers = clua_script(h)->readers;
  lua_checkstack(L, 16);
  h->phase = CLUA_ASKING;
  lua_pushcfunction(L, body);
  lua_pushvalue(L, -2);
  lua_pushlightuserdata(L, rows);
  int32_t status = clua_call(L, 2, LUA_MULTRET);
  h->phase = phase;
  if (status != CLUA_OK) clua_closeReaders(h, L, readers);
  return status;
}

bool clua_areSameRows(const clua_SectionRows *rows, const clua_SectionRows *others) {
  return rows->rowCount == others->rowCount && rows->texts.used == others->texts.used
         && (rows->rowCount == 0 || memcmp(rows->rows, others->rows, (size_t)rows->rowCount * sizeof *rows->rows) == 0)
         && (rows->texts.used == 0 || memcmp(rows->texts.bytes, others->texts.bytes, rows->texts.used) == 0);
}

void clua_freeRows(clua_SectionRows *rows) {
  free(rows->rows);
  free(rows->texts.bytes);
}
