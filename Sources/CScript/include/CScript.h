// The host's operations on the safe Lua: running handlers, contexts, undo, waits.
//
// As in CLua.h, no function can raise, and each declaration describes its effect on the stack. All of them need an
// interpreter that was opened with clua_above().

#ifndef CSCRIPT_H
#define CSCRIPT_H

#include "CLua.h"

/// Returns the argument of clua_open that opens these operations with an interpreter.
const clua_Above *clua_above(void);

/// Bytes of a Lua string, valid as long as the string lives.
typedef struct {
  const char *bytes;  // NULL without a string
  size_t count;
} clua_Text;

// MARK: Contexts

/// The record of a context. Its *reader* is an empty table: questions read the context through it, providers write. All
/// fields are references. A few records are reused once Swift's objects are gone.
typedef struct clua_Context {
  int32_t itself;             // the record, which Lua keeps
  int32_t table;              // the context
  int32_t reader, metatable;  // the reader and its metatable; 0: not made yet
  int32_t asked;              // the number of questions that use the reader now
  bool isOpen;                // whether the reader leads to the context
  bool isWritable;            // whether providers write through it
  bool isDiverted;            // whether a function answers reads
  bool hasCopies;             // whether it has copies of `args` or `modifiers` for a question
  bool hasFields;             // whether the context has the table of the host's fields
  void *object;               // Swift's object for this context, not retained
  const void *address;        // of the context; NULL once Swift's object is gone
  struct clua_Context *next;
} clua_Context;

// MARK: Running handlers

typedef enum {
  CLUA_DID = 0,  // the result is on top
  CLUA_PASSED,   // the handler returned `pass`, which is on top
  CLUA_REFUSED,  // the reason is on top
  CLUA_FAILED,   // an error record is on top
  CLUA_WAITS,    // see clua_wait; nil is on top
} clua_What;

typedef struct {
  int32_t what;    // a clua_What
  int32_t index;   // the number of values of a line, see clua_goOnLine
  int32_t status;  // a clua_Status
} clua_Answer;

/// Runs a handler in a pooled coroutine, so that it may wait, and pushes the answer's value. The handler gets its
/// responder's object (0: none, `number` is its number) and the context, whose reader is closed.
clua_Answer clua_do(lua_State *L, int32_t function, int32_t self, int64_t number, clua_Context *context);

/// If the context at the index is the running handler's, notes that a function of this script runs for the handler.
void clua_speak(lua_State *L, int32_t index, int32_t script);

/// Returns the number of the script whose function failed last, as a handler or for one.
int32_t clua_failedScript(lua_State *L);

// MARK: Providing

/// Replaces the table on top by a shallow copy, for clua_nextOther.
void clua_copyTable(lua_State *L);
/// Pops a key. Pushes the next key and value of the table at the index that the table at `before` doesn't have. Returns
/// false, pushing nothing, at the end. The table must not change meanwhile.
bool clua_nextOther(lua_State *L, int32_t index, int32_t before);

// MARK: Waiting

/// Returns the wait of the last perform that answered CLUA_WAITS; the next CLUA_WAITS overwrites it.
const clua_Wait *clua_wait(lua_State *L);
/// Resumes a waiting handler as Swift's `job`, and removes the thread from `wait`. Pushes the value. The thread's stack
/// has the results of the waiting call, or its error if `raises`. The handler gets its rest and the gain from waiting,
/// at most `nanoseconds` and `instructions` (0: no own limit).
clua_Answer clua_goOn(lua_State *L, clua_Wait *wait, void *job, int32_t nargs, bool raises, uint64_t nanoseconds,
                      uint64_t instructions);
/// Makes a coroutine for a line of Lua, the referenced function; clua_goOnLine starts it.
lua_State *clua_newLine(lua_State *L, int32_t function);
/// Resumes a line like clua_goOn. For CLUA_DID, pushes all values of the line; the index is their number.
clua_Answer clua_goOnLine(lua_State *L, clua_Wait *wait, void *job, int32_t nargs, bool raises, uint64_t nanoseconds,
                          uint64_t instructions);
/// Returns the reason why the function that called from the thread can't wait; NULL if it can.
const char *clua_whyNoWait(lua_State *L);

/// Returns whether a call has tried to wait while the host was asking, since the last call of this function.
bool clua_takeTriedToWait(lua_State *L);
/// Sets whether a script's function handles a program's output, in which it can't wait. Returns the former value.
bool clua_tellLine(lua_State *L, bool tells);
/// Replaces the waiting Lua function on top by a function for which `return wait()` keeps the script's frame.
void clua_newWaiting(lua_State *L);
/// Replaces the function on top, which sleeps in the phase CLUA_DRIVING, by `sleep`.
void clua_newSleep(lua_State *L);
/// Returns the job of the running action; NULL before the action's first wait.
void *clua_runningJob(lua_State *L);
/// Takes over a retained object and keeps it with the running action until that ends or waits.
void clua_setAside(lua_State *L, void *retained);

// MARK: Undo. A handler's changes are in tables of steps, see Undo.c and Steps.c; Swift keeps the references to them.

/// The request of a handler to keep steps.
typedef struct {
  int64_t number;        // the number of the handler's responder object
  clua_Text title, key;  // groups with the same key merge
  bool isFunction;       // whether the function on top reverses the action; else Swift makes a table of steps
  int32_t reference;     // the index of the reference of a reversing action, with its arguments above it; 0 for none
  bool isKept;           // whether title and key are for the table kept last
} clua_Steps;

/// Keeps a function, or makes and keeps a table for steps. Runs no script code and raises nothing. Returns the
/// reference; 0 if nothing is kept; -1, pushing the reason, for a refusal.
typedef int32_t (*clua_Keep)(void *keeper, lua_State *L, const clua_Steps *steps);

