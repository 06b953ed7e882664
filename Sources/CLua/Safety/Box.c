// Swift objects inside Lua: a userdata holds one retained pointer, and releases it exactly once.

#include "Internal.h"

static uintptr_t seal(clua_Host *h, const clua_Box *box) { return (uintptr_t)box ^ (uintptr_t)h->secret; }

static void release(clua_Host *h, clua_Box *box) {
  void *object = box->object;
  if (object == NULL) return;
  box->object = NULL;  // cleared first, so that the box can't be used from now on
  h->objects--;
  h->hostDepth++;
  h->release(object);
  h->hostDepth--;
}

int clua_releaseBox(lua_State *L) {
  release(clua_host(L), lua_touserdata(L, 1));
  return 0;
}

void clua_releaseLost(clua_Host *h, void *block, size_t size) {
  if (h->boxSize == 0 || (size != h->boxSize && size != h->boxSize + CLUA_USERVALUE)) return;
  clua_Box *box = (clua_Box *)((char *)block + size - sizeof(clua_Box));
  if (box->seal != seal(h, box)) return;
  box->seal = 0;  // or the next block in this place would be taken for a box
  release(h, box);
}

void clua_pushBox(clua_Host *h, lua_State *L, void *retained, int32_t kind, int32_t metatable) {
  clua_Box *box = lua_newuserdatauv(L, sizeof(clua_Box), kind == CLUA_OBJECT ? 0 : 1);
  box->object = NULL;
  box->seal = seal(h, box);
  box->kind = kind;
  lua_rawgeti(L, LUA_REGISTRYINDEX, metatable);
  lua_setmetatable(L, -2);
  box->object = retained;
  h->objects++;
}

/// Measures the size of a block that ends in a box; nothing may be collected meanwhile.
size_t clua_measureBox(clua_Host *h, lua_State *L) {
  size_t before = h->live;
  lua_newuserdatauv(L, sizeof(clua_Box), 0);
  size_t size = h->live - before;
  lua_settop(L, -2);
  return size;
}
