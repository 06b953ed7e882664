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

/// The answers of a Swift callback that gives no number of results.
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

/// A *pulse* is what is known of an interpreter outside of its thread. It is Swift's and outlives the interpreter.
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

/// Describes what is built on the safe Lua in the same interpreter: its whole record, which begins with that of the safe Lua, and
/// what opens and closes the rest.
typedef struct {
  size_t size;
  void (*open)(lua_State *L);
  void (*close)(void *record);  // the interpreter is closed already
} clua_Above;

/// Opens an interpreter with the allow-listed library, and what is built on it, if anything (NULL: nothing); NULL if there is no memory or this Lua is not one that can be made safe.
/// The pulse is how other threads know of it; it must outlive the interpreter.
lua_State *clua_open(clua_Dispatch dispatch, clua_Release release, clua_Limits limits, clua_Pulse *pulse, const clua_Above *above);
/// Closes the state and releases every Swift object that it holds.
void clua_close(lua_State *L);
/// The bytes of stack that the calling thread has, or 0 where the system doesn't say.
size_t clua_threadStack(void);

// MARK: Entries into script code. They leave host mode; they return a clua_Status.

/// The owner of a chunk: an owner's number, or
enum {
  CLUA_CALLERS = -1,  // of whoever calls it, because it does what the host is asked to do
  CLUA_NOBODY = 0,    // of nobody's, who may do nothing
  CLUA_FIRST = 1,     // of the first owner, without a mark
  CLUA_NONE = -2,     // no chunk at all, where it is asked whose function calls
};

/// Compiles text, never bytecode, into a function of an owner's; its globals are those of the environment reference, or the state's own
/// for 0.
int32_t clua_load(lua_State *L, const char *text, size_t length, const char *chunkName, int32_t environment, int32_t owner);
/// The *code* of a function, compiled, which other interpreters of this process may load.
typedef struct clua_Code clua_Code;
/// The code of the function at the index, which was compiled from so many bytes of text; NULL where it is too much. Enters nothing.
clua_Code *clua_code(lua_State *L, int32_t index, size_t text);
/// Frees it; functions that were made of it stay.
void clua_freeCode(clua_Code *code);
/// Makes a function of its code, as clua_load does of text.
int32_t clua_loadCode(lua_State *L, const clua_Code *code, const char *chunkName, int32_t environment, int32_t owner);
/// Calls the function below nargs arguments; leaves nresults results (-1: all) or an error record.
int32_t clua_call(lua_State *L, int32_t nargs, int32_t nresults);
/// Pushes t[key] honouring metamethods; t is at the index.
int32_t clua_getField(lua_State *L, int32_t index, const char *key, size_t length);
/// Pushes what tostring says of a value.
int32_t clua_describe(lua_State *L, int32_t index);

// MARK: The error record that a failed entry leaves. Reading it runs nothing.

/// A part of an error record.
typedef enum {
  CLUA_ERROR_VALUE = 1,      // what was raised
  CLUA_ERROR_MESSAGE = 2,    // a string, without the place before it
  CLUA_ERROR_SOURCE = 3,     // the chunk's name
  CLUA_ERROR_LINE = 4,       // an integer
  CLUA_ERROR_TRACEBACK = 5,  // a string
  CLUA_ERROR_LIMIT = 6,      // the clua_Trip that was spent, an integer
} clua_ErrorPart;
/// Pushes that part, a clua_ErrorPart, of the error record on top, and returns its type. What is no record has a value alone, and a
/// message if it is a string; nil is pushed for what there is not.
int32_t clua_errorPart(lua_State *L, int32_t part);
/// Whether the record on top is of a handler that refuses: nobody but who performed it may catch that.
bool clua_isRefusalRecord(lua_State *L);
/// Pushes the refusal that a handler raises.
void clua_pushRefusal(lua_State *L);
/// The place of the Lua function at a level of the stack: its line, 0 if it has none; the chunk's name is copied.
int32_t clua_where(lua_State *L, int32_t level, char *source, size_t capacity);

// MARK: Limits

