// The record of what is built on the safe Lua, and what the files of this target share. Never seen by Swift.
//
// The files stand in two rooms: Host, and Menus above it, which calls only that; Above.c opens both.

#ifndef CSCRIPT_SCRIPT_H
#define CSCRIPT_SCRIPT_H

#include "CScript.h"
#include "Internal.h"

enum { CLUA_LOOK_NAMES = 6, CLUA_ITEM_NAMES = 10, CLUA_FILES = 64 };
enum { CLUA_READERS = 64 };  // questions asked within questions

/// A *run* of a handler goes from its beginning or a wait to its end or its next wait.
typedef struct clua_Run {
  const clua_Plan *plan;  // NULL when it goes on after a wait
  int32_t from;      // the provider to begin with; -1: the answers of hooks
  int32_t what;      // what came of it; while it runs, what it is if something fails now
  int32_t index;
  int32_t readers;     // that were open before
  const void *context;  // whose handler may refuse
  lua_State *co;        // on which it runs
  void *job;            // of Swift's, as which it goes on after a wait
  void *aside;          // an object of Swift's that is kept with it until it ends or waits
  int64_t number;       // of the object of the responder that it runs for, where there is no plan to say so
  uint16_t *noted;      // what each provider supplied, where that is wanted
  const clua_RunOptions *options;  // NULL when it goes on after a wait
  struct clua_Run *outer;     // what ran before
  int32_t phase;              // in which phase
} clua_Run;

/// A *reader* lets a context be read only: references to the table and to its metatable.
typedef struct {
  int32_t table, metatable;
  const void *context;  // of which context, while it is open
  bool copies;          // whether it has tables of its own, see pushCopyForQuestion
} clua_ContextReader;

/// Everything about one interpreter that is not in Lua's heap.
typedef struct {
  clua_Host lua;  // first: the safe Lua's

  bool tellsLine;     // whether a script is told a line of a program's
  clua_Run *run;
  clua_Validation *asked;  // the pass whose questions are asked now
  int32_t readers, readersMade;  // contexts that are open for reading; readers that there are
  clua_ContextReader reader[CLUA_READERS];
  int32_t group;  // of what is appended to contexts now: the provider's number
  struct clua_Run *stepsOf;  // whose steps are at stepsRef, as long as nothing else was registered, see Undo.c
  intptr_t stepsAt;          // how often what is kept had changed when they were
  const intptr_t *changes;
  int32_t stepsRef, checkRef;
  clua_Keep keep;
  void *keeper;
  clua_TakeStep takeStep;
  void *stepState;
  int32_t showRef;  // one that shows whoever is called next what a context holds
  const intptr_t *shape, *asking;  // of Swift's, see HandlerSlot.c

  const char *lookNames[CLUA_LOOK_NAMES];  // what a `look` may answer, see Look.c
  const char *itemNames[CLUA_ITEM_NAMES];  // the fields of items that are read in one go, see Element.c
  char *files[CLUA_FILES];                 // where elements are declared; the last few names, for good
  int32_t fileCount, lastFile;

  const void *pass;
  int32_t passRef, indexKey, copiedKeys[2], pairsRef, callsRef, providingRef, overRef, namesRef;
} clua_Script;

static inline clua_Script *clua_script(clua_Host *h) { return (clua_Script *)h; }

// Show.c
/// Shows what the context at the index, or behind the reader there, holds to the function that called the one that runs.
void clua_showAgain(lua_State *L, int index);

// Look.c
void clua_openLook(clua_Host *h, lua_State *L);
/// Whether a text is short and has no control characters, so that it is shown as it is.
bool clua_isShownAsIs(const clua_Text *text);
/// These two read the value on top; false where it is not of that kind.
bool clua_readFlag(lua_State *L, int32_t *flag);
bool clua_readState(lua_State *L, int32_t *state);

// Validation.c
/// Whether all of it is UTF-8.
bool clua_isUnicode(const char *bytes, size_t count);

