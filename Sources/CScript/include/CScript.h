// The host's operations on the safe Lua: running handlers, contexts, undo, waits.
//
// As in CLua.h no function named here can raise, and every declaration says what it takes from the stack and leaves there. All of them need
// an interpreter that was opened with clua_above().

#ifndef CSCRIPT_H
#define CSCRIPT_H

#include "CLua.h"

/// The argument of clua_open that opens all this with an interpreter.
const clua_Above *clua_above(void);

/// Bytes of a string of Lua's, there as long as the string is.
typedef struct {
  const char *bytes;  // NULL where there is none
  size_t count;
} clua_Text;

// MARK: Outcomes

/// References to the names of the fields that most outcomes have.
typedef struct {
  int32_t status, by, via, result;
} clua_OutcomeKeys;

/// Replaces an outcome's result on top by the outcome's table, with room for so many fields: `status` and `via` are references, 0 if left
/// out; `by` is the name of who did it, NULL for nobody. There must be room for 4 values.
void clua_pushOutcome(lua_State *L, const clua_OutcomeKeys *keys, int32_t status, int32_t via, const void *by, size_t count,
                      int32_t fields);

// MARK: Contexts

/// The record of a context. Its *reader* is an empty table through which scripts that are asked read the context, and providers write into it.
/// All are references. A few records are used again for other contexts once Swift's objects are gone.
typedef struct clua_Context {
  int32_t itself;             // the record, which Lua keeps
  int32_t table;              // the context
  int32_t reader, metatable;  // the reader and its metatable; 0: not made yet
  int32_t asked;              // how many questions have the reader now
  bool isOpen;                // whether the reader leads to the context
  bool isWritable;            // whether providers write through it
  bool isDiverted;            // whether a function answers for it
  bool hasCopies;             // whether it has copies of `args` or `modifiers` for a question
  bool hasFields;             // whether the context has the table of the host's fields
  void *object;               // Swift's, by which Swift finds it again, not retained
  const void *address;        // of the context; NULL once Swift's object is gone
  struct clua_Context *next;
} clua_Context;

// MARK: Running handlers

typedef enum {
  CLUA_DID = 0,  // the result is on top
  CLUA_PASSED,   // the handler answered `pass`, which is on top
  CLUA_REFUSED,  // the reason is on top
  CLUA_FAILED,   // an error record is on top
  CLUA_WAITS,    // see clua_wait; nil is on top
} clua_What;

typedef struct {
  int32_t what;    // a clua_What
  int32_t index;   // how many values a line gave, see clua_goOnLine
  int32_t status;  // a clua_Status
} clua_Answer;

/// Runs a handler in a pooled coroutine, so that it may wait: a referenced function, called with the referenced object of its responder (0: none)
/// and the context, whose reader is closed. `number` is that of the object. Pushes the answer's value.
clua_Answer clua_do(lua_State *L, int32_t function, int32_t self, int64_t number, clua_Context *context);

// MARK: Providing

/// Replaces the table on top by a shallow copy, for clua_nextOther to compare with later.
void clua_copyTable(lua_State *L);
/// Takes a key, pushes the next key and value of the table at the index that the table at `before` doesn't have; false, pushing nothing, at
/// the end. Nothing may be written into the table meanwhile.
bool clua_nextOther(lua_State *L, int32_t index, int32_t before);

// MARK: Waiting

/// The wait of the last perform that answered CLUA_WAITS; the next such answer overwrites it.
const clua_Wait *clua_wait(lua_State *L);
/// Resumes a waiting handler as Swift's `job`, and takes the thread out of `wait`. The arguments are on top of the thread's own stack: the
/// results of the call that waits, or, with `raises`, its error. The handler may spend what it had left plus what it regained while waiting,
/// at most `nanoseconds` and `instructions` (0: no limit of its own). Pushes the value.
clua_Answer clua_goOn(lua_State *L, clua_Wait *wait, void *job, int32_t nargs, bool raises, uint64_t nanoseconds,
                      uint64_t instructions);
