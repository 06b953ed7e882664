// The host's operations on the safe Lua: performs and validations in one crossing, contexts, undo, waits, elements and rows of menus.
//
// As in CLua.h no function named here can raise, and every declaration says what it takes from the stack and leaves there. All of them need
// an interpreter that was opened with clua_above().

#ifndef CSCRIPT_H
#define CSCRIPT_H

#include "CLua.h"

/// The argument of clua_open that opens all this with an interpreter.
const clua_Above *clua_above(void);

// MARK: What a `look` says, and where handlers stand. Host mode; none can raise, none runs script code.

/// Bytes of a string of Lua's, there as long as the string is.
typedef struct {
  const char *bytes;  // NULL where there is none
  size_t count;
} clua_Text;

/// A `look`'s answer: flags are -1 where it has none; a state of 2 is mixed.
typedef struct {
  int32_t state, hidden, destructive;
  clua_Text title, subtitle, icon;
} clua_LookAnswer;

/// Reads a `look`'s answer at the index; false if it has unknown fields, fields of unusual types, or texts that can't be shown as they are.
bool clua_readLook(lua_State *L, int32_t index, clua_LookAnswer *look);

/// A *slot* holds the function of a handler, which C replaces when a script assigns another. Its memory is Lua's.
typedef struct {
  int32_t function;  // a reference; 0: C may not replace it any more
  bool isOther;      // whether it was replaced since the host looked
  intptr_t shape;    // the chain's shape for which C may replace it
} clua_Slot;

/// Makes a slot, kept under the name on top by the host's table below it, and replaces both by the slot.
clua_Slot *clua_newSlot(lua_State *L);
/// Makes a reference keep the value on top instead of its own, and takes the value.
void clua_put(lua_State *L, int32_t reference);
/// Pushes a function for __newindex that puts functions into the slots of its first argument, and calls the Swift object for all else.
void clua_pushHandlerWriter(lua_State *L, void *retained);
/// Sets the addresses at which the host counts changes of the chain's shape, and the questions being asked.
void clua_watchShape(lua_State *L, const intptr_t *shape, const intptr_t *asking);

// MARK: Performing

/// References to the names of the fields that most outcomes have.
typedef struct {
  int32_t status, by, via, result;
} clua_OutcomeKeys;

/// Replaces an outcome's result on top by the outcome's table, with room for so many fields: `status` and `via` are references, 0 if left
/// out; `by` is the name of who did it, NULL for nobody. There must be room for 4 values.
void clua_pushOutcome(lua_State *L, const clua_OutcomeKeys *keys, int32_t status, int32_t via, const void *by, size_t count,
                      int32_t fields);

/// A script function and the responder that it is called for.
typedef struct {
  int32_t function, self;  // references; function 0: none; self 0: it is called with the context only
  int64_t number;          // of the responder's object; 0 without one
} clua_HandlerRef;

typedef enum {
  CLUA_ARGUMENT_NIL = 0,
  CLUA_ARGUMENT_BOOL,
  CLUA_ARGUMENT_INTEGER,
  CLUA_ARGUMENT_NUMBER,
  CLUA_ARGUMENT_VALUE,  // the integer is a reference
} clua_ArgumentKind;

typedef struct {
  int32_t key;   // a reference to the name
  int32_t kind;  // a clua_ArgumentKind
  int64_t integer;
  double number;
} clua_Argument;

/// The questions asked before an action is done: its `needs`, then its `can`.
typedef struct {
  const int32_t *needs;  // references to keys
  int32_t needCount;
  bool canOnlyReads;    // whether `can` is known to only read the context, so that it needs no reader
  clua_HandlerRef can;  // without a function: none that C asks
} clua_Asked;

/// The keys that a provider may write, if its code shows that these are all.
typedef struct {
  const int32_t *keys;  // references
  int32_t count;        // CLUA_NOTED at most
} clua_Written;

enum { CLUA_NOTED = 12 };

/// A hook, a `redirect` or `claims` function, and the answer for which a plan was made.
typedef struct {
  clua_HandlerRef handler;
  int32_t action;            // a reference to the action's name
  const void *table, *name;  // the identities of the responder's table and name that `redirect` answered; NULL: it answered none
  bool isClaim;              // whether it is a `claims` function
  bool claims;               // what that answered
} clua_HookAnswer;

