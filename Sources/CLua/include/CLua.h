// What Swift sees of Lua: no function named here can raise, and lua.h is not included, so none that raises can be named.
//
// Every declaration says what it takes from the stack and leaves there, and whether script code may run.
// "Host mode" is whenever Swift or this shim runs: the allocator never refuses. "Script mode" is whenever Lua runs: limits bite.

#ifndef CLUA_H
#define CLUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lua_State lua_State;

/// How an entry into script code ended.
typedef enum {
  CLUA_OK = 0,
  CLUA_YIELDED = 1,
  CLUA_ERROR = 2,   // an error record (see clua_error…) is on top
  CLUA_SYNTAX = 3,  // likewise
  CLUA_MEMORY = 4,  // one block was larger than a block may be; an error record is on top
  CLUA_LIMIT = 5,   // a limit was spent: clua_trip says which; an error record is on top
} clua_Status;

/// Which limit ended a script.
typedef enum {
  CLUA_TRIP_NONE = 0,
  CLUA_TRIP_TIME = 1,
  CLUA_TRIP_INSTRUCTIONS = 2,
  CLUA_TRIP_MEMORY = 3,
  CLUA_TRIP_CANCELLED = 4,
} clua_Trip;

/// Lua's types, in Lua's own numbering.
typedef enum {
  CLUA_TNONE = -1,
  CLUA_TNIL = 0,
  CLUA_TBOOLEAN = 1,
  CLUA_TPOINTER = 2,
  CLUA_TNUMBER = 3,
  CLUA_TSTRING = 4,
  CLUA_TTABLE = 5,
  CLUA_TFUNCTION = 6,
  CLUA_TUSERDATA = 7,
  CLUA_TTHREAD = 8,
} clua_Type;

/// What a Swift callback answers instead of a number of results.
enum {
  CLUA_RAISE = -1,     // the error value is on top
  CLUA_RAISE_AT = -2,  // a message is on top: the caller's place is put before it
  CLUA_YIELD = -3,     // the number of values to yield is on top, the values below it
  CLUA_CALL = -4,      // the number of arguments is on top, they and a function below it: its results are the answer
};

/// Runs a function of Swift's; returns a number of results or one of the answers above.
typedef int32_t (*clua_Dispatch)(lua_State *L, void *object);
/// Gives back an object that Lua held; it must call nothing in Lua, for it may run inside any allocation.
typedef void (*clua_Release)(void *object);

typedef struct {
  size_t memory;       // bytes a script may hold; looked at by the hook, after a full collection
  size_t memoryHard;   // bytes above which the allocator refuses
  size_t block;        // bytes of one block
  size_t source;       // bytes of one chunk that the host loads
  size_t sourceInner;  // bytes of one chunk that a script loads
} clua_Limits;

/// What is known of an interpreter outside of its thread. It is Swift's and outlives the interpreter.
typedef struct {
  int32_t cancelled;   // set from anywhere
  int32_t isOpen;      // whether there is an interpreter
  int32_t isRunning;   // whether it runs a script now
  uint32_t looks;      // how often scripts looked at their limits
  void *host;          // the interpreter
  unsigned long thread;  // on which it was opened
  int32_t isNoted;       // whether what follows was filled in
  int32_t line, handlerLine;
  char source[256], handlerSource[256];  // what runs, and the function with which that began
} clua_Pulse;

// MARK: Life

/// Opens an interpreter with the allow-listed library; NULL if there is no memory or this Lua is not one that can be made safe.
/// The pulse is how other threads know of it; it must outlive the interpreter.
lua_State *clua_open(clua_Dispatch dispatch, clua_Release release, clua_Limits limits, clua_Pulse *pulse);
/// Closes it and releases every Swift object that it holds.
void clua_close(lua_State *L);
/// The bytes of stack that the calling thread has, or 0 where the system doesn't say.
size_t clua_threadStack(void);

// MARK: Entries into script code. They leave host mode; they return a clua_Status.

/// Whose a chunk is: an owner's, by its number, or
enum {
  CLUA_PASSING = -1,  // of whoever calls it, because it does what the host is asked to do
  CLUA_NOBODY = 0,    // of nobody's, who may do nothing
  CLUA_FIRST = 1,     // of the first owner, without a mark
  CLUA_NONE = -2,     // no chunk at all, where it is asked whose function calls
};