/// Begins an allowance of nanoseconds and instructions (0: none of its own) inside the current one. False when nested too deep: it is
/// the one around it then, and ends like any other.
bool clua_begin(lua_State *L, uint64_t nanoseconds, uint64_t instructions);
/// Ends the innermost allowance; returns its clua_Trip.
int32_t clua_end(lua_State *L);
/// The owner whose function spent the limit last, by its chunk; CLUA_NOBODY where none of Lua's ran.
int32_t clua_spender(lua_State *L);
/// The size of the limit that was spent last, in nanoseconds or instructions; 0 of others.
uint64_t clua_allowed(lua_State *L);
/// The limit that ended the script, as long as its allowance has not ended.
int32_t clua_trip(lua_State *L);
/// Whether what failed just now spent the limit itself, and not those who called it.
bool clua_isBlamed(lua_State *L);
/// Ends whatever runs in the interpreter that was opened with the pulse. May be called from a signal handler or another thread.
void clua_cancel(clua_Pulse *pulse);
/// How many calls from outside have ended, each with whatever it called in turn.
uint64_t clua_turns(lua_State *L);
/// Gives the state other limits than it was opened with. For tests.
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
/// What the state holds and has spent until now.
clua_Counters clua_counters(lua_State *L);
/// Makes the allocator refuse in script mode: the nth growing allocation from now, with Lua's second attempt at it, or all from then on;
/// 0 stops it. For tests.
void clua_failAllocation(lua_State *L, uint64_t nth, bool forEver);

// MARK: Stack and values. Host mode; none can raise, none runs script code.

/// Makes room for more values; false if there is none.
bool clua_room(lua_State *L, int32_t count);
/// How many values are on the stack.
int32_t clua_top(lua_State *L);
/// Leaves so many values on the stack: those above are dropped, what is missing is nil.
void clua_setTop(lua_State *L, int32_t top);
/// Drops so many values from the top.
void clua_pop(lua_State *L, int32_t count);
/// The type of the value at the index, as CLUA_TNIL and the like tell it; CLUA_TNONE where there is none.
int32_t clua_type(lua_State *L, int32_t index);
/// Whether the value at the index is a number kept as an integer.
bool clua_isInteger(lua_State *L, int32_t index);
/// Whether the values at two indices are the same, without __eq.
bool clua_rawEqual(lua_State *L, int32_t a, int32_t b);
/// The address of the table, closure, userdata, thread or string at the index, as long as it lives; NULL for nil, booleans and numbers.
const void *clua_identity(lua_State *L, int32_t index);
/// Pushes the value at the index once more.
void clua_copy(lua_State *L, int32_t index);
/// Moves the value on top to the index; those from there on go up by one.
void clua_insert(lua_State *L, int32_t index);
/// Takes the value at the index out; those above go down by one.
void clua_remove(lua_State *L, int32_t index);
/// Takes the value on top into the place of the one at the index.
void clua_replace(lua_State *L, int32_t index);

/// Each of these pushes one value. There must be room.
void clua_pushNil(lua_State *L);
/// Pushes true or false.
void clua_pushBool(lua_State *L, bool value);
/// Pushes a number kept as an integer.
void clua_pushInteger(lua_State *L, int64_t value);
/// Pushes a number kept as a float.
void clua_pushNumber(lua_State *L, double value);
/// Pushes a string of these bytes, which are copied.
void clua_pushBytes(lua_State *L, const void *bytes, size_t length);

/// What the value at the index counts as in a condition: false for nil, false and none.
bool clua_bool(lua_State *L, int32_t index);
/// The number at the index, or that of which a string there is the text, as an integer; 0 where there is none, or no whole one.
int64_t clua_integer(lua_State *L, int32_t index);
/// The same as a float; 0 where there is none.
double clua_number(lua_State *L, int32_t index);
/// The bytes of a string, which live as long as the string does; NULL if the value is no string.
const char *clua_bytes(lua_State *L, int32_t index, size_t *length);

/// Pushes an empty table with room for so many entries of a list and so many fields.
void clua_newTable(lua_State *L, int32_t array, int32_t fields);
/// Pushes the table of the state's own globals.
void clua_pushGlobals(lua_State *L);
/// Replaces the table on top by one through which it can be read and not written.
void clua_freezeTable(lua_State *L);
/// Pushes a fresh environment: the whole library, frozen, and a load and a _G of its own.
void clua_newEnvironment(lua_State *L);
/// Pushes an environment without `os`, and above it an empty table that is to stand before it: `_G` and what `load` loads use that one.
void clua_newGlobals(lua_State *L);
/// The length of the table or string at the index, without __len; a userdata's bytes, 0 for other values.
uint64_t clua_rawLength(lua_State *L, int32_t index);
/// Takes key and value; false and nothing done when the key is nil or NaN.
bool clua_rawSet(lua_State *L, int32_t index);
/// Takes the key, pushes the value.
void clua_rawGet(lua_State *L, int32_t index);
/// Takes the value on top and puts it into the table at the index, without metamethods.
void clua_rawSetAt(lua_State *L, int32_t index, int64_t key);
/// Pushes what the table at the index has there, without metamethods.
void clua_rawGetAt(lua_State *L, int32_t index, int64_t key);
/// Takes a key, pushes the next key and value; false, pushing nothing, at the end or when the key is not in the table.
bool clua_next(lua_State *L, int32_t index);

/// Pushes the metatable; false and nothing pushed if there is none.
bool clua_metatable(lua_State *L, int32_t index);