/// A *plan* is what one perform does, in order: it asks the hooks, then takes the steps: each provider, then each clua_Step. A provider
/// without a function is Swift's, and so is a `can` if the options say so: clua_TakeStep is called for it. If `on` has none, the run ends
/// with CLUA_HOST.
typedef struct {
  const clua_HookAnswer *hookAnswers;
  const intptr_t *changes;  // counts the changes that invalidate the hooks' answers
  int32_t hookAnswerCount;
  const clua_HandlerRef *providers;
  const clua_Written *written;  // of each provider; NULL as long as nobody wants it noted
  const clua_Argument *values;  // written into the context before any provider runs
  const clua_Argument *arguments;
  int32_t providerCount, valueCount, argumentCount;
  clua_Asked asked;
  clua_HandlerRef on;
  uint64_t nanoseconds, instructions;  // its allowance; 0: no limit of its own
  int32_t metatable;  // of the context once it is built; 0 if it has one already
  int32_t fields;     // that the context will hold, about
  bool isBare;        // whether no provider calls the context's methods, so that it needs none while it is built
} clua_Plan;

/// A plan's steps after the providers. `needs` and `can` are one step, which Swift takes if `can` is Swift's.
typedef enum { CLUA_STEP_ARGUMENTS = 0, CLUA_STEP_ASK, CLUA_STEP_TELL, CLUA_STEP_DO } clua_Step;

/// One run of a plan.
typedef struct {
  void *taker;      // handed to clua_TakeStep for Swift's steps; NULL if the only one is the handler
  int32_t from;     // the step to begin with; -1: the answers of hooks
  int32_t given;    // how many keys of the call's own, each with its value, lie above the context on the stack; CLUA_GIVEN at most
  bool hasContext;  // whether the context was pushed already
  bool putsArguments;  // whether C writes the plan's and the call's arguments into the context; else Swift does
  bool asksItself;  // whether C asks `needs` and `can`; else Swift does
  bool tells;       // whether an observer is told before the handler runs, which is a step of Swift's
  bool isAlone;     // whether it has the plan's allowance; else it spends that of the perform around it
  uint64_t question;  // not 0: only `needs` and `can` are asked, within so many instructions, and the handler isn't run
  uint16_t *noted;  // for each provider, gets a bit for each key that it wrote; NULL: not wanted
} clua_RunOptions;

/// Takes a step of Swift's in a run, on the run's own stack, whose first value is the context; false if it ended the run. `state` is what
/// clua_setTakeStep was given.
typedef bool (*clua_TakeStep)(void *state, lua_State *L, void *taker, int32_t step);
/// Sets the callback that takes Swift's steps in all runs of an interpreter; it is called with `state`.
void clua_setTakeStep(lua_State *L, void *state, clua_TakeStep take);

typedef enum {
  CLUA_DID = 0,              // the result is on top
  CLUA_PASSED = 1,           // the handler answered `pass`, or `can` did, then the index is 1
  CLUA_LACKS = 2,            // index tells the need
  CLUA_NO = 3,               // the reason, or nil, is on top
  CLUA_REFUSED = 4,          // the reason is on top
  CLUA_PROVIDER_FAILED = 5,  // index tells the provider; an error record is on top
  CLUA_CAN_FAILED = 6,       // an error record is on top
  CLUA_FAILED = 7,           // the handler failed; an error record is on top
  CLUA_WAITS = 8,            // see clua_wait; nil is on top
  CLUA_HOOK_SAID_OTHERWISE = 9,  // the hook at the index answered what is on top; index after the last: all answered the same, but `changes` grew
  CLUA_HOOK_FAILED = 10,  // an error record is on top
  CLUA_HOST = 11,            // the handler is Swift's, or `question` was set and it may run; nil is on top
  CLUA_ENDED = 12,           // a step of Swift's ended it; nil is on top
} clua_What;

typedef struct {
  int32_t what;    // a clua_What
  int32_t index;
  int32_t status;  // a clua_Status
} clua_Answer;

/// The most keys of its own that a call may have, so that they fit on the stack of a fresh coroutine.
enum { CLUA_GIVEN = 8 };

/// Pushes a context for a run of a plan, with room for the plan's keys and so many of the call's own. There must be room for 2 values.
void clua_newContextOf(lua_State *L, const clua_Plan *plan, int32_t given);

/// Runs a plan from a step on, to its end or to a handler of Swift's. Pushes the context unless `hasContext`, takes the call's own keys and
/// values from above it (the last is written first), and pushes the answer's value.
clua_Answer clua_perform(lua_State *L, const clua_Plan *plan, clua_RunOptions options);