/// Compiles text, never bytecode, into a function of an owner's; its globals are those of the environment reference, or the state's own
/// for 0.
int32_t clua_load(lua_State *L, const char *text, size_t length, const char *chunkName, int32_t environment, int32_t owner);
/// What a function was compiled to, which other interpreters of this process may load.
typedef struct clua_Code clua_Code;
/// That of the function at the index, which was compiled from so many bytes of text; NULL where it is too much. Enters nothing.
clua_Code *clua_code(lua_State *L, int32_t index, size_t text);
void clua_freeCode(clua_Code *code);
/// Makes the function again, as clua_load does of text.
int32_t clua_loadCode(lua_State *L, const clua_Code *code, const char *chunkName, int32_t environment, int32_t owner);
/// Calls the function below nargs arguments; leaves nresults results (-1: all) or an error record.
int32_t clua_call(lua_State *L, int32_t nargs, int32_t nresults);
/// Pushes t[key] honouring metamethods; t is at the index.
int32_t clua_getField(lua_State *L, int32_t index, const char *key, size_t length);
/// Pushes what tostring says of a value.
int32_t clua_describe(lua_State *L, int32_t index);

// MARK: The error record that a failed entry leaves. Reading it runs nothing.

/// The part of an error record at the top that is asked for is pushed; its type is returned.
typedef enum {
  CLUA_ERROR_VALUE = 1,      // what was raised
  CLUA_ERROR_MESSAGE = 2,    // a string, without the place before it
  CLUA_ERROR_SOURCE = 3,     // the chunk's name
  CLUA_ERROR_LINE = 4,       // an integer
  CLUA_ERROR_TRACEBACK = 5,  // a string
  CLUA_ERROR_LIMIT = 6,      // the clua_Trip that was spent, an integer
} clua_ErrorPart;
int32_t clua_errorPart(lua_State *L, int32_t part);
/// Whether the record on top is of a handler that refuses: nobody but who performed it may catch that.
bool clua_isRefusalRecord(lua_State *L);
/// Pushes what is raised by a handler that refuses.
void clua_pushRefusal(lua_State *L);
/// The place of the Lua function at a level of the stack: its line, 0 if it has none; the chunk's name is copied.
int32_t clua_where(lua_State *L, int32_t level, char *source, size_t capacity);

// MARK: Limits

/// Begins an allowance of nanoseconds and instructions (0: none of its own) inside the current one. False when nested too deep: it is
/// the one around it then, and ends like any other.
bool clua_begin(lua_State *L, uint64_t nanoseconds, uint64_t instructions);
/// Ends the innermost allowance; returns its clua_Trip.
int32_t clua_end(lua_State *L);
/// Whose the function is that spent the limit last, by its chunk; CLUA_NOBODY where none of Lua's ran.
int32_t clua_spender(lua_State *L);
/// How much there was of the limit that was spent last: nanoseconds or instructions; 0 of others.
uint64_t clua_allowed(lua_State *L);
/// Which limit ended the script, as long as its allowance has not ended.
int32_t clua_trip(lua_State *L);
/// Whether what failed just now spent the limit itself, and not those who called it.
bool clua_isBlamed(lua_State *L);
/// Ends whatever runs in the interpreter that was opened with the pulse. May be called from a signal handler or another thread.
void clua_cancel(clua_Pulse *pulse);
/// How many calls from outside have ended, each with whatever it called in turn.
uint64_t clua_turns(lua_State *L);
void clua_setLimits(lua_State *L, clua_Limits limits);
/// Has the hook look after as many instructions as always, however long they took. For counting instructions, which makes them slow.
void clua_keepPace(lua_State *L);
/// Collects all garbage.
void clua_collect(lua_State *L);

typedef struct {
  size_t live, peak;
  size_t spare;           // bytes of blocks that are kept to be used again
  uint64_t refusals;      // allocations refused so far
  uint64_t allocations;   // growing allocations asked for so far
  uint64_t instructions;  // spent so far, in steps of the hook
  int32_t hostDepth;      // 1 outside all entries
  int32_t objects;        // Swift objects that Lua holds
} clua_Counters;
clua_Counters clua_counters(lua_State *L);
/// Makes the allocator refuse in script mode: the nth growing allocation from now, with Lua's second attempt at it, or all from then on;
/// 0 stops it. For tests.
void clua_failAllocation(lua_State *L, uint64_t nth, bool forEver);

