// The record of one interpreter with the host's operations, shared by the files of this target. Swift never sees it.

#ifndef CSCRIPT_SCRIPT_H
#define CSCRIPT_SCRIPT_H

#include "CScript.h"
#include "Internal.h"

enum { CLUA_NAMES = 32 };  // at least as many as the host has in a context

/// A *run* of a handler goes from its beginning or a wait to its end or its next wait.
typedef struct clua_Run {
  int32_t what;         // a clua_What: how it ended
  const void *context;  // of the action; its handler may call `refuse` on it
  lua_State *co;        // the coroutine of the handler
  void *job;            // Swift's job, if it continues after a wait
  void *aside;          // an object of Swift that lives until the run ends or waits
  int64_t number;       // of the responder's object; 0 without one
  struct clua_Run *outer;  // the run around it
  int32_t phase;           // the phase around it
} clua_Run;

/// The parts of one interpreter that are not in Lua's heap.
typedef struct {
  clua_Host lua;  // the safe Lua's record; must be first

  bool triedToWait;   // whether a call tried to wait while the host was asking
  bool tellsLine;     // whether a script's function `line` is handling a program's output
  clua_Run *run;
  bool hasCopies;   // whether a context ever got its own copy of `args` or `modifiers`
  clua_Context *ended, *spare;  // records of ended contexts, and those of them that are free for reuse
  int32_t spareCount;
  int32_t contextSize;          // the probable number of keys in the next context
  const char *names[CLUA_NAMES];  // the host's names in a context: the addresses of Lua's strings
  int32_t nameCount;
  int32_t group;  // the running provider's number; its values in contexts stay together
  struct clua_Run *stepsOf;  // the run of the steps at stepsRef, until another group is registered, see Undo.c
  intptr_t stepsAt;          // the value of *changes when the steps were kept
  const intptr_t *changes;
  int32_t stepsRef, checkRef;
  clua_Keep keep;
  void *keeper;
  clua_Fill fill;
  void *filler;
  int64_t failedNumber;  // the number of the handler that failed last
  int32_t showRef;  // a function that shows a context to the script called next, see clua_setViewer

  const void *pass;
  const void *contextMeta;  // the metatable of all contexts
  int32_t passRef, indexKey, newIndexKey, copiedKeys[2], pairsRef, callsRef, contextRef;
} clua_Script;

static inline clua_Script *clua_script(clua_Host *h) { return (clua_Script *)h; }

// Show.c
/// Shows the context at the index, or behind the reader there, to the caller of the running function.
void clua_showAgain(lua_State *L, int index);

// Context.c
/// Returns true if the name at the index is a name of the context itself.
bool clua_isHostName(clua_Host *h, lua_State *L, int index);
void clua_openContexts(clua_Host *h, lua_State *L);
/// Pushes the context behind a reader, or the value itself.
void clua_pushBehindReader(lua_State *L, int index);
/// Pushes the context at the index, or that behind a writable reader there; false, pushing nothing, for others.
bool clua_pushSupplied(lua_State *L, int32_t index);

// Run.c
/// Returns true if the value at the index is the context of the running handler.
bool clua_isRunning(clua_Host *h, lua_State *L, int index);
/// Returns the number of the running handler's responder object; 0 without one.
int64_t clua_runningNumber(clua_Host *h);
/// Returns true if the value at the index is `pass`.
static inline bool clua_isPassAnswer(clua_Host *h, lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA && lua_topointer(L, index) == clua_script(h)->pass;
}
void clua_openRuns(clua_Host *h, lua_State *L);

// Undo.c
/// Adds its functions to the table on top.
void clua_openUndo(lua_State *L);

// Steps.c
enum { CLUA_MOST_STEPS = 4096 };  // in one table, far below the largest allowed block
lua_Integer clua_countSteps(lua_State *L, int steps);
/// Appends placeholder steps, so that filling them in later needs no memory. Returns the number of the first.
lua_Integer clua_appendFillers(lua_State *L, int steps, int count);
/// Fills in a step with an object, a key and the old value, which it pops.
void clua_fillStep(lua_State *L, int steps, lua_Integer step, int object, int key);
/// Returns true if a step is for this field.
bool clua_isStepOf(lua_State *L, int steps, lua_Integer step, int object, int key);
/// Returns true if the object has a __newindex, so that writing an absent key calls a metamethod.
bool clua_hasNewIndex(lua_State *L, int object);
/// Pushes the table's raw value for a key. Returns true if writing the key calls no metamethod.
bool clua_pushOwn(lua_State *L, int object, int key);
/// Pushes the old value of a key: the table's raw value, or that of its metamethods.
void clua_pushOld(lua_State *L, int object, int key);
/// Pops a value and writes it like a script. Host objects are written raw: `checkField` has allowed it.
void clua_putField(lua_State *L, int object, int key);
/// Inserts a value into a list. Appends the move to the steps, if `steps` isn't 0.
void clua_insertAt(lua_State *L, int steps, int list, int value, lua_Integer at);
/// Removes the value at a place from a list. Appends the move to the steps, if `steps` isn't 0.
void clua_removeAt(lua_State *L, int steps, int list, int value, lua_Integer at);
/// Returns the first place of a value in a list; 0 if it isn't there.
lua_Integer clua_placeOf(lua_State *L, int list, int value);

// ContextCalls.c
/// Adds its functions to the table on top.
void clua_openContextCalls(lua_State *L);

#endif
