// The record of one interpreter with the host's operations, and what the files of this target share. Swift never sees this header.

#ifndef CSCRIPT_SCRIPT_H
#define CSCRIPT_SCRIPT_H

#include "CScript.h"
#include "Internal.h"

enum { CLUA_NAMES = 32 };  // at least as many as the host has in a context

/// A *run* of a handler goes from its beginning or a wait to its end or its next wait.
typedef struct clua_Run {
  int32_t what;         // a clua_What, how it ended
  const void *context;  // on which its handler may call `refuse`
  lua_State *co;        // the coroutine in which it runs
  void *job;            // Swift's job, if it goes on after a wait
  void *aside;          // an object of Swift's that is kept with it until it ends or waits
  int64_t number;       // of the responder's object; 0 without one
  struct clua_Run *outer;  // the run around it
  int32_t phase;           // the phase around it
} clua_Run;

/// Everything about one interpreter that is not in Lua's heap.
typedef struct {
  clua_Host lua;  // the safe Lua's record; must be first

  bool tellsLine;     // whether a script's function `line` is being told a line of a program's output
  clua_Run *run;
  bool hasCopies;   // whether a context ever got its own copy of `args` or `modifiers`
  clua_Context *ended, *spare;  // records of contexts that are gone, and those of them that can be used again
  int32_t spareCount;
  int32_t contextSize;          // how many keys the next context probably has
  const char *names[CLUA_NAMES];  // the host's names in a context: the addresses of Lua's own strings
  int32_t nameCount;
  int32_t group;  // the running provider's number; what it appends to contexts stays together
  struct clua_Run *stepsOf;  // the run whose steps are at stepsRef, as long as nothing else was registered, see Undo.c
  intptr_t stepsAt;          // what *changes was when they were kept
  const intptr_t *changes;
  int32_t stepsRef, checkRef;
  clua_Keep keep;
  void *keeper;
  clua_Fill fill;
  void *filler;
  int32_t showRef;  // a function that shows a context to the script called next, see clua_setViewer

  const void *pass;
  const void *contextMeta;  // the metatable of all contexts
  int32_t passRef, indexKey, newIndexKey, copiedKeys[2], pairsRef, callsRef, contextRef;
} clua_Script;

static inline clua_Script *clua_script(clua_Host *h) { return (clua_Script *)h; }

// Show.c
/// Shows what the context at the index, or behind the reader there, holds to the function that called the one that runs.
void clua_showAgain(lua_State *L, int index);

// Context.c
/// Whether the name at the index is one of the context's own.
bool clua_isHostName(clua_Host *h, lua_State *L, int index);
void clua_openContexts(clua_Host *h, lua_State *L);
/// Pushes the context behind a reader, or the value itself.
void clua_pushBehindReader(lua_State *L, int index);
/// Pushes the context that the value at the index is, or into which it lets providers write; false, pushing nothing, if it is neither.
bool clua_pushSupplied(lua_State *L, int32_t index);

// Run.c
/// Whether the value at the index is the context of the handler that runs.
bool clua_isRunning(clua_Host *h, lua_State *L, int index);
/// The number of the object of the responder whose handler runs; 0 if it has none.
int64_t clua_runningNumber(clua_Host *h);
/// Whether the value at the index is `pass`.
static inline bool clua_isPassAnswer(clua_Host *h, lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA && lua_topointer(L, index) == clua_script(h)->pass;
}
void clua_openRuns(clua_Host *h, lua_State *L);

// Undo.c
/// Puts its functions into the table on top.
void clua_openUndo(lua_State *L);

// Steps.c
enum { CLUA_MOST_STEPS = 4096 };  // in one table, far below the largest block that may be allocated
lua_Integer clua_countSteps(lua_State *L, int steps);
/// Appends steps of fillers, so that filling them in later needs no memory. Returns the number of the first.
lua_Integer clua_appendFillers(lua_State *L, int steps, int count);
/// Fills in a step with an object, a key and the old value, which it takes from the top.
void clua_fillStep(lua_State *L, int steps, lua_Integer step, int object, int key);
/// Whether a step is for the given field.
bool clua_isStepOf(lua_State *L, int steps, lua_Integer step, int object, int key);
/// Whether the object has a __newindex, so that writing an absent key calls a metamethod.
bool clua_hasNewIndex(lua_State *L, int object);
/// Pushes the table's own value for a key. Whether writing the key there calls no metamethod.
bool clua_pushOwn(lua_State *L, int object, int key);
/// Pushes the old value of a key: the table's own, or the one that its metamethods give.
void clua_pushOld(lua_State *L, int object, int key);
/// Writes the value on top as a script would, and takes it. Objects of the host's are written raw: `checkField` has allowed it.
void clua_putField(lua_State *L, int object, int key);
/// Inserts a value into a list, and appends the move to the steps, if `steps` isn't 0.
void clua_insertAt(lua_State *L, int steps, int list, int value, lua_Integer at);
/// Removes the value at a place from a list, and appends the move to the steps, if `steps` isn't 0.
void clua_removeAt(lua_State *L, int steps, int list, int value, lua_Integer at);
/// The first place of a value in a list; 0 if it isn't there.
lua_Integer clua_placeOf(lua_State *L, int list, int value);

// ContextCalls.c
/// Puts its functions into the table on top.
void clua_openContextCalls(lua_State *L);

#endif