// MARK: Stack and values. Host mode; none can raise, none runs script code.

/// Makes room for more values; false if there is none.
bool clua_room(lua_State *L, int32_t count);
int32_t clua_top(lua_State *L);
void clua_setTop(lua_State *L, int32_t top);
void clua_pop(lua_State *L, int32_t count);
int32_t clua_type(lua_State *L, int32_t index);
bool clua_isInteger(lua_State *L, int32_t index);
bool clua_rawEqual(lua_State *L, int32_t a, int32_t b);
const void *clua_identity(lua_State *L, int32_t index);
void clua_copy(lua_State *L, int32_t index);
void clua_insert(lua_State *L, int32_t index);
void clua_remove(lua_State *L, int32_t index);
/// Takes the value on top into the place of the one at the index.
void clua_replace(lua_State *L, int32_t index);

void clua_pushNil(lua_State *L);
void clua_pushBool(lua_State *L, bool value);
void clua_pushInteger(lua_State *L, int64_t value);
void clua_pushNumber(lua_State *L, double value);
void clua_pushBytes(lua_State *L, const void *bytes, size_t length);

bool clua_bool(lua_State *L, int32_t index);
int64_t clua_integer(lua_State *L, int32_t index);
double clua_number(lua_State *L, int32_t index);
/// The bytes of a string, which live as long as the string does; NULL if the value is no string.
const char *clua_bytes(lua_State *L, int32_t index, size_t *length);

void clua_newTable(lua_State *L, int32_t array, int32_t fields);
void clua_pushGlobals(lua_State *L);
/// Replaces the table on top by one through which it can be read and not written.
void clua_freezeTable(lua_State *L);
/// Pushes a fresh environment: the whole library, frozen, and a load and a _G of its own.
void clua_newEnvironment(lua_State *L);
/// Pushes an environment without `os`, and above it an empty table that is to stand before it: `_G` and what `load` loads use that one.
void clua_newGlobals(lua_State *L);
uint64_t clua_rawLength(lua_State *L, int32_t index);
/// Takes key and value; false and nothing done when the key is nil or NaN.
bool clua_rawSet(lua_State *L, int32_t index);
/// Takes the key, pushes the value.
void clua_rawGet(lua_State *L, int32_t index);
void clua_rawSetAt(lua_State *L, int32_t index, int64_t key);
void clua_rawGetAt(lua_State *L, int32_t index, int64_t key);
/// Takes a key, pushes the next key and value; false, pushing nothing, at the end or when the key is not in the table.
bool clua_next(lua_State *L, int32_t index);

/// Bytes of a string of Lua's, there as long as the string is.
typedef struct {
  const char *bytes;  // NULL where there is none
  size_t count;
} clua_Text;

/// What a `look` says: flags are -1 where it doesn't; a state of 2 is mixed.
typedef struct {
  int32_t state, hidden, destructive;
  clua_Text title, subtitle, icon;
} clua_LookAnswer;

/// Reads the table at the index; false if it has other fields, values of other types than these usually have, or texts that can't be
/// shown as they are.
bool clua_readLook(lua_State *L, int32_t index, clua_LookAnswer *look);
/// The metatable is pushed; false and nothing pushed if there is none.
bool clua_metatable(lua_State *L, int32_t index);

/// Pushes a table that stands for something of the host's, told by a number that no script can see or change.
void clua_newHostTable(lua_State *L, int64_t number, int32_t metatable);
/// The number of such a table, -1 for every other value.
int64_t clua_hostNumber(lua_State *L, int32_t index);
/// Has the table below keep the part on top under the name between them, and takes all three. No script sees it but by asking.
void clua_keepPart(lua_State *L);
/// Pushes a function for __index that finds the parts of its first argument, as long as all see the same; else the object's.
void clua_pushPartReader(lua_State *L, void *retained);