// MARK: Providing

/// Replaces the table on top by a shallow copy, for clua_nextOther to compare with later.
void clua_copyTable(lua_State *L);
/// Takes a key, pushes the next key and value of the table at the index that the table at `before` doesn't have; false, pushing nothing, at
/// the end. Nothing may be written into the table meanwhile.
bool clua_nextOther(lua_State *L, int32_t index, int32_t before);

// MARK: Passes

/// What one item of a menu asks, in this order: needs, can, look.
typedef struct {
  const clua_Argument *arguments;
  int32_t argumentCount;
  clua_Asked asked;
  clua_HandlerRef look;
  bool lookOnlyReads;  // whether `look` is known to only read the context, so that it needs no reader
  bool isClosed;  // whether the action is known to be impossible, so that only `look` is asked
  bool isAlike;  // whether its arguments have the same names as those of the question before, in the same order
} clua_Question;

typedef enum {
  CLUA_ROW_YES = 0,
  CLUA_ROW_NO,      // with a reason, or lacking a need
  CLUA_ROW_PASSES,  // `can` answered `pass`, so `look` wasn't asked
  CLUA_ROW_CAN_ODD,  // the answer of `can` doesn't fit into a row
} clua_RowWhat;

/// The place of a text in clua_Texts; `at` is -1 if there is none.
typedef struct {
  int32_t at, count;
} clua_Span;

enum { CLUA_ROW_TELLS_LITTLE = -2 };

/// The answers to a question: flags are -1 where there is none.
typedef struct {
  int8_t what;  // a clua_RowWhat
  int8_t state, hidden, destructive;
  int32_t lacking;  // the index of the first missing need; -1: none; CLUA_ROW_TELLS_LITTLE: the row doesn't hold the whole answer
  clua_Span reason, title, subtitle, icon;
} clua_Row;

typedef struct {
  char *bytes;
  size_t used, capacity;
} clua_Texts;

/// The questions of a validation pass, their answers, and the answers of the pass before.
typedef struct {
  const clua_Question *questions;
  clua_Row *rows, *before;
  uint8_t *changed;  // for each question, whether its answer differs from the one before
  clua_Texts texts, textsBefore;
  uint64_t instructions;       // that each question may spend
  int32_t count;
  int32_t context, displaced;  // references: the context, and an empty table for values that arguments displace
  int32_t index;               // the question that is asked
  int32_t put;                // how many of its arguments are written over the context
  bool isLooking;              // whether its `look` is asked; set it to begin with that
} clua_Validation;

/// Asks the questions from the index on. It stops before the end if something failed, with the error record on top, or if an answer doesn't
/// fit into a row: CLUA_OK then, with the answer on top.
int32_t clua_validate(lua_State *L, clua_Validation *pass);
/// Prepares the next pass: swaps the rows and texts with those of the pass before, and goes to the first question.
void clua_swapRows(clua_Validation *pass);
/// Frees the texts, but not the questions and rows, which are the caller's.
void clua_freeValidation(clua_Validation *pass);

// MARK: Waiting

/// The wait of the last perform that answered CLUA_WAITS; the next such answer overwrites it.
const clua_Wait *clua_wait(lua_State *L);
/// Resumes a waiting handler as Swift's `job`, and takes the thread out of `wait`. The arguments are on top of the thread's own stack: the
/// results of the call that waits, or, with `raises`, its error. The handler may spend what it had left plus what it regained while waiting,
/// at most `nanoseconds` and `instructions` (0: no limit of its own). Pushes the value, and below it the context if the answer is CLUA_PASSED.
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

// MARK: Undo. A handler's ctx:set and ctx:undo append steps to a table of its perform's; Swift is asked for one the first time.

/// A handler's *steps*, as passed to clua_Keep.
typedef struct {
  int64_t number;        // of the object of the handler's responder; 0 in a function that takes something back
  clua_Text title, key;  // groups of the same key merge
  bool isKept;           // whether title and key are for the table that was kept last
} clua_Steps;

/// Keeps a table for steps, whose old contents are no longer needed, and returns its reference; 0 if nothing is kept; -1, pushing the reason,
/// if that is refused. It runs no script code and raises nothing.
typedef int32_t (*clua_Keep)(void *keeper, lua_State *L, const clua_Steps *steps);

