// The host's operations on the safe Lua: performs and validations in one crossing, contexts, undo, waits, elements and rows of menus.
//
// As in CLua.h no function named here can raise, and every declaration says what it takes from the stack and leaves there. An interpreter
// of which these are asked was opened with clua_above().

#ifndef CSCRIPT_H
#define CSCRIPT_H

#include "CLua.h"

/// What clua_open needs to open all this with an interpreter.
const clua_Above *clua_above(void);

// MARK: What a `look` says, and where handlers stand. Host mode; none can raise, none runs script code.

/// Bytes of a string of Lua's, there as long as the string is.
typedef struct {
  const char *bytes;  // NULL where there is none
  size_t count;
} clua_Text;

/// A `look`'s answer: flags are -1 where it says nothing; a state of 2 is mixed.
typedef struct {
  int32_t state, hidden, destructive;
  clua_Text title, subtitle, icon;
} clua_LookAnswer;

/// Reads a `look` at the index; false if it has other fields, values of other types than these usually have, or texts that can't be
/// shown as they are.
bool clua_readLook(lua_State *L, int32_t index, clua_LookAnswer *look);

/// A *slot* holds the function of a handler, in whose place a script may put another. Its memory is Lua's.
typedef struct {
  int32_t function;  // a reference; 0: none may be put there any more
  bool isOther;      // whether another was put there since the host looked
  intptr_t shape;    // of the chain, as long as which it may
} clua_Slot;

/// Has the host's table below the name on top keep a new slot under that name, and pushes it in the place of both.
clua_Slot *clua_newSlot(lua_State *L);
/// Has a reference be to the value on top from now on, which it takes.
void clua_put(lua_State *L, int32_t reference);
/// Pushes a function for __newindex that puts functions into the slots of its first argument; for all else it is the object's.
void clua_pushHandlerWriter(lua_State *L, void *retained);
/// Says where the host counts the changes of the chain's shape, and how many questions it is asking.
void clua_watchShape(lua_State *L, const intptr_t *shape, const intptr_t *asking);

// MARK: Performing

/// References to the names of the fields that most outcomes have.
typedef struct {
  int32_t status, by, via, result;
} clua_OutcomeKeys;

/// Makes a table of an outcome whose result is on top, which it takes: its status and via as references, 0 for one that is left out, and
/// who did it, NULL for nobody. There is room for so many fields. There must be room for 4 values.
void clua_pushOutcome(lua_State *L, const clua_OutcomeKeys *keys, int32_t status, int32_t via, const void *by, size_t count,
                      int32_t fields);

/// A function with the responder that it is called for.
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

/// What is asked of an action before it is done: what it needs, then its `can`.
typedef struct {
  const int32_t *needs;  // references to keys
  int32_t needCount;
  bool canOnlyReads;    // whether `can` is known to only read the context, so that it needs no reader
  clua_HandlerRef can;  // without a function: none that C asks
} clua_Asked;

/// The keys that a provider may write, as far as its code tells that these are all.
typedef struct {
  const int32_t *keys;  // references
  int32_t count;        // CLUA_NOTED at most
} clua_Written;

enum { CLUA_NOTED = 12 };

/// A function that has a say in who takes an action, and what it was heard to say.
typedef struct {
  clua_HandlerRef handler;
  int32_t action;            // a reference to its name
  const void *table, *name;  // the identity of what stands for the one whom it handed it to; NULL: to nobody
  bool isClaim;              // whether it was asked for yes or no, and then
  bool claims;               // which it was
} clua_HookAnswer;

/// A *plan* does one perform, in order: answers of hooks, then the steps: each provider, and clua_Step. A provider without a
/// function is Swift's, and so is a `can` where the options say so: a clua_TakeStep takes it within the run. For an `on` without one
/// the run comes back.
typedef struct {
  const clua_HookAnswer *hookAnswers;
  const intptr_t *changes;  // counts what would make the answers of hooks worthless
  int32_t hookAnswerCount;
  const clua_HandlerRef *providers;
  const clua_Written *written;  // of each provider; NULL as long as nobody wants it noted
  const clua_Argument *values;  // that lie in the context before anybody supplies something
  const clua_Argument *arguments;
  int32_t providerCount, valueCount, argumentCount;
  clua_Asked asked;
  clua_HandlerRef on;
  uint64_t nanoseconds, instructions;  // that it may spend; 0: none of its own
  int32_t metatable;  // of the context once it is built; 0 if it has one already
  int32_t fields;     // that the context will hold, about
  bool isBare;        // whether no provider calls the context's methods, so that it needs none while it is built
} clua_Plan;