/// Where the function of a handler stands that a script may put another in the place of. Its memory is Lua's.
typedef struct {
  int32_t function;  // a reference; 0: none may be put there any more
  bool isOther;      // whether another was put there since the host looked
  intptr_t shape;    // of the chain, as long as which it may
} clua_Slot;

/// Has the host's table below the name on top keep a new slot under that name, and pushes it in the place of both.
clua_Slot *clua_newSlot(lua_State *L);
/// Takes a value from the top: it is what the reference is to from now on.
void clua_put(lua_State *L, int32_t reference);
/// Pushes a function for __newindex that puts functions into the slots of its first argument; for all else it is the object's.
void clua_pushHandlerWriter(lua_State *L, void *retained);
/// Says where the host counts the changes of the chain's shape, and how many questions it is asking.
void clua_watchShape(lua_State *L, const intptr_t *shape, const intptr_t *asking);

/// Takes a text from the top: the name of what the host's table at the index stands for, which stays when that is gone.
void clua_setHostName(lua_State *L, int32_t index);
/// Pushes that name; nil for every other value.
void clua_pushHostName(lua_State *L, int32_t index);
/// Takes a value from the top and keeps it in the host's table at the index, where no script sees it.
void clua_setKept(lua_State *L, int32_t index);
/// Pushes that value; nil for every other value.
void clua_pushKept(lua_State *L, int32_t index);
/// Marks the metatable at the index: rawset refuses the objects that have it.
void clua_markHostMetatable(lua_State *L, int32_t index);
/// Takes a metatable from the top and gives it to the table at the index.
void clua_setRawMetatable(lua_State *L, int32_t index);
/// Where a function was written: its first line, 0 if it is no Lua function; the chunk's name is copied.
int32_t clua_functionPlace(lua_State *L, int32_t index, char *source, size_t capacity);
/// The lines from which to which a function was written; false if it is no Lua function.
bool clua_functionLines(lua_State *L, int32_t index, int32_t *first, int32_t *last);

// MARK: References: values kept for Swift under a number

/// Takes the value on top.
int32_t clua_reference(lua_State *L);
void clua_pushReference(lua_State *L, int32_t reference);
void clua_release(lua_State *L, int32_t reference);

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
} clua_Hearing;

/// What one perform does, in this order: hearings, then the steps: each provider, and clua_Step. A provider, `can` or `on` without a
/// function is Swift's: the run comes back there.
typedef struct {
  const clua_Hearing *hearings;
  const intptr_t *changes;  // counts what would make the hearings worthless
  int32_t hearingCount;
  const clua_HandlerRef *providers;
  const clua_Written *written;  // of each provider; NULL as long as nobody wants it noted
  const clua_Argument *values;  // that lie in the context before anybody supplies something
  const clua_Argument *arguments;
  const int32_t *needs;  // references to keys
  const int32_t *names;  // of the host's that a provider might supply, likewise; 31 at most
  int32_t providerCount, valueCount, argumentCount, needCount, nameCount;
  clua_HandlerRef can, on;
  uint64_t nanoseconds, instructions;  // that it may spend; 0: none of its own
  int32_t metatable;  // of the context once it is built; 0 if it has one already
  int32_t fields;     // that the context will hold, about
  bool isBare;        // whether no provider calls the context's methods, so that it needs none while it is built
  bool canOnlyReads;  // whether `can` is known to only read the context, so that it needs no face
  bool hasCan;        // whether somebody says whether it may be done
} clua_Plan;

/// The steps behind the providers. `needs` and `can` are one, and asked by Swift where `can` is its.
typedef enum { CLUA_STEP_LAY = 0, CLUA_STEP_ASK, CLUA_STEP_TELL, CLUA_STEP_DO } clua_Step;

/// One run of a plan.
typedef struct {
  void *taker;      // who takes the steps of Swift's, see clua_TakeStep; NULL where there is none but the handler
  int32_t from;     // the step to begin with; -1: the hearings
  int32_t given;    // how many keys of the call's own lie on top, above the context, each with its value; CLUA_GIVEN at most
  bool hasContext;  // whether the context was pushed already
  bool laysItself;  // whether what is asked is what the plan and the call say; else Swift lays it over the context
  bool asksItself;  // whether C asks what is needed and `can`; else Swift does
  bool tells;       // whether somebody is told before the handler is asked, which is a step of Swift's
  bool isAlone;     // whether it may spend what the plan says, and is no part of what may
  uint64_t question;  // instructions that asking whether it may be done may take, and nothing is done; 0: no bound, and it is done
  uint16_t *noted;  // a bit for each of the keys that a provider may write, for each provider; NULL where nobody wants it noted
} clua_Course;

