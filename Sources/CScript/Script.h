// The record of one interpreter with the host's operations, and what the files of this target share. Swift never sees this header.
//
// The files are in two rooms: Host, and Menus, which calls Host but not the other way round; Above.c opens both.

#ifndef CSCRIPT_SCRIPT_H
#define CSCRIPT_SCRIPT_H

#include "CScript.h"
#include "Internal.h"

enum { CLUA_LOOK_NAMES = 6, CLUA_ITEM_NAMES = 10, CLUA_FILES = 64 };
enum { CLUA_LONGEST_TEXT = 4096, CLUA_LONGEST_ID = 256 };  // in bytes, of what menus show and of their ids
enum { CLUA_READERS = 64 };  // questions asked within questions

/// A *run* of a handler goes from its beginning or a wait to its end or its next wait.
typedef struct clua_Run {
  const clua_Plan *plan;  // NULL when it goes on after a wait
  int32_t from;      // the step to begin with; -1: the answers of hooks
  int32_t what;      // a clua_What, how it ended; while it runs, what to answer if something fails now
  int32_t index;
  int32_t readers;     // how many were open before
  const void *context;  // on which its handler may call `refuse`
  lua_State *co;        // the coroutine in which it runs
  void *job;            // Swift's job, if it goes on after a wait
  void *aside;          // an object of Swift's that is kept with it until it ends or waits
  int64_t number;       // of the responder's object, where there is no plan that has it
  uint16_t *noted;      // bits for the keys that each provider wrote; NULL: not wanted
  const clua_RunOptions *options;  // NULL when it goes on after a wait
  struct clua_Run *outer;     // the run around it
  int32_t phase;              // the phase around it
} clua_Run;

/// A *reader* lets a context be read only: references to the table and to its metatable.
typedef struct {
  int32_t table, metatable;
  const void *context;  // what it reads, while it is open
  bool copies;          // whether it has copies of `args` or `modifiers`, see pushCopyForQuestion
} clua_ContextReader;

/// Everything about one interpreter that is not in Lua's heap.
typedef struct {
  clua_Host lua;  // the safe Lua's record; must be first

  bool tellsLine;     // whether a script's function `line` is being told a line of a program's output
  clua_Run *run;
  clua_Validation *asked;  // the pass whose questions are asked now
  int32_t readers, readersMade;  // how many readers are open; how many were made
  clua_ContextReader reader[CLUA_READERS];
  int32_t group;  // the running provider's number; what it appends to contexts stays together
  struct clua_Run *stepsOf;  // the run whose steps are at stepsRef, as long as nothing else was registered, see Undo.c
  intptr_t stepsAt;          // what *changes was when they were kept
  const intptr_t *changes;
  int32_t stepsRef, checkRef;
  clua_Keep keep;
  void *keeper;
  clua_TakeStep takeStep;
  void *stepState;
  int32_t showRef;  // a function that shows a context to the script called next, see clua_setViewer
  const intptr_t *shape, *asking;  // of Swift's, see HandlerSlot.c

  const char *lookNames[CLUA_LOOK_NAMES];  // what a `look` may answer, see Look.c
  const char *itemNames[CLUA_ITEM_NAMES];  // the fields of items that are read in one go, see Element.c
  char *files[CLUA_FILES];                 // names of files that declare elements; kept until the interpreter is closed
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
/// Reads the value on top, as does the next function; false if it has another type.
bool clua_readFlag(lua_State *L, int32_t *flag);
bool clua_readState(lua_State *L, int32_t *state);

// Validation.c
/// Whether the bytes are valid UTF-8.
bool clua_isUnicode(const char *bytes, size_t count);

// PlainReference.c
/// Whether the text is certainly a correct reference, with no argument named like a field of the host's. False says nothing.
bool clua_isPlainReference(clua_Host *h, lua_State *L, const char *text, size_t count);

// Element.c
/// Reads a text at the index that is shown as it is and valid UTF-8; false if it isn't one.
bool clua_readShown(lua_State *L, int index, clua_Text *text);
/// Whether a text may be an element's id.
static inline bool clua_mayBeID(const clua_Text *text) { return text->count > 0 && text->count <= CLUA_LONGEST_ID; }
void clua_openElements(clua_Host *h, lua_State *L);
/// The plain item of the element at the index, as long as Swift made no object for it; NULL for every other value.
const clua_PlainItem *clua_item(clua_Host *h, lua_State *L, int index);

// Running.c
/// Whether the value at the index is the context of the handler that runs.
bool clua_isRunning(clua_Host *h, lua_State *L, int index);
/// The number of the object of the responder whose handler runs; 0 if it has none.
int64_t clua_runningNumber(clua_Host *h);

// Context.c
void clua_openContexts(clua_Host *h, lua_State *L);
/// Sets the metatable of the table at the index to the referenced one.
void clua_setMetatable(lua_State *L, int32_t index, int32_t metatable);
/// Pushes the context behind a reader, or the value itself.
void clua_pushBehindReader(lua_State *L, int index);
/// Calls a pushed function with the pushed arguments, and last with a reader of the context, or the context itself if the function is known
/// to only read. Raises if questions are nested too deep.
void clua_callAsking(clua_Host *h, lua_State *L, int context, bool onlyReads, int arguments, int results);
/// Closes readers until so many are left. A script that kept a closed one can't read through it.
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
/// The answer to whether an action may be done.
typedef enum { CLUA_YES, CLUA_LACKING, CLUA_SAID_PASS, CLUA_SAID_NO } clua_Said;
/// Asks `needs`, then `can`, with the context at the index; pushes the two values that `can` answered, if it was asked. `lacking` is the index
/// of the first needed key that is missing, or -1. Raises what `can` raises.
clua_Said clua_mayBeDone(clua_Host *h, lua_State *L, const clua_Asked *asked, int context, int32_t *lacking);
/// Writes arguments into the context at the index.
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
/// Pushes a function and the responder that it is called for, and shows that responder's scripts what the context at the index holds.
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
/// Whether the name at the index is one of the context's own.
bool clua_isHostName(clua_Host *h, lua_State *L, int index);

#endif