/// A plan's steps behind the providers. `needs` and `can` are one, and asked by Swift where `can` is its.
typedef enum { CLUA_STEP_ARGUMENTS = 0, CLUA_STEP_ASK, CLUA_STEP_TELL, CLUA_STEP_DO } clua_Step;

/// One run of a plan.
typedef struct {
  void *taker;      // who takes the steps of Swift's, see clua_TakeStep; NULL where there is none but the handler
  int32_t from;     // the step to begin with; -1: the answers of hooks
  int32_t given;    // how many keys of the call's own lie on top, above the context that is there, each with its value; CLUA_GIVEN at most
  bool hasContext;  // whether the context was pushed already
  bool putsArguments;  // whether what is asked is what the plan and the call say; else Swift puts it over the context
  bool asksItself;  // whether C asks what is needed and `can`; else Swift does
  bool tells;       // whether somebody is told before the handler is asked, which is a step of Swift's
  bool isAlone;     // whether it may spend what the plan says, and is no part of what may
  uint64_t question;  // instructions that asking whether it may be done may take, and nothing is done; 0: no bound, and it is done
  uint16_t *noted;  // a bit for each of the keys that a provider may write, for each provider; NULL where nobody wants it noted
} clua_RunOptions;

/// Takes a step of Swift's in a run, on the stack on which that runs, whose first value is the context; false where it ended the run. The
/// first argument is what was handed over with it.
typedef bool (*clua_TakeStep)(void *state, lua_State *L, void *taker, int32_t step);
/// Sets what takes Swift's steps in all runs of a state; it is handed `state` each time.
void clua_setTakeStep(lua_State *L, void *state, clua_TakeStep take);

typedef enum {
  CLUA_DID = 0,              // the result is on top
  CLUA_PASSED = 1,           // by on, or by can, and then the index is 1
  CLUA_LACKS = 2,            // index tells the need
  CLUA_NO = 3,               // the reason, or nil, is on top
  CLUA_REFUSED = 4,          // the reason is on top
  CLUA_PROVIDER_FAILED = 5,  // index tells the provider; an error record is on top
  CLUA_CAN_FAILED = 6,       // an error record is on top
  CLUA_FAILED = 7,           // likewise
  CLUA_WAITS = 8,            // clua_wait tells with what; nil is on top
  CLUA_HOOK_SAID_OTHERWISE = 9,  // what the one of that index said is on top; after the last all of them said the same, but something changed
  CLUA_HOOK_FAILED = 10,  // an error record is on top
  CLUA_HOST = 11,            // the handler is Swift's, or may be asked where only that was wanted; nil is on top
  CLUA_ENDED = 12,           // a step of Swift's ended it; nil is on top
} clua_What;

typedef struct {
  int32_t what;    // a clua_What
  int32_t index;
  int32_t status;  // a clua_Status
} clua_Answer;

/// The most keys that may be given with a call: they have room on the stack of a fresh coroutine.
enum { CLUA_GIVEN = 8 };

/// Pushes a context for a run of a plan, with room for so many keys of the call's own beside what the plan lays there. Needs two free places.
void clua_newContextOf(lua_State *L, const clua_Plan *plan, int32_t given);

/// Runs a plan from a step on, to its end or to a handler of Swift's. The context is pushed, or there already; what the call gives is taken
/// from above it, the last to be put first, and the value is pushed there.
clua_Answer clua_perform(lua_State *L, const clua_Plan *plan, clua_RunOptions options);

// MARK: Providing

/// Replaces the table on top by a copy of what lies in it, to be compared with what lies there later.
void clua_copyTable(lua_State *L);
/// Takes a key, pushes the next key and value of the table at the index that the table `before` has not; false, pushing nothing, at the
/// end. Nothing may be written into the table meanwhile.
bool clua_nextOther(lua_State *L, int32_t index, int32_t before);

// MARK: Passes

/// What one item of a menu asks, in this order: needs, can, look.
typedef struct {
  const clua_Argument *arguments;
  int32_t argumentCount;
  clua_Asked asked;
  clua_HandlerRef look;
  bool lookOnlyReads;  // whether it is known to only read the context, so that it needs no reader
  bool isClosed;  // whether it can't be done, so that only `look` is asked
  bool isAlike;  // whether the arguments have the names of those of the question before, in the same order
} clua_Question;