/// Makes a coroutine for a line of Lua, the referenced function; clua_goOnLine starts it.
lua_State *clua_newLine(lua_State *L, int32_t function);
/// Resumes a line as clua_goOn does an action. If it answers CLUA_DID, pushes all of the line's values, as many as the index says.
clua_Answer clua_goOnLine(lua_State *L, clua_Wait *wait, void *job, int32_t nargs, bool raises, uint64_t nanoseconds,
                          uint64_t instructions);
/// Why the function that called from the thread can't wait; NULL if it can.
const char *clua_whyNoWait(lua_State *L);
/// Says whether from now on a script's function is being told a line of a program's output, in which it can't wait; returns what was set before.
bool clua_tellLine(lua_State *L, bool tells);
/// Replaces the function on top, one of Lua's that waits, by one for which `return wait()` in a script keeps the script's own frame.
void clua_newWaiting(lua_State *L);
/// Replaces the function on top, which sleeps in the phase CLUA_DRIVING, by `sleep`.
void clua_newSleep(lua_State *L);
/// The job of the running action; NULL before the action's first wait.
void *clua_runningJob(lua_State *L);
/// Takes over a retained object and keeps it with the running action until that ends or waits.
void clua_setAside(lua_State *L, void *retained);

// MARK: Undo. What a handler changes lies in tables of steps, see Undo.c and Steps.c; Swift keeps the references to them.

/// What a handler asks Swift to keep.
typedef struct {
  int64_t number;        // of the object of the handler's responder
  clua_Text title, key;  // groups of the same key merge
  bool isFunction;       // whether it is the function on top, which reverses the action; else a table of steps is asked for
  int32_t reference;     // the index of the reference of an action that reverses the action, with its arguments above it; 0 for none
  bool isKept;           // whether title and key are for the table that was kept last
} clua_Steps;

/// Keeps a function, or makes and keeps a table for steps, and returns the reference; 0 if nothing is kept; -1, pushing the reason, if that is
/// refused. It runs no script code and raises nothing.
typedef int32_t (*clua_Keep)(void *keeper, lua_State *L, const clua_Steps *steps);

/// Registers the callback that keeps steps, and the address at which Swift counts how often another table was kept. The function `check` is
/// called with an object of the host's, a key and a value before the field is written; it returns why that isn't allowed, or nil.
void clua_watchUndo(lua_State *L, clua_Keep keep, void *keeper, int32_t check, const intptr_t *changes);
/// Makes an empty table with room for so many steps, and returns its reference.
int32_t clua_newSteps(lua_State *L, int32_t count);
/// How many steps a table has. Steps are given by reference, here and below.
int32_t clua_stepCount(lua_State *L, int32_t steps);
/// Takes back the first `count` steps, the last first, and appends the steps that redo it to `other` (0: nowhere). Script code may run. `count`
/// becomes 0; on failure it is the number of the step that failed, and an error record is on top.
int32_t clua_takeBack(lua_State *L, int32_t steps, int32_t other, int32_t *count);
/// Appends the steps of `later` to those of `steps`; if both only set fields, a field that both set keeps its first old value. False, with
/// nothing changed, if they would be too many for one table.
bool clua_mergeSteps(lua_State *L, int32_t steps, int32_t later);
/// Notes in an index, a table, what steps wrote, under a number. Later writes are noted first, and have smaller numbers.
void clua_noteWrites(lua_State *L, int32_t index, int32_t steps, int32_t number);
/// The number of the earliest write noted in the index that wrote over what steps did (U14); 0 if there is none.
int32_t clua_overwriter(lua_State *L, int32_t index, int32_t steps);
/// Moves the steps over which the write of this number wrote to a new table. Returns its reference.
int32_t clua_splitSteps(lua_State *L, int32_t index, int32_t steps, int32_t number);