/// Pushes a table that stands for something of the host's, told by a number that no script can see or change.
void clua_newHostTable(lua_State *L, int64_t number, int32_t metatable);
/// The number of a host table, -1 for every other value.
int64_t clua_hostNumber(lua_State *L, int32_t index);
/// Has the table below keep the part on top under the name between them, and takes all three. No script sees it but by asking.
void clua_keepPart(lua_State *L);
/// Pushes a function for __index that finds the parts of its first argument, as long as all see the same; else the object's.
void clua_pushPartReader(lua_State *L, void *retained);

/// Takes a text from the top: the name of what the host's table at the index stands for, which stays when that is gone.
void clua_setHostName(lua_State *L, int32_t index);
/// Pushes a host table's name; nil for every other value.
void clua_pushHostName(lua_State *L, int32_t index);
/// Takes a value from the top and keeps it in the host's table at the index, where no script sees it.
void clua_setKept(lua_State *L, int32_t index);
/// Pushes what a host table keeps; nil for every other value.
void clua_pushKept(lua_State *L, int32_t index);
/// Marks the metatable at the index: rawset refuses the objects that have it.
void clua_markHostMetatable(lua_State *L, int32_t index);
/// Pushes the metatable of the table at the index; false if it has none.
bool clua_rawMetatable(lua_State *L, int32_t index);
/// Takes a metatable from the top and gives it to the table at the index.
void clua_setRawMetatable(lua_State *L, int32_t index);
/// Where a function was written: its first line, 0 if it is no Lua function; the chunk's name is copied.
int32_t clua_functionPlace(lua_State *L, int32_t index, char *source, size_t capacity);
/// The lines from which to which a function was written; false if it is no Lua function.
bool clua_functionLines(lua_State *L, int32_t index, int32_t *first, int32_t *last);

// MARK: References: values kept for Swift under a number

/// Takes the value on top.
int32_t clua_reference(lua_State *L);
/// Pushes the value that is kept under the number.
void clua_pushReference(lua_State *L, int32_t reference);
/// Keeps it no longer; the number may be given to another value.
void clua_release(lua_State *L, int32_t reference);

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

/// Drops what waits. No code of it runs any more.
void clua_unwind(lua_State *L, lua_State *thread);
/// Pushes `lines`, a function of the language's that cuts a text into its lines.
void clua_pushLines(lua_State *L);
/// Charges what runs for steps of the host's own, which nothing counts, and looks whether a limit is spent by them.
void clua_chargeWork(lua_State *L, uint64_t steps);
/// Says that the host did nothing for so long: time that no allowance is charged for.
void clua_rested(lua_State *L, uint64_t nanoseconds);
/// Whether somebody asked by the pulse to end what runs; not any more afterwards.
bool clua_takeCancel(clua_Pulse *pulse);

/// What runs now; below zero while a script is asked, and nothing may be done.
typedef enum {
  CLUA_PROVIDING = -2,
  CLUA_ASKING = -1,
  CLUA_IDLE = 0,
  CLUA_DOING = 1,
  CLUA_DRIVING = 2,  // a test: what would wait has the host move on
  CLUA_LINE = 3,     // a line of a person's: it waits as an action does, and is none
} clua_Phase;

/// Pushes the function that runs so many calls up, and its first local: the self of a method. False above the last.
bool clua_runningFunction(lua_State *L, int32_t level);
/// Whether the second local of the function that runs so many calls up is the value at the index: what a method is given.
bool clua_isGiven(lua_State *L, int32_t level, int32_t index);
/// The owner of the Lua function that calls, from so many calls up on, on this side of Swift, through the coroutines that lead to it:
/// the number that its chunk was loaded with, or CLUA_NONE.
int32_t clua_caller(lua_State *L, int32_t level);
/// Whether the text of a script says that the function that runs is called, be it through pcall, xpcall or a coroutine. An operator, a loop or a
/// function of the library calls what whoever made its operands wants.
bool clua_isCalledByName(lua_State *L);
/// Whether the function of a script so many calls up is an action's own, and returns what its call gives: `return f()`.
bool clua_isReturned(lua_State *L, int32_t level);
/// Whether the value at the index is a table that can be called.
bool clua_isCallable(lua_State *L, int32_t index);
/// How many bytes scripts of each of the owners hold, by a walk through all that their functions and tables lead to: what several hold
/// counts for the first of them. Takes the table on top, in which tables are keys of the numbers of whose they are.
void clua_weigh(lua_State *L, const int32_t *owners, size_t *bytes, int32_t count);
/// Takes from an owner's functions what they hold and from its tables what is in them: nobody is to call them any more. Takes a table
/// likewise.
void clua_empty(lua_State *L, int32_t owner);
/// Makes a value that is equal to itself only; its reference.
int32_t clua_newSentinel(lua_State *L, const char *name);