/// Registers the callback that keeps steps, and the address at which Swift counts how often another table was kept. The function `check` is
/// called with an object of the host's, a key and a value before the field is written; it returns why that isn't allowed, or nil.
void clua_watchUndo(lua_State *L, clua_Keep keep, void *keeper, int32_t check, const intptr_t *changes);
/// How many steps the table at the index holds.
int32_t clua_stepCount(lua_State *L, int32_t index);
/// Takes back steps of a table, from the last of `count` down to a function or the beginning, and appends the steps that redo it to `other`
/// (0: nowhere). Both tables are references. Script code may run. `count` gets how many are left; on failure an error record is on top.
int32_t clua_takeBack(lua_State *L, int32_t steps, int32_t other, int32_t *count);
/// Takes back all steps of the referenced table, which then holds the steps that redo it. False, with nothing changed, if that would run
/// script code, if there are many steps, or if memory is scarce.
bool clua_swapValues(lua_State *L, int32_t reference);
/// Makes an empty table with room for so many steps, and returns its reference.
int32_t clua_newSteps(lua_State *L, int32_t count);
/// Pushes the function of a step, counted from 1.
void clua_pushStep(lua_State *L, int32_t steps, int32_t step);
/// Appends the steps of `later` to those of `steps`; if both only set fields, a field that both set keeps its first old value. False, with
/// nothing changed, if they would be too many for one table.
bool clua_mergeSteps(lua_State *L, int32_t steps, int32_t later);

/// What runs now, a clua_Phase.
int32_t clua_phase(lua_State *L);
/// The address of the phase, valid as long as the interpreter is open.
const int32_t *clua_phasePointer(lua_State *L);
/// Sets the phase and returns the one before.
int32_t clua_setPhase(lua_State *L, int32_t phase);

/// Pushes an empty context for providers to fill, with room for so many fields.
void clua_newContext(lua_State *L, int32_t fields);
/// Takes a table of the host's fields and pushes the metatable of contexts that have them.
void clua_newContextMetatable(lua_State *L);
/// Replaces the value on top by a list: of a table's elements up to the first gap, of none for nil or an empty table, else of the one value.
void clua_makeList(lua_State *L);
/// Puts a value into the list table[key], in front of what other groups appended; takes key and value from the top.
void clua_appendNearest(lua_State *L, int32_t index, int64_t group);
/// Whether the value at the index is a list that append made.
bool clua_isAppended(lua_State *L, int32_t index);
/// Sets the number of the running provider, so that what it appends stays together.
void clua_setGroup(lua_State *L, int32_t group);
/// Adds a name, given by reference, to those of the context's own, which scripts can't append to or use for arguments.
void clua_addHostName(lua_State *L, int32_t name);
/// Takes a value from the top and keeps it, hidden from scripts, in the table of a context's fields at the index.
void clua_setOrigin(lua_State *L, int32_t fields);
/// Pushes the value that clua_setOrigin kept with the fields of the context at the index, or of the context behind a reader there; false if
/// there is none.
bool clua_origin(lua_State *L, int32_t index);
/// Sets the functions by which contexts show responders as each owner may see them: `view` gets a responder, for the script that reads a
/// field; `show` gets a context and the object whose scripts are called next. Both are references; 0 and 0 if all owners see the same.
void clua_setViewer(lua_State *L, int32_t view, int32_t show);
/// Shows what the context at the first index holds to the scripts that have the object at the second. Runs no script.
void clua_show(lua_State *L, int32_t context, int32_t self);
/// Whether the value, which a context has under the key, is a table of the host's, whose contents are shown with the context.
bool clua_isPart(lua_State *L, int32_t key, int32_t value);
/// Pushes the fields that the host gave the context at the index; false if it is none.
bool clua_contextFields(lua_State *L, int32_t index);
/// Pushes the table of the calls that every context has.
void clua_pushContextCalls(lua_State *L);
/// Pushes a reader of the context at the index, valid until clua_popReader. Readers nest; false if too deep.
bool clua_pushReader(lua_State *L, int32_t context);
/// Does as clua_pushReader, with a function, taken from the top, as the reader's __index.
bool clua_pushWitnessedReader(lua_State *L, int32_t context);
/// Closes the reader that was pushed last, and leaves it on the stack. A script that kept it can't read through it, until the next reader at
/// the same depth is the same table.
void clua_popReader(lua_State *L);
/// Pushes a copy of the context at the index, for a provider that may keep its argument.
void clua_copyContext(lua_State *L, int32_t context);
/// Takes the copy from the top, makes the context hold what the copy does, and makes the copy unusable.
void clua_returnContext(lua_State *L, int32_t context);
/// The reference to `pass`.
int32_t clua_passReference(lua_State *L);
/// Whether the value at the index is `pass`, by which a handler leaves an action to the next candidate.
bool clua_isPass(lua_State *L, int32_t index);