/// Takes a step of Swift's in a run, on the stack on which that runs, whose first value is the context; false where it ended the run. The
/// first argument is what was handed over with it.
typedef bool (*clua_TakeStep)(void *state, lua_State *L, void *taker, int32_t step);
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
  CLUA_HEARD_OTHERWISE = 9,  // what the one of that index said is on top; after the last all of them said the same, but something changed
  CLUA_HEARING_FAILED = 10,  // an error record is on top
  CLUA_HOST = 11,            // the handler is Swift's, or may be asked where only that was wanted; nil is on top
  CLUA_ENDED = 12,           // a step of Swift's ended it; nil is on top
} clua_What;

typedef struct {
  int32_t what;    // a clua_What
  int32_t index;
  int32_t status;    // a clua_Status
  int32_t shadowed;  // a bit for each of the names that a provider did supply
} clua_Answer;

/// As many keys as may be given with a call: they have room on the stack of a fresh coroutine.
enum { CLUA_GIVEN = 8 };

/// Runs a plan from a step on, to its end or to a handler of Swift's. The context is pushed, or there already; what the call gives is taken
/// from above it, the last to be laid first, and the value is pushed there.
clua_Answer clua_perform(lua_State *L, const clua_Plan *plan, clua_Course course);

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
  const int32_t *needs;  // references to keys
  int32_t argumentCount, needCount;
  clua_HandlerRef can, look;
  bool canOnlyReads, lookOnlyReads;  // whether they are known to only read the context, so that they need no face
  bool isClosed;  // whether it can't be done, so that only `look` is asked
  bool isAlike;  // whether the arguments have the names of those of the question before, in the same order
} clua_Question;

typedef enum {
  CLUA_ROW_YES = 0,
  CLUA_ROW_NO,      // with a reason, or lacking a need
  CLUA_ROW_PASSES,  // nothing else was asked
  CLUA_ROW_CAN_ODD,  // what `can` said doesn't fit
} clua_RowWhat;

/// Where a text lies; at -1 where there is none.
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
  int32_t laid;                // how many of its arguments lie over the context
  bool isLooking;              // whether it is its look that is asked: it may begin with that
} clua_Pass;

/// Asks the questions from the index on. Short of the end it stops where something failed, with the error record on top, or where what
/// was said doesn't fit into a row: CLUA_OK then, with what was said on top.
int32_t clua_pass(lua_State *L, clua_Pass *pass);
/// Makes what was said what was said before, and goes to the first question.
void clua_swapRows(clua_Pass *pass);
/// Frees the texts.
void clua_freePass(clua_Pass *pass);

// MARK: Waiting

/// A handler that waits.
typedef struct {
  lua_State *thread;    // suspended; the host's until it is gone on with or dropped
  const void *context;  // that it may refuse on
  int64_t nanoseconds;  // that it sleeps; -1: until Swift goes on with it, and says then how long that was
  uint64_t nanosecondsLeft, instructionsLeft;  // of what it may spend
  void *aside;          // what clua_setAside kept with it, retained, or NULL
  int64_t number;       // of the object of the responder that it runs for; 0 without one
} clua_Wait;

/// With what the last perform waits that answered CLUA_WAITS.
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
/// Drops what waits. No code of it runs any more.
void clua_unwind(lua_State *L, lua_State *thread);
/// Why the function that called from the thread can't wait; NULL if it can.
const char *clua_waitTrouble(lua_State *L);
/// Says whether a script is told a line of a program's from now on, which can't wait then; gives back whether it was.
bool clua_tellLine(lua_State *L, bool tells);
/// Replaces the function on top, which waits while the host drives, by `sleep`.
void clua_newSleep(lua_State *L);
void clua_pushLines(lua_State *L);
/// The job as which the action goes on that runs now; NULL before its first wait.
void *clua_runningJob(lua_State *L);
/// Keeps a retained object with the action that runs now.
void clua_setAside(lua_State *L, void *retained);
/// Charges what runs for steps of the host's own, which nothing counts, and looks whether a limit is spent by them.
void clua_chargeWork(lua_State *L, uint64_t steps);
/// Says that the host did nothing for so long: time that no allowance is charged for.
void clua_rested(lua_State *L, uint64_t nanoseconds);
/// Whether somebody asked by the pulse to end what runs; not any more afterwards.
bool clua_takeCancel(clua_Pulse *pulse);

