// Runs a validation pass in one crossing: for each question it writes the arguments over the context, asks `needs`, `can` and `look`, and
// writes the answers into a row of plain data.

#include "Script.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 1, DISPLACED = 2, MOST_TEXT = 64 << 20 };

// MARK: The context

/// Writes the question's arguments over the context, and keeps the values they displace, for `takeOff`.
static void putArguments(lua_State *L, clua_Validation *p, const clua_Question *q) {
  if (p->put > 0) return clua_putArguments(L, q->arguments, q->argumentCount, CONTEXT);
  for (int32_t i = 0; i < q->argumentCount; i++) {
    p->put = i;
    lua_rawgeti(L, LUA_REGISTRYINDEX, q->arguments[i].key);
    lua_pushvalue(L, -1);
    if (__builtin_expect(lua_rawget(L, CONTEXT) != LUA_TNIL, 0)) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, DISPLACED);
    } else {
      lua_settop(L, -2);
    }
    clua_pushArgument(L, &q->arguments[i]);
    lua_rawset(L, CONTEXT);
  }
  p->put = q->argumentCount;
}

/// Removes the arguments that `putArguments` wrote, and restores the values they displaced.
static void takeOff(lua_State *L, clua_Validation *p, const clua_Question *q, int context, int displaced) {
  for (int32_t i = 0; i < p->put; i++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, q->arguments[i].key);
    lua_pushvalue(L, -1);
    if (__builtin_expect(lua_rawget(L, displaced) != LUA_TNIL, 0)) {
      lua_pushvalue(L, -2);
      lua_pushnil(L);
      lua_rawset(L, displaced);
    }
    lua_rawset(L, context);
  }
  if (__builtin_expect(p->put < q->argumentCount, 0)) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, q->arguments[p->put].key);
    lua_pushnil(L);
    lua_rawset(L, displaced);
  }
  p->put = 0;
}

// MARK: Texts

/// How many continuation bytes follow a first byte; -1 if no character of more than one byte begins with it.
static int continuation(unsigned char first) {
  if (first >= 0xC2 && first < 0xE0) return 1;
  if (first >= 0xE0 && first < 0xF0) return 2;
  return first >= 0xF0 && first < 0xF5 ? 3 : -1;
}

bool clua_isUnicode(const char *bytes, size_t count) {
  if (clua_isOrdinary(bytes, count)) return true;
  const unsigned char *at = (const unsigned char *)bytes, *end = at + count;
  while (at < end) {
    unsigned char first = *at++;
    if (__builtin_expect(first < 0x80, 1)) continue;
    int more = continuation(first);
    if (more < 0 || end - at < more) return false;
    if ((first == 0xE0 ? at[0] < 0xA0 : first == 0xED ? at[0] > 0x9F : first == 0xF0 ? at[0] < 0x90
                                                  : first == 0xF4 && at[0] > 0x8F)) return false;
    for (; more > 0; more--)
      if ((*at++ & 0xC0) != 0x80) return false;
  }
  return true;
}

static bool keepText(clua_Texts *texts, const char *bytes, size_t count, clua_Span *span) {
  if (count > CLUA_LONGEST_TEXT || !clua_isUnicode(bytes, count)) return false;
  if (texts->capacity - texts->used < count) {
    size_t capacity = texts->capacity * 2 + CLUA_LONGEST_TEXT;
    char *grown = capacity > MOST_TEXT ? NULL : realloc(texts->bytes, capacity);
    if (grown == NULL) return false;
    texts->bytes = grown;
    texts->capacity = capacity;
  }
  memcpy(texts->bytes + texts->used, bytes, count);
  *span = (clua_Span){(int32_t)texts->used, (int32_t)count};
  texts->used += count;
  return true;
}

static bool isSameText(const clua_Validation *p, clua_Span now, clua_Span before) {
  if (now.at < 0 || before.at < 0) return now.at == before.at;
  return now.count == before.count
         && memcmp(p->texts.bytes + now.at, p->textsBefore.bytes + before.at, (size_t)now.count) == 0;
}

static bool isSame(const clua_Validation *p, const clua_Row *now, const clua_Row *before) {
  return now->what == before->what && now->state == before->state && now->hidden == before->hidden
         && now->destructive == before->destructive && now->lacking == before->lacking
         && isSameText(p, now->reason, before->reason) && isSameText(p, now->title, before->title)
         && isSameText(p, now->subtitle, before->subtitle) && isSameText(p, now->icon, before->icon);
}

// MARK: Questions

static const clua_Span noText = {-1, 0};

/// Writes into the row the reason that `can` gave for its no, which is on top.
static void keepReason(lua_State *L, clua_Validation *p, clua_Row *row) {
  if (lua_type(L, -1) == LUA_TSTRING) {
    size_t count;
    const char *bytes = lua_tolstring(L, -1, &count);
    if (keepText(&p->texts, bytes, count, &row->reason)) row->what = CLUA_ROW_NO;
  } else if (lua_type(L, -1) != LUA_TNUMBER) {
    row->what = CLUA_ROW_NO;
  }
}