// MARK: Menu items as plain data. Most are read in one go when they are declared, without an object of Swift's.

/// A text in an item, in bytes from the item's start; `at` is 0 if there is none.
typedef struct {
  uint16_t at, count;
} clua_ItemText;

/// An argument of an item, whose kind is a clua_ArgumentKind; that of a text is CLUA_ARGUMENT_VALUE.
typedef struct {
  clua_ItemText key, text;
  int64_t kind;
  int64_t bits;  // the bit pattern of a number's double; else the value
} clua_ItemArgument;

/// The declared fields of an item. Its texts and arguments follow in memory; two items are equal if all their bytes are.
typedef struct {
  int32_t size;  // bytes of all of it, a multiple of 8
  int32_t file, line;
  uint8_t state, hidden, destructive, keepsOpen;  // a state is 0 where none is declared, 1 for off, 2 for on, 3 for mixed
  uint8_t isDisabled, argumentCount;
  uint16_t argumentsAt;
  clua_ItemText title, id, action, subtitle, icon, confirm;
} clua_PlainItem;

/// Pushes the function `item` for an owner's scripts. It makes usual items itself, and calls Swift's function for all others.
void clua_pushItemConstructor(lua_State *L, void *retained, int32_t owner);
/// Takes the constructor on top, which from now on calls Swift's function for every item.
void clua_closeItemConstructor(lua_State *L);
/// Pushes the function that gives an element its fields when it is called with them; it calls Swift's function for unusual ones.
void clua_pushElementCall(lua_State *L, void *retained);

/// An element for which Swift has made no object yet.
typedef struct {
  int32_t owner, file, line;
  clua_Text title;
  const clua_PlainItem *item;  // NULL while it is only named
} clua_PlainElement;
/// Reads such an element at the index; false for every other value.
bool clua_plainElement(lua_State *L, int32_t index, clua_PlainElement *element);
/// The name of a file in which elements are declared.
const char *clua_fileName(lua_State *L, int32_t file);

/// A value in a list of elements, under a positive integer key.
typedef struct {
  int64_t key;
  const clua_PlainItem *item;  // NULL if it isn't a plain item
} clua_Child;
typedef struct {
  clua_Child *list;  // in the order of the table
  int32_t count, capacity;
  size_t bytes;      // that the items have together
  bool isOdd;        // whether there are keys that are neither positive integers nor strings
} clua_Children;
/// Reads the table at the index, without values that are false. There must be room for 8 values. False if there is no memory.
bool clua_readChildren(lua_State *L, int32_t index, clua_Children *children);
/// Frees what clua_readChildren made; nothing of it may be read any more.
void clua_freeChildren(clua_Children *children);

// MARK: The rows of a section, in one crossing

/// A row that was made of a value.
typedef struct {
  int64_t index;   // of the value
  clua_Span item;  // a clua_PlainItem; `at` is -1 if the row is something else
  clua_Span id;    // `at` is -1 if it has none
} clua_SectionRow;

typedef struct {
  int32_t row, id, context;  // references: the functions that make a row and its id, and the context for the first; 0: none
  int64_t count, index;      // how many values there are, and which is asked about
  clua_SectionRow *rows;
  int32_t rowCount, capacity, most;  // no more are asked for
  clua_Texts texts;
  bool isIdentifying;  // whether the id of the last row is asked
  bool isOddRow, isOddID;  // whether the last answer was a row, or an id, that isn't plain
} clua_SectionRows;

/// Asks for the rows of the values in the list on top, from the index on. It stops before the end if something failed, with the error record
/// on top, or if a row or an id isn't plain: CLUA_OK then, with it on top. Such a row was added; the next call asks for its id.
int32_t clua_askRows(lua_State *L, clua_SectionRows *rows);
/// Whether two lists have the same rows and ids.
bool clua_areSameRows(const clua_SectionRows *rows, const clua_SectionRows *others);
/// Frees what clua_askRows made; nothing of it may be read any more.
void clua_freeRows(clua_SectionRows *rows);

#endif