// PlainReference.c
/// Whether the text is, for certain and at first sight, a reference without a mistake whose arguments have no names of the host's.
bool clua_isPlainReference(clua_Host *h, lua_State *L, const char *text, size_t count);
/// Whether contexts answer to the name on top themselves.
bool clua_isHostName(clua_Host *h, lua_State *L);

// Element.c
void clua_openElements(clua_Host *h, lua_State *L);
/// The plain item of the element at the index, as long as nobody needed its object; NULL for every other value.
const clua_PlainItem *clua_item(clua_Host *h, lua_State *L, int index);

// Running.c
/// Whether the value at the index is the context of the handler that runs.
bool clua_isRunning(clua_Host *h, lua_State *L, int index);
/// The number of the object of the responder whose handler runs; 0 if it has none.
int64_t clua_runningNumber(clua_Host *h);

// Context.c
void clua_openContexts(clua_Host *h, lua_State *L);
/// Pushes the context behind a reader, or the value itself.
void clua_pushBehindReader(lua_State *L, int index);
/// Pushes a reader of the context at the index; false if asking is nested too deep.
bool clua_openReader(clua_Host *h, lua_State *L, int context);
/// Calls a function that was pushed with so many arguments, and with the context behind them, to read: a reader of it, or itself where the
/// function only reads. Raises if asking is nested too deep.
void clua_callAsking(clua_Host *h, lua_State *L, int context, bool onlyReads, int arguments, int results);
/// Closes the readers that were opened since there were so many: whoever kept one can't read through it.
void clua_closeOpenReaders(clua_Host *h, lua_State *L, int32_t remaining);
static inline void clua_closeReaders(clua_Host *h, lua_State *L, int32_t remaining) {
  if (__builtin_expect(clua_script(h)->readers > remaining, 0)) clua_closeOpenReaders(h, L, remaining);
}

// Perform.c
/// Whether the value at the index is `pass`.
static inline bool clua_isPassAnswer(clua_Host *h, lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA && lua_topointer(L, index) == clua_script(h)->pass;
}
void clua_openPerform(clua_Host *h, lua_State *L);

// Asking.c
/// What came of asking whether an action may be done.
typedef enum { CLUA_YES, CLUA_LACKING, CLUA_SAID_PASS, CLUA_SAID_NO } clua_Said;
/// Asks with the context at the index; what `can` said is on top, two values, where it was asked. `lacking` is the index of the first needed
/// key that is not there, or -1. Raises what `can` raises.
clua_Said clua_mayBeDone(clua_Host *h, lua_State *L, const clua_Asked *asked, int context, int32_t *lacking);
/// Lays arguments over the context at the index.
void clua_putArguments(lua_State *L, const clua_Argument *arguments, int32_t count, int context);
static inline void clua_pushArgument(lua_State *L, const clua_Argument *argument) {
  switch (argument->kind) {
    case CLUA_ARGUMENT_NIL: lua_pushnil(L); break;
    case CLUA_ARGUMENT_BOOL: lua_pushboolean(L, argument->integer != 0); break;
    case CLUA_ARGUMENT_INTEGER: lua_pushinteger(L, argument->integer); break;
    case CLUA_ARGUMENT_NUMBER: lua_pushnumber(L, argument->number); break;
    default: lua_rawgeti(L, LUA_REGISTRYINDEX, (int)argument->integer); break;
  }
}
/// Pushes a function and the responder that it is called for, to whom what the context at the index holds is shown.
static inline void clua_pushHandler(clua_Host *h, lua_State *L, clua_HandlerRef handler, int context) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, handler.function);
  lua_rawgeti(L, LUA_REGISTRYINDEX, handler.self);
  if (__builtin_expect(h->viewRef != 0, 0)) clua_show(L, context, -1);
}

// Undo.c
/// Puts its functions into the table on top.
void clua_openUndo(lua_State *L);

// ContextCalls.c
void clua_openContextCalls(lua_State *L);

#endif