/// Asks whether the action may be done, and writes the answer into the row.
static void askWhether(lua_State *L, clua_Host *h, clua_Validation *p, const clua_Question *q, clua_Row *row) {
  row->what = CLUA_ROW_CAN_ODD;
  switch (clua_mayBeDone(h, L, &q->asked, CONTEXT, &row->lacking)) {
    case CLUA_YES: row->what = CLUA_ROW_YES; break;
    case CLUA_LACKING: row->what = CLUA_ROW_NO; break;
    case CLUA_SAID_PASS: row->what = CLUA_ROW_PASSES; break;
    default: keepReason(L, p, row);
  }
}

static bool keepLook(clua_Validation *p, const clua_LookAnswer *look, clua_Row *row) {
  row->state = (int8_t)look->state;
  row->hidden = (int8_t)look->hidden;
  row->destructive = (int8_t)look->destructive;
  return (look->title.bytes == NULL || keepText(&p->texts, look->title.bytes, look->title.count, &row->title))
         && (look->subtitle.bytes == NULL || keepText(&p->texts, look->subtitle.bytes, look->subtitle.count, &row->subtitle))
         && (look->icon.bytes == NULL || keepText(&p->texts, look->icon.bytes, look->icon.count, &row->icon));
}

/// Asks one question. False, with the answer on top, if that doesn't fit into a row.
static bool ask(lua_State *L, clua_Host *h, clua_Validation *p, const clua_Question *q, clua_Row *row) {
  if (!p->isLooking && !q->isClosed) {
    askWhether(L, h, p, q, row);
    if (row->what == CLUA_ROW_CAN_ODD) return false;
    if (row->what == CLUA_ROW_PASSES) return true;
    lua_settop(L, DISPLACED);
  }
  p->isLooking = true;
  if (q->look.function == 0) return true;
  clua_pushHandler(h, L, q->look, CONTEXT);
  clua_callAsking(h, L, CONTEXT, q->lookOnlyReads, 1, 1);
  clua_LookAnswer look;
  if (lua_type(L, -1) == LUA_TNIL) return true;
  if (lua_type(L, -1) == LUA_TTABLE && clua_readLook(L, -1, &look) && keepLook(p, &look, row)) return true;
  return false;
}

/// Whether the next question's arguments have the same names, so that they simply overwrite this one's.
static bool areNextAlike(const clua_Validation *p) {
  return p->index + 1 < p->count && p->questions[p->index + 1].isAlike;
}

static int body(lua_State *L) {
  clua_Host *h = clua_host(L);
  clua_Validation *p = clua_script(h)->asked;
  if (!clua_begin(L, 0, p->instructions)) return luaL_error(L, "questions are nested too deep");
  h->levels[h->top].depth--;  // the host began this level, and not the code of a script
  for (; p->index < p->count; p->index++) {
    const clua_Question *q = &p->questions[p->index];
    clua_Row *row = &p->rows[p->index];
    if (!p->isLooking) *row = (clua_Row){CLUA_ROW_YES, -1, -1, -1, -1, noText, noText, noText, noText};
    lua_settop(L, DISPLACED);
    clua_beginAgain(h, p->instructions);
    putArguments(L, p, q);
    if (!ask(L, h, p, q, row)) return lua_gettop(L) - DISPLACED;
    if (!areNextAlike(p)) takeOff(L, p, q, CONTEXT, DISPLACED);
    p->isLooking = false;
    // After a `pass` the next candidate is asked, whose answer may have changed.
    p->changed[p->index] = row->what == CLUA_ROW_PASSES || !isSame(p, row, &p->before[p->index]);
  }
  clua_end(L);
  return 0;
}

int32_t clua_validate(lua_State *L, clua_Validation *pass) {
  clua_Host *h = clua_host(L);
  clua_Validation *outer = clua_script(h)->asked;
  int32_t phase = h->phase, readers = clua_script(h)->readers, level = h->top + h->beyond;
  lua_checkstack(L, 16);
  clua_script(h)->asked = pass;
  h->phase = CLUA_ASKING;
  lua_pushcfunction(L, body);
  lua_rawgeti(L, LUA_REGISTRYINDEX, pass->context);
  lua_rawgeti(L, LUA_REGISTRYINDEX, pass->displaced);
  int32_t status = clua_call(L, 2, LUA_MULTRET);
  clua_script(h)->asked = outer;
  h->phase = phase;
  if (pass->index >= pass->count && status == CLUA_OK) return CLUA_OK;
  while (h->top + h->beyond > level) clua_end(L);
  clua_closeReaders(h, L, readers);
  pass->changed[pass->index] = 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, pass->context);
  lua_rawgeti(L, LUA_REGISTRYINDEX, pass->displaced);
  takeOff(L, pass, &pass->questions[pass->index], lua_gettop(L) - 1, lua_gettop(L));
  lua_settop(L, -3);
  return status;
}

void clua_swapRows(clua_Validation *pass) {
  clua_Row *rows = pass->rows;
  clua_Texts texts = pass->texts;
  pass->rows = pass->before;
  pass->texts = pass->textsBefore;
  pass->before = rows;
  pass->textsBefore = texts;
  pass->texts.used = 0;
  pass->index = 0;
  pass->isLooking = false;
}

void clua_freeValidation(clua_Validation *pass) {
  free(pass->texts.bytes);
  free(pass->textsBefore.bytes);
}