typedef enum {
  CLUA_ROW_YES = 0,
  CLUA_ROW_NO,      // with a reason, or lacking a need
  CLUA_ROW_PASSES,  // nothing else was asked
  CLUA_ROW_CAN_ODD,  // what `can` said doesn't fit
} clua_RowWhat;

/// The place of a text; at -1 where there is none.
typedef struct {
  int32_t at, count;
} clua_Span;

enum { CLUA_ROW_TELLS_LITTLE = -2 };

/// What was said to a question: flags are -1 where nothing was.
typedef struct {
  int8_t what;  // a clua_RowWhat
  int8_t state, hidden, destructive;
  int32_t lacking;  // the first need that is not there; -1, or CLUA_ROW_TELLS_LITTLE where the rest is not all that was said
  clua_Span reason, title, subtitle, icon;
} clua_Row;

typedef struct {
  char *bytes;
  size_t used, capacity;
} clua_Texts;

/// The questions of a pass, what is said to them, and what was said in the pass before.
typedef struct {
  const clua_Question *questions;
  clua_Row *rows, *before;
  uint8_t *changed;  // for each question, whether something else was said than before
  clua_Texts texts, textsBefore;
  uint64_t instructions;       // that each question may spend
  int32_t count;
  int32_t context, displaced;  // references: what is asked with, and an empty table
  int32_t index;               // the question that is asked
  int32_t put;                // how many of its arguments lie over the context
  bool isLooking;              // whether it is its look that is asked: it may begin with that
} clua_Validation;

/// Asks the questions from the index on. Short of the end it stops where something failed, with the error record on top, or where what
/// was said doesn't fit into a row: CLUA_OK then, with what was said on top.
int32_t clua_validate(lua_State *L, clua_Validation *pass);
/// Turns what is said into what was said before, and goes to the first question.
void clua_swapRows(clua_Validation *pass);
/// Frees the texts.
void clua_freeValidation(clua_Validation *pass);

// MARK: Waiting

/// The wait of the last perform that answered CLUA_WAITS.
const clua_Wait *clua_wait(lua_State *L);
/// Goes on with what waits, as the job of Swift's that is given, and takes the thread. The arguments are on top of its own stack: what
/// the call that waits gives back, or an error that it raises. It may spend what it had left and what it got back while it waited, so
/// much in all; 0: no limit of its own. Pushes the value, and below it the context where it answers CLUA_PASSED.
clua_Answer clua_goOn(lua_State *L, clua_Wait *wait, void *job, int32_t nargs, bool raises, uint64_t nanoseconds,
                      uint64_t instructions);
/// A coroutine for a line of Lua, which is the referenced function, to go on with from its beginning.
lua_State *clua_newLine(lua_State *L, int32_t function);
/// Goes on with a line as `clua_goOn` does with an action, and pushes all of its values where it answers CLUA_DID: as many as its index says.
clua_Answer clua_goOnLine(lua_State *L, clua_Wait *wait, void *job, int32_t nargs, bool raises, uint64_t nanoseconds,
                          uint64_t instructions);
/// Why the function that called from the thread can't wait; NULL if it can.
const char *clua_waitTrouble(lua_State *L);
/// Says whether a script is told a line of a program's from now on, which can't wait then; gives back whether it was.
bool clua_tellLine(lua_State *L, bool tells);
/// Replaces the function on top, one of Lua's that waits, by one that a script may return the call of without leaving its own function.
void clua_newWaiting(lua_State *L);
/// Replaces the function on top, which waits while the host drives, by `sleep`.
void clua_newSleep(lua_State *L);
/// The job as which the action goes on that runs now; NULL before its first wait.
void *clua_runningJob(lua_State *L);
/// Keeps a retained object with the action that runs now.
void clua_setAside(lua_State *L, void *retained);

// MARK: Undo. A handler's ctx:set and ctx:undo append steps to a table of its perform's; Swift is asked for one the first time.

/// A handler's *steps*, as clua_Keep is told of them.
typedef struct {
  int64_t number;        // of the object of the responder that it runs for; 0 in a function that takes something back
  clua_Text title, key;  // the key is what merges
  bool isKept;           // whether it is about the table that was kept last
} clua_Steps;

/// Keeps a table for steps, of which what it holds is nobody's any more, and gives its reference; 0 where nothing is kept; -1, pushing
/// why, where that is refused. It runs no script code and raises nothing.
typedef int32_t (*clua_Keep)(void *keeper, lua_State *L, const clua_Steps *steps);