// MARK: Swift objects inside Lua. Each retained pointer handed over is released exactly once.

typedef enum {
  CLUA_OBJECT = 0,  // an opaque object
  CLUA_FAILURE = 1, // a Swift error on its way through a script
  CLUA_CALLABLE = 2, // an object that scripts call and read
} clua_Kind;
/// Pushes a function that calls the Swift object, and takes the retained pointer over.
void clua_pushFunction(lua_State *L, void *retained);
/// Pushes an object that scripts can only hand on, and takes the retained pointer over.
void clua_pushObject(lua_State *L, void *retained);
/// Pushes an object that scripts may call and read, as the metatable that the next function pushes says.
void clua_pushCallable(lua_State *L, void *retained);
/// Pushes the one metatable of all these objects.
void clua_pushCallableMetatable(lua_State *L);
/// Has the object at the index hold so many values from the top, and takes them: as long as Lua finds it, and no longer, even where
/// they lead back to it.
void clua_hold(lua_State *L, int32_t index, int32_t count);
/// Pushes the value of that number, from 1, that the object at the index holds.
void clua_pushHeld(lua_State *L, int32_t index, int32_t number);
/// Pushes an error, and takes the text on top, which tostring will say.
void clua_pushFailure(lua_State *L, void *retained);
/// The object, or NULL if the value is not one of that kind or was released.
void *clua_object(lua_State *L, int32_t index, int32_t kind);

/// Pushes the metatable of elements whose objects are not made yet.
void clua_pushElementMetatable(lua_State *L);

/// Gives an element its object.
void clua_completeElement(lua_State *L, int32_t index, void *retained);

// MARK: What the code of a function tells. Host mode; no script code runs. There must be room for 8 values.

/// Which fields of a parameter (counted from 1) the function at the index uses: pushes { writes = {…}, reads = {…}, calls = {…} },
/// names in order of first appearance. 1 if these are all, as long as nothing but the parameter leads to its value, and its
/// methods are those of a context; 0 if there may be more: the value may get elsewhere, a key is not known, there is no code.
int32_t clua_fieldUse(lua_State *L, int32_t index, int32_t parameter);
/// Does as clua_fieldUse for code that clua_pushCode pushed. For tests: any bytes will do.
int32_t clua_fieldUseOfCode(lua_State *L, const void *code, size_t length, int32_t parameter);
/// Pushes the code of the function at the index as a string, an empty one if it has none. For tests: no script may see it.
void clua_pushCode(lua_State *L, int32_t index);

typedef enum {
  CLUA_WORDS_READ = 1,
  CLUA_PERFORMS_COMPUTED = 2,
  CLUA_DEFINES_COMPUTED = 4,
  CLUA_FOCUSES_LATER = 8,
  CLUA_ANSWERS_COMPUTED = 16,
  CLUA_TOUCHES_GLOBALS = 32,
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
  CLUA_WORD_ANSWER = 256,    // something is assigned under this name that may come to answer an action
  CLUA_WORD_GLOBAL = 512,    // a global that a function reads
  CLUA_WORD_MADE = 1024,     // a global that is assigned
} clua_Word;

/// Which words stand in the code of the chunk at the index and of all functions in it: a table has each under its own name, with what it
/// does, a sum of clua_Word, to which this adds. Some of clua_WordsAnswer: whether all of the code was read; whether `perform` or `define`
/// may be called with names that no string of it is; whether a function in it moves the focus, or changes who comes after whom; whether one
/// writes into `on` under such names; whether there may be globals that no code assigns by their names.
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
/// Pushes the name of a parameter of the function at the index, from 1 on; nil if it has none.
void clua_pushParameter(lua_State *L, int32_t index, int32_t number);

// MARK: Watching from another thread. None of these touches the interpreter but the one that says so.

/// Whether the interpreter of a pulse is there still.
bool clua_isOpen(const clua_Pulse *pulse);
/// Whether it runs a script.
bool clua_runsScript(const clua_Pulse *pulse);
/// How often scripts have looked at their limits.
uint32_t clua_limitChecks(const clua_Pulse *pulse);
/// Has the thread of an interpreter that runs a script note in the pulse where it is, and waits for that so long: it is for one that is
/// stuck, and interrupts it by a signal. False where it doesn't answer.
bool clua_whereabouts(clua_Pulse *pulse, uint32_t milliseconds);

typedef struct {
  void *timer;
} clua_Timer;

/// Has a signal with a number come each time that the calling thread has used so much of the processor's time; false where it can't.
bool clua_startTimer(clua_Timer *timer, uint64_t nanoseconds, int32_t signal, int32_t number);
/// Ends a timer that was started.
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