// MARK: Undo. A handler's ctx:set and ctx:undo append steps to a table of its perform's; Swift is asked for one the first time.

/// What a handler says of the steps of what it does.
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
bool clua_turn(lua_State *L, int32_t reference);
/// A reference to an empty table with room for so many steps.
int32_t clua_newSteps(lua_State *L, int32_t count);
/// Pushes the function of a step, counted from 1.
void clua_pushStep(lua_State *L, int32_t steps, int32_t step);
/// Appends the steps of a table to those of another; where both only set fields, one that was set before keeps its first value.
/// False and nothing done where they would be too many for one table.
bool clua_mergeSteps(lua_State *L, int32_t steps, int32_t later);

/// What runs now; below zero while a script is asked, and nothing may be done.
typedef enum {
  CLUA_PROVIDING = -2,
  CLUA_ASKING = -1,
  CLUA_IDLE = 0,
  CLUA_DOING = 1,
  CLUA_DRIVING = 2,  // a test: what would wait has the host move on
  CLUA_LINE = 3,     // a line of a person's: it waits as an action does, and is none
} clua_Phase;
int32_t clua_phase(lua_State *L);
/// Where that lies as long as the state is open.
const int32_t *clua_phasePointer(lua_State *L);
/// Says what runs now; what ran before.
int32_t clua_setPhase(lua_State *L, int32_t phase);

/// Pushes an empty context to be provided for, with room for so many fields.
void clua_newContext(lua_State *L, int32_t fields);
/// Takes a table of the host's fields and pushes the metatable of contexts that have them.
void clua_newContextMetatable(lua_State *L);
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
/// Pushes what was kept with the fields of the context, or of the face of one, at the index; false if there is nothing.
bool clua_origin(lua_State *L, int32_t index);
/// Pushes the function that runs so many calls up, and its first local: the self of a method. False above the last.
bool clua_runningFunction(lua_State *L, int32_t level);
/// Has contexts show responders to each as it may see them: a function that is called with one for whoever reads a field, and one that is
/// called with a context and with who is called next, as an object in whose scripts; 0 and 0 where all see the same.
void clua_setViewer(lua_State *L, int32_t view, int32_t show);
/// Whose the function of Lua's is that calls, from so many calls up on, on this side of Swift, through the coroutines that lead to it:
/// the owner's number that its chunk was loaded with, or CLUA_NONE.
int32_t clua_caller(lua_State *L, int32_t level);
/// Whether the text of a script says that the function that runs is called, be it through pcall, xpcall or a coroutine. An operator, a loop or a
/// function of the library calls what whoever made its operands wants.
bool clua_isCalledByName(lua_State *L);
/// Whether what runs so many calls up gives its results to whoever called the script: `return f()`, in a function that no other of a script's
/// has called.
bool clua_isReturned(lua_State *L, int32_t level);
/// Whether the value at the index is a table that can be called.
bool clua_isCallable(lua_State *L, int32_t index);
/// How many bytes scripts of each of the owners hold, by a walk through all that their functions and tables lead to: what several hold
/// counts for the first of them. Takes the table on top, in which tables are keys of the numbers of whose they are.
void clua_weigh(lua_State *L, const int32_t *owners, size_t *bytes, int32_t count);
/// Takes from an owner's functions what they hold and from its tables what is in them: nobody is to call them any more. Takes a table
/// likewise.
void clua_empty(lua_State *L, int32_t owner);
/// Shows what the context at the first index holds to those in whose scripts the object at the second is. Runs no script.
void clua_show(lua_State *L, int32_t context, int32_t self);
/// Whether the value is a table of the host's own that lies in a context under the key: what is in it is shown with the context.
bool clua_isPart(lua_State *L, int32_t key, int32_t value);
/// Pushes the fields that the host gave the context at the index; false if it is none.
bool clua_contextFields(lua_State *L, int32_t index);
/// Pushes the table of the calls that every context has.
void clua_pushContextCalls(lua_State *L);
/// Pushes what lets the context at the index be read only, until it is popped again. They nest; false when too deep.
bool clua_pushFace(lua_State *L, int32_t context);
/// The same, but a function, which is taken from the top, answers what is read.
bool clua_pushWitnessedFace(lua_State *L, int32_t context);
void clua_popFace(lua_State *L);
/// Pushes a copy of the context at the index, for a provider that may keep what it is handed.
void clua_lendContext(lua_State *L, int32_t context);
/// Takes the copy from the top, puts what it holds into the context, and lets nobody use it any more.
void clua_returnContext(lua_State *L, int32_t context);
/// Makes a value that is equal to itself only; its reference.
int32_t clua_newSentinel(lua_State *L, const char *name);
/// `pass`, as a reference.
int32_t clua_passReference(lua_State *L);
bool clua_isPass(lua_State *L, int32_t index);