/// Registers what keeps the steps, and where Swift counts how often that changed which is kept.
/// `check` is called with an object of the host's, a key and a value before the field is written; it answers why that may not be, or nil.
void clua_watchUndo(lua_State *L, clua_Keep keep, void *keeper, int32_t check, const intptr_t *changes);
/// How many steps the table at the index holds.
int32_t clua_stepCount(lua_State *L, int32_t index);
/// Takes back steps of a table, from the last of `count` down to a function or the beginning; both are references, and what takes that back
/// in turn is appended to `other` (0: nowhere). Script code may run. `count` gets how many are left; an error record is left on top.
int32_t clua_takeBack(lua_State *L, int32_t steps, int32_t other, int32_t *count);
/// Takes back all steps of the referenced table, which then are what takes that back in turn. False and nothing done where that would run
/// code of a script's, where the steps are many, or where memory is scarce.
bool clua_swapValues(lua_State *L, int32_t reference);
/// A reference to an empty table with room for so many steps.
int32_t clua_newSteps(lua_State *L, int32_t count);
/// Pushes the function of a step, counted from 1.
void clua_pushStep(lua_State *L, int32_t steps, int32_t step);
/// Appends the steps of a table to those of another; where both only set fields, one that was set before keeps its first value.
/// False and nothing done where they would be too many for one table.
bool clua_mergeSteps(lua_State *L, int32_t steps, int32_t later);

/// What runs now, a clua_Phase.
int32_t clua_phase(lua_State *L);
/// Where the phase lies as long as the state is open.
const int32_t *clua_phasePointer(lua_State *L);
/// Sets what runs now; gives what ran before.
int32_t clua_setPhase(lua_State *L, int32_t phase);

/// Pushes an empty context to be provided for, with room for so many fields.
void clua_newContext(lua_State *L, int32_t fields);
/// Takes a table of the host's fields and pushes the metatable of contexts that have them.
void clua_newContextMetatable(lua_State *L);
/// Gives the table at the index the metatable that a reference keeps.
void clua_setMetatable(lua_State *L, int32_t index, int32_t metatable);
/// table[key] = a list with the value in front of what other groups appended; takes key and value from the top.
void clua_appendNearest(lua_State *L, int32_t index, int64_t group);
/// Whether the value at the index is a list that append made.
bool clua_isAppended(lua_State *L, int32_t index);
/// Tells which provider runs, so that what it appends stands together.
void clua_setGroup(lua_State *L, int32_t group);
/// Says that contexts answer to a name themselves.
void clua_addHostName(lua_State *L, int32_t name);
/// Takes a value from the top and keeps it with the fields at the index, where no script sees it.
void clua_setOrigin(lua_State *L, int32_t fields);
/// Pushes what was kept with the fields of the context, or of the reader of one, at the index; false if there is nothing.
bool clua_origin(lua_State *L, int32_t index);
/// Has contexts show responders to each as it may see them: a function that is called with one for whoever reads a field, and one that is
/// called with a context and with who is called next, as an object in whose scripts; 0 and 0 where all see the same.
void clua_setViewer(lua_State *L, int32_t view, int32_t show);
/// Shows what the context at the first index holds to those in whose scripts the object at the second is. Runs no script.
void clua_show(lua_State *L, int32_t context, int32_t self);
/// Whether the value is a table of the host's own that lies in a context under the key: what is in it is shown with the context.
bool clua_isPart(lua_State *L, int32_t key, int32_t value);
/// Pushes the fields that the host gave the context at the index; false if it is none.
bool clua_contextFields(lua_State *L, int32_t index);
/// Pushes the table of the calls that every context has.
void clua_pushContextCalls(lua_State *L);
/// Pushes what lets the context at the index be read only, until it is popped again. They nest; false when too deep.
bool clua_pushReader(lua_State *L, int32_t context);
/// Pushes one for which a function, taken from the top, answers what is read.
bool clua_pushWitnessedReader(lua_State *L, int32_t context);
/// Ends the reader that was pushed last, and leaves it on the stack: who kept it reads nothing by it until the next of its depth is pushed.
void clua_popReader(lua_State *L);
/// Pushes a copy of the context at the index, for a provider that may keep what it is handed.
void clua_copyContext(lua_State *L, int32_t context);
/// Takes the copy from the top, puts what it holds into the context, and lets nobody use it any more.
void clua_returnContext(lua_State *L, int32_t context);
/// The reference to `pass`.
int32_t clua_passReference(lua_State *L);
/// Whether the value at the index is `pass`, with which a handler leaves an action to the next.
bool clua_isPass(lua_State *L, int32_t index);