/// What runs now, a clua_Phase.
int32_t clua_phase(lua_State *L);
/// The address of the phase, valid as long as the interpreter is open.
const int32_t *clua_phasePointer(lua_State *L);
/// Sets the phase and returns the one before.
int32_t clua_setPhase(lua_State *L, int32_t phase);

/// Makes the table of fields of the context of an object, or, if that is NULL, of what was left: pushes it on L; false, pushing nothing, if there
/// is no request.
typedef bool (*clua_Fill)(void *filler, lua_State *L, void *object, void *left);
/// Sets the callback that makes the fields of contexts when a script first reads one.
void clua_setFiller(lua_State *L, void *filler, clua_Fill fill);
/// Makes an empty context, good until clua_dropContext; its object is still to be set.
clua_Context *clua_newContext(lua_State *L);
/// Lets go of a context whose object is gone. A script that kept its table can still read what is in it. It may be called at any time.
void clua_dropContext(lua_State *L, clua_Context *context);
/// Takes a table from the top that has the host's fields of a context.
void clua_setFields(lua_State *L, clua_Context *context);
/// Leaves an object, which it takes over, from which the fields are made when a script that kept the table reads one.
void clua_leave(lua_State *L, const clua_Context *context, void *retained);
/// Makes the fields of a context be made anew when a script next reads one.
void clua_forgetFields(lua_State *L, clua_Context *context);
/// Whether the value at the index is a context.
bool clua_isContext(lua_State *L, int32_t index);
/// Replaces the value on top by a list: of a table's elements up to the first gap, of none for nil or an empty table, else of the one value.
void clua_makeList(lua_State *L);
/// Puts a value into the list table[key], in front of what other groups appended; takes key and value from the top.
void clua_appendNearest(lua_State *L, int32_t index, int64_t group);
/// Whether the value at the index is a list that append made.
bool clua_isAppended(lua_State *L, int32_t index);
/// Adds a name, given by reference, to those of the context's own, which scripts can't append to or use for arguments: that of a field, or of a
/// call.
void clua_addHostName(lua_State *L, int32_t name, bool isField);
/// Whether the value at the index is a context, or the reader of one; fills in its object, NULL if that is gone.
bool clua_findContext(lua_State *L, int32_t index, void **object);
/// Sets the functions by which contexts show responders as each owner may see them: `view` gets a responder, for the script that reads a
/// field; `show` gets a context and the object whose scripts are called next. Both are references; 0 and 0 if all owners see the same.
void clua_setViewer(lua_State *L, int32_t view, int32_t show);
/// Shows what the context at the first index holds to the scripts that have the object at the second. Runs no script.
void clua_show(lua_State *L, int32_t context, int32_t self);
/// Whether the value, which a context has under the key, is a table of the host's, whose contents are shown with the context.
bool clua_isPart(lua_State *L, int32_t key, int32_t value);
/// Pushes the table of the calls that every context has.
void clua_pushContextCalls(lua_State *L);
/// Calls a question: a function with so many arguments on top, and last the context's reader. The referenced function `witness`, if it isn't
/// 0, is the reader's __index. Leaves the results, or an error record, and returns a clua_Status.
int32_t clua_ask(lua_State *L, clua_Context *context, int32_t witness, int32_t arguments, int32_t results);
/// Calls a provider likewise, which may write through the reader; what it appends stays together under the number of its group.
int32_t clua_provide(lua_State *L, clua_Context *context, int32_t group, int32_t arguments);
/// Ends writing through the reader. Takes the host's names that providers wrote out of the context, pushes each, and returns how many.
int32_t clua_endProviding(lua_State *L, clua_Context *context);
/// Closes the reader until it is next needed: a script that kept it can't read through it.
void clua_closeReader(lua_State *L, clua_Context *context);
/// The reference to `pass`.
int32_t clua_passReference(lua_State *L);
/// Whether the value at the index is `pass`, by which a handler leaves an action to the next candidate.
bool clua_isPass(lua_State *L, int32_t index);

#endif