// MARK: Swift objects inside Lua. Each retained pointer handed over is released exactly once.

typedef enum {
  CLUA_OBJECT = 0,  // an opaque object
  CLUA_FAILURE = 1, // a Swift error on its way through a script
  CLUA_CALLABLE = 2, // an object that scripts call and read
} clua_Kind;
void clua_pushFunction(lua_State *L, void *retained);
void clua_pushObject(lua_State *L, void *retained);
/// Pushes an object that scripts may call and read, as the metatable that the next function pushes says.
void clua_pushCallable(lua_State *L, void *retained);
void clua_pushCallableMetatable(lua_State *L);
/// Has the one at the index hold so many values from the top, and takes them: for as long as Lua finds it, and no longer, even where
/// they lead back to it.
void clua_hold(lua_State *L, int32_t index, int32_t count);
/// Pushes the value of that number, from 1, that the one at the index holds.
void clua_pushHeld(lua_State *L, int32_t index, int32_t number);
/// Takes the text on top, which is what tostring will say of the error.
void clua_pushFailure(lua_State *L, void *retained);
/// The object, or NULL if the value is not one of that kind or was released.
void *clua_object(lua_State *L, int32_t index, int32_t kind);

// MARK: Menu items as plain data. Most are read in one go when they are declared, without an object of Swift's.

/// A text in an item, in bytes from where that begins; at 0 where there is none.
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
/// Pushes what gives an element its fields when it is called with them; for what is special, the function of Swift's does.
void clua_pushElementCall(lua_State *L, void *retained);
/// Pushes the metatable of elements whose objects are not made yet.
void clua_pushElementMetatable(lua_State *L);

/// An element whose object is not made yet.
typedef struct {
  int32_t owner, file, line;
  clua_Text title;
  const clua_PlainItem *item;  // NULL while it is only named
} clua_PlainElement;
/// False for every other value.
bool clua_plainElement(lua_State *L, int32_t index, clua_PlainElement *element);
/// Gives it its object.
void clua_completeElement(lua_State *L, int32_t index, void *retained);
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
void clua_freeRows(clua_SectionRows *rows);

// MARK: What the code of a function tells. Host mode; no script code runs. There must be room for 8 values.

/// Which fields of a parameter (counted from 1) the function at the index uses: pushes { writes = {…}, reads = {…}, calls = {…} },
/// names in order of first appearance. 1 if these are all, as long as nothing but the parameter leads to its value, and its
/// methods are those of a context; 0 if there may be more: the value may get elsewhere, a key is not known, there is no code.
int32_t clua_fieldUse(lua_State *L, int32_t index, int32_t parameter);
/// The same for code that clua_pushCode pushed. For tests: any bytes will do.
int32_t clua_fieldUseOfCode(lua_State *L, const void *code, size_t length, int32_t parameter);
/// Pushes the code of the function at the index as a string, an empty one if it has none. For tests: no script may see it.
void clua_pushCode(lua_State *L, int32_t index);