/// Registers the callback that keeps steps, and the address of Swift's count of kept tables. `check` gets a host
/// object, a key and a value before the field is written; it returns a reason against it, or nil.
void clua_watchUndo(lua_State *L, clua_Keep keep, void *keeper, int32_t check, const intptr_t *changes);
/// Makes an empty table with room for so many steps, and returns its reference.
int32_t clua_newSteps(lua_State *L, int32_t count);
/// Returns the number of steps in a table. Here and below, `steps` is its reference.
int32_t clua_stepCount(lua_State *L, int32_t steps);
/// Takes back the first `count` steps, last first. Appends the redo steps to `other` (0: nowhere). Script code may run.
/// `count` becomes 0. After a failure it is the number of the failed step, and an error record is on top.
int32_t clua_takeBack(lua_State *L, int32_t steps, int32_t other, int32_t *count);
/// Appends the steps of `later` to those of `steps`. If both only set fields, a common field keeps its first old value.
/// Returns false, with nothing changed, if there would be too many steps for one table.
bool clua_mergeSteps(lua_State *L, int32_t steps, int32_t later);
/// Sets a bit in both numbers for each field that the steps write. Steps without a common bit in one of them have no
/// common field.
void clua_fieldBits(lua_State *L, int32_t steps, uint64_t *one, uint64_t *other);
/// Notes the writes of steps in an index, a table, under a number. Later writes come first, with smaller numbers.
void clua_noteWrites(lua_State *L, int32_t index, int32_t steps, int32_t number);
/// Returns the number of the earliest write in the index that overwrote steps (U14); 0 if there is none.
int32_t clua_overwriter(lua_State *L, int32_t index, int32_t steps);
/// Moves the steps that the write with this number overwrote to a new table. Returns its reference.
int32_t clua_splitSteps(lua_State *L, int32_t index, int32_t steps, int32_t number);

/// Returns the current phase, a clua_Phase.
int32_t clua_phase(lua_State *L);
/// Returns the address of the phase, valid as long as the interpreter is open.
const int32_t *clua_phasePointer(lua_State *L);
/// Sets the phase and returns the former phase.
int32_t clua_setPhase(lua_State *L, int32_t phase);

/// Pushes on L the table of fields for the context of an object, or of its remainder `left` if the object is NULL.
/// Returns false, pushing nothing, without a request.
typedef bool (*clua_Fill)(void *filler, lua_State *L, void *object, void *left);
/// Sets the callback that makes the fields of contexts when a script first reads one.
void clua_setFiller(lua_State *L, void *filler, clua_Fill fill);
/// Makes an empty context, valid until clua_dropContext. The caller must set its object.
clua_Context *clua_newContext(lua_State *L);
/// Releases a context whose object is gone. A script with its table can still read it. Allowed at any time.
void clua_dropContext(lua_State *L, clua_Context *context);
/// Pops a table and makes it the host's fields of a context.
void clua_setFields(lua_State *L, clua_Context *context);
/// Takes over an object from which the fields are made if a script that kept the table reads one.
void clua_leave(lua_State *L, const clua_Context *context, void *retained);
/// Drops the fields of a context; the next read makes them again.
void clua_forgetFields(lua_State *L, clua_Context *context);
/// Returns true if the value at the index is a context.
bool clua_isContext(lua_State *L, int32_t index);
/// Replaces the value on top by a list: a table's elements up to a gap, none for nil or an empty table, else the value.
void clua_makeList(lua_State *L);
/// Pops key and value. Puts the value into the list table[key], before the values of other groups.
void clua_appendNearest(lua_State *L, int32_t index, int64_t group);
/// Returns true if the value at the index is a list from append.
bool clua_isAppended(lua_State *L, int32_t index);
/// Adds a field's or a call's name, a reference, to the context's own names, which scripts can't append to.
void clua_addHostName(lua_State *L, int32_t name, bool isField);
/// Returns true if the value at the index is a context or a reader. Fills in its object, NULL if that is gone.
bool clua_findContext(lua_State *L, int32_t index, void **object);
/// Sets the functions that show responders as each owner may see them, references, 0 if all owners see the same. `view`
/// gets a responder, for the reading script; `show` gets a context and the object whose scripts run next.
void clua_setViewer(lua_State *L, int32_t view, int32_t show);
/// Shows the content of the context at the first index to the scripts of the object at the second. Runs no script.
void clua_show(lua_State *L, int32_t context, int32_t self);
/// Returns true if the value, under this key in a context, is a host table that is shown with the context.
bool clua_isPart(lua_State *L, int32_t key, int32_t value);
/// Pushes the table of the calls that every context has.
void clua_pushContextCalls(lua_State *L);
/// Calls a question: a function with its arguments on top, and last the context's reader. Returns a clua_Status. The
/// referenced function `witness`, if it isn't 0, is the reader's __index. Leaves the results, or an error record.
int32_t clua_ask(lua_State *L, clua_Context *context, int32_t witness, int32_t arguments, int32_t results);
/// Calls a provider in the same way, which may write through the reader. Its appended values stay together by group.
int32_t clua_provide(lua_State *L, clua_Context *context, int32_t group, int32_t arguments);
/// Ends writing through the reader. Removes host names that providers wrote, pushes each, and returns their number.
int32_t clua_endProviding(lua_State *L, clua_Context *context);
/// Closes the reader until its next use: a script that kept it can't read through it.
void clua_closeReader(lua_State *L, clua_Context *context);
/// Returns the reference to `pass`.
int32_t clua_passReference(lua_State *L);
/// Returns true if the value at the index is `pass`, with which a handler leaves an action to the next candidate.
bool clua_isPass(lua_State *L, int32_t index);

#endif