// MARK: Menu items as plain data. Most are read in one go when they are declared, without an object of Swift's.

/// A text in an item, in bytes from the item's start; at 0 where there is none.
typedef struct {
  uint16_t at, count;
} clua_ItemText;

/// An argument of an item, whose kind is a clua_ArgumentKind; that of a text is CLUA_ARGUMENT_VALUE.
typedef struct {
  clua_ItemText key, text;
  int64_t kind;
  int64_t bits;  // of a number's double; else the value
} clua_ItemArgument;

/// What was declared of an item. Texts and arguments lie behind it; two items are the same where all their bytes are.
typedef struct {
  int32_t size;  // bytes of all of it, a multiple of 8
  int32_t file, line;
  uint8_t state, hidden, destructive, keepsOpen;  // a state is 0 where none is declared, 1 for off, 2 for on, 3 for mixed
  uint8_t isDisabled, argumentCount;
  uint16_t argumentsAt;
  clua_ItemText title, id, action, subtitle, icon, confirm;
} clua_PlainItem;

/// Pushes `item` of an owner's scripts. It makes what is nothing special by itself, and calls the function of Swift's for all else.
void clua_pushItemConstructor(lua_State *L, void *retained, int32_t owner);
/// Has the constructor on top call the function of Swift's from now on, for everything; takes it.
void clua_closeItemConstructor(lua_State *L);
/// Pushes the function that gives an element its fields when it is called with them; what is special, the one of Swift's does.
void clua_pushElementCall(lua_State *L, void *retained);

/// An element whose object is not made yet.
typedef struct {
  int32_t owner, file, line;
  clua_Text title;
  const clua_PlainItem *item;  // NULL while it is only named
} clua_PlainElement;
/// Reads such an element; false for every other value.
bool clua_plainElement(lua_State *L, int32_t index, clua_PlainElement *element);
/// The name of a file in which elements are declared.
const char *clua_fileName(lua_State *L, int32_t file);
/// Whether a text is known at first sight to be a reference without a mistake. For tests.
bool clua_looksPlain(lua_State *L, const char *text, size_t count);

/// What stands in a list of elements at one of its positive integer keys.
typedef struct {
  int64_t key;
  const clua_PlainItem *item;  // NULL where it is something else than a plain item
} clua_Child;
typedef struct {
  clua_Child *list;  // in the order of the table
  int32_t count, capacity;
  size_t bytes;      // that the items have together
  bool isOdd;        // whether there are keys that are neither positive integers nor strings
} clua_Children;
/// Reads the table at the index; what is nil or false is left out. There must be room for 8 values. False where there is no memory.
bool clua_readChildren(lua_State *L, int32_t index, clua_Children *children);
/// Frees what clua_readChildren made, of which nothing may be read any more.
void clua_freeChildren(clua_Children *children);

// MARK: The rows of a section, in one crossing

/// A row that was made of a value.
typedef struct {
  int64_t index;   // of the value
  clua_Span item;  // a clua_PlainItem; at -1 where it is something else
  clua_Span id;    // at -1 where it was given none
} clua_SectionRow;

typedef struct {
  int32_t row, id, context;  // references: the functions, and what the first is asked with; 0: none
  int64_t count, index;      // how many values there are, and which is asked about
  clua_SectionRow *rows;
  int32_t rowCount, capacity, most;  // no more are asked for
  clua_Texts texts;
  bool isIdentifying;  // whether it is the id of the last row that is asked
  bool isOddRow, isOddID;  // what was said last, where it is nothing plain
} clua_SectionRows;

/// Asks about the values in the list on top from the index on. Short of the end it stops where something failed, with the error record
/// on top, or where a row or an id is nothing plain: CLUA_OK then, with it on top. Such a row was added; whoever goes on goes on with its id.
int32_t clua_askRows(lua_State *L, clua_SectionRows *rows);
/// Whether the same was said of as many values.
bool clua_areSameRows(const clua_SectionRows *rows, const clua_SectionRows *others);
/// Frees what clua_askRows made, of which nothing may be read any more.
void clua_freeRows(clua_SectionRows *rows);

#endif