typedef enum {
  CLUA_WORDS_READ = 1,
  CLUA_PERFORMS_COMPUTED = 2,
  CLUA_DEFINES_COMPUTED = 4,
  CLUA_FOCUSES_LATER = 8,
  CLUA_WORDS_ROLES = 8,  // by so many bits higher stands what its words do, all in all, of clua_Word
} clua_WordsAnswer;

/// What a word does in the code, as far as it can be told without running it.
typedef enum {
  CLUA_WORD_ASSIGNED = 1,    // something is assigned under this name
  CLUA_WORD_TEXT = 2,        // a string that does none of what else is told of strings
  CLUA_WORD_DEFINED = 4,     // `define` is called with it
  CLUA_WORD_READ = 8,        // the name of a field, a method or a global that is read
  CLUA_WORD_STORED = 16,     // a field that `ctx:set` writes
  CLUA_WORD_DROPPED = 32,    // a word of menus by which a statement makes what it throws away
  CLUA_WORD_PERFORMED = 64,  // `app:perform` is called with it
  CLUA_WORD_ASKED = 128,     // `app:perform` or `app:validate` is called with it and with nothing else
} clua_Word;

/// Which words stand in the code of the chunk at the index and of all functions in it: a table has each under its own name, with what it
/// does, a sum of clua_Word, to which this adds. Some of clua_WordsAnswer: whether all of the code was read; whether `perform` or `define`
/// may be called with names that no string of it is; whether a function in it moves the focus, or changes who comes after whom.
int32_t clua_words(lua_State *L, int32_t index, int32_t found);
/// Pushes the chunk that was loaded last under a name, "=" before it, which is there as long as something holds it; else nil.
void clua_pushChunk(lua_State *L, const char *name);

typedef enum { CLUA_ANSWERS_READ = 1, CLUA_ANSWERS_NOTHING = 2, CLUA_ANSWERS_TABLE = 4 } clua_AnswersAnswer;

/// What the function at the index may return: pushes the string that it returns somewhere with nothing else, else nil. Some of
/// clua_AnswersAnswer: whether its code was read; whether it never returns anything, nor raises by
/// `error`; whether it returns a table that it makes.
int32_t clua_answers(lua_State *L, int32_t index);
/// Whether whoever calls the function of the host's that runs drops what it gives, as far as the line tells: a statement that is a call.
bool clua_isDropped(lua_State *L);
/// Pushes what a parameter of the function at the index is called, from 1 on; nil if it has none.
void clua_pushParameter(lua_State *L, int32_t index, int32_t number);

// MARK: Coroutines


// MARK: Watching from another thread. None of these touches the interpreter but the one that says so.

/// Whether the interpreter of a pulse is there still; whether it runs a script; how often scripts have looked at their limits.
bool clua_isOpen(const clua_Pulse *pulse);
bool clua_runsScript(const clua_Pulse *pulse);
uint32_t clua_looks(const clua_Pulse *pulse);
/// Has the thread of an interpreter that runs a script note in the pulse where it is, and waits for that so long: it is for one that is
/// stuck, and interrupts it by a signal. False where it doesn't answer.
bool clua_whereabouts(clua_Pulse *pulse, uint32_t milliseconds);

typedef struct {
  void *timer;
} clua_Timer;

/// Has a signal with a number come each time that the calling thread has used so much of the processor's time; false where it can't.
bool clua_startTimer(clua_Timer *timer, uint64_t nanoseconds, int32_t signal, int32_t number);
void clua_stopTimer(clua_Timer timer);
/// Waits for one of these signals, which are blocked; the number is that of a timer, else -1. Below 0 where none came.
int32_t clua_awaitSignal(const int32_t *signals, int32_t count, int32_t *number);

// MARK: Descriptors that no program inherits which is started at the same moment: Swift's module of the C library doesn't have these calls.

/// Makes a pipe, its end to read from first; below 0 where it can't, with the reason in errno.
int clua_pipe(int ends[2]);
/// Makes a file of a name that ends in six 'X', which it replaces; its descriptor, below 0 where it can't, with the reason in errno.
int clua_temporaryFile(char *name);
/// Has a program that is about to be started work in a folder; 0, or the reason. The actions are those of posix_spawn.
int clua_addFolder(void *actions, const char *folder);

#endif
