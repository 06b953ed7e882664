// What Swift sees of Lua. No function here can raise, and lua.h isn't included, so that Swift can't call one that does.
//
// Every declaration says what it takes from the stack and leaves there, and whether script code may run.
// "Host mode" is while Swift or this shim runs: the allocator never refuses. "Script mode" is while Lua runs: limits are enforced.

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
  CLUA_SYNTAX = 3,  // the text didn't compile; an error record is on top
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

/// The callback that runs a Swift function for a script; returns a number of results or one of the answers above.
typedef int32_t (*clua_Dispatch)(lua_State *L, void *object);
/// Releases an object that Lua held; it must call nothing in Lua, because it may run inside any allocation.
typedef void (*clua_Release)(void *object);

typedef struct {
  size_t memory;       // bytes that scripts may hold; checked by the hook, after a full collection
  size_t memoryHard;   // bytes above which the allocator refuses
  size_t block;        // bytes of one block
  size_t source;       // bytes of one chunk that the host loads
  size_t sourceInner;  // bytes of one chunk that a script loads
  int32_t (*longName)(const char *source, size_t length);  // the line of a name of more parts than CLUA_PARTS; 0 if there is none
} clua_Limits;

enum { CLUA_PARTS = 32 };  // the most parts of one name, as in a.b[c.d]

/// A *pulse* is what other threads may know of an interpreter. It belongs to Swift and outlives the interpreter.
typedef struct {
  int32_t cancelled;   // set from anywhere
  int32_t isOpen;      // whether there is an interpreter
  int32_t isRunning;   // whether it runs a script now
  uint32_t looks;      // how often scripts looked at their limits
  void *host;          // the interpreter
  unsigned long thread;  // the thread on which it was opened
  int32_t isNoted;       // whether the fields below were filled in
  int32_t line, handlerLine;
  char source[256], handlerSource[256];  // the place that runs now, and the function with which the script began
} clua_Pulse;

// MARK: Life

/// Describes what is built on the safe Lua in the same interpreter: the size of the whole record, which begins with the safe Lua's, and the
/// function that opens the rest.
typedef struct {
  size_t size;
  void (*open)(lua_State *L);
} clua_Above;

/// Opens an interpreter with the allow-listed library, and with what `above` describes (NULL: nothing). Returns NULL if there is no memory,
/// or if this version of Lua can't be made safe. Other threads know the interpreter by the pulse, which must outlive it.
lua_State *clua_open(clua_Dispatch dispatch, clua_Release release, clua_Limits limits, clua_Pulse *pulse, const clua_Above *above);
/// Closes the state and releases every Swift object that it holds.
void clua_close(lua_State *L);
/// The size in bytes of the calling thread's stack; 0 if the system doesn't say.
size_t clua_threadStack(void);

// MARK: Entries into script code. They leave host mode; they return a clua_Status.

/// The owner of a chunk: a number from CLUA_FIRST on, or one of these.
enum {
  CLUA_CALLERS = -1,  // the owner of whatever function calls it, because the chunk only does what the host is asked to do
  CLUA_NOBODY = 0,    // no owner; its code may do nothing
  CLUA_FIRST = 1,     // the first owner, whose chunks have no mark
  CLUA_NONE = -2,     // answer of clua_caller: no function of a chunk calls
};

/// Compiles text, never bytecode, into a function of an owner's; its globals are those of the environment reference, or the state's own
/// for 0.
int32_t clua_load(lua_State *L, const char *text, size_t length, const char *chunkName, int32_t environment, int32_t owner);
/// The compiled *code* of a function, which other interpreters of this process may load.
typedef struct clua_Code clua_Code;
/// Copies the code of the function at the index, which was compiled from so many bytes of text; NULL if it is no Lua function, or too long.
clua_Code *clua_code(lua_State *L, int32_t index, size_t text);
/// Frees code; functions that were made of it stay valid.
void clua_freeCode(clua_Code *code);
/// Makes a function of its code, as clua_load does of text.
int32_t clua_loadCode(lua_State *L, const clua_Code *code, const char *chunkName, int32_t environment, int32_t owner);
/// Calls the function below nargs arguments; leaves nresults results (-1: all) or an error record.
int32_t clua_call(lua_State *L, int32_t nargs, int32_t nresults);
/// Pushes t[key] honouring metamethods; t is at the index.
int32_t clua_getField(lua_State *L, int32_t index, const char *key, size_t length);
/// Pushes the text that `tostring` gives for the value at the index.
int32_t clua_describe(lua_State *L, int32_t index);
/// Pushes what an error's message says of the value at the index, which was raised: the same in each run.
int32_t clua_describeRaised(lua_State *L, int32_t index);

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
/// Pushes a part, a clua_ErrorPart, of the error record on top, and returns its type; nil if there is no such part. An error value that is no
/// record has only the part VALUE, and MESSAGE if it is a string.
int32_t clua_errorPart(lua_State *L, int32_t part);
/// Whether the record on top is the refusal of a handler, which only the perform of that handler may catch.
bool clua_isRefusalRecord(lua_State *L);
/// Pushes the refusal that a handler raises.
void clua_pushRefusal(lua_State *L);
/// The place of the Lua function at a level of the stack: its line, 0 if it has none; the chunk's name is copied.
int32_t clua_where(lua_State *L, int32_t level, char *source, size_t capacity);

// MARK: Limits

/// Begins an allowance of nanoseconds and instructions (0: no limit of its own) inside the current one. False if nested too deep: then only
/// the one around it limits, but clua_end has to be called all the same.
bool clua_begin(lua_State *L, uint64_t nanoseconds, uint64_t instructions);
/// The same for one perform, which rests while an action of the program's runs.
bool clua_beginPerform(lua_State *L, uint64_t nanoseconds, uint64_t instructions);
/// Ends the innermost allowance; returns its clua_Trip.
int32_t clua_end(lua_State *L);
/// Whether the innermost allowance is that of a call from outside: no script called, and no other allowance is around it.
bool clua_isOutermost(lua_State *L);
/// Lets the allowances of performs rest, up to one that is for more than a perform, or of a script that called: what comes next is the
/// program's own doing, and each allowance begun meanwhile has only that one around it. False if there are none to rest, or if what is around
/// them is spent; else clua_stepBack has to be called.
bool clua_stepOutside(lua_State *L);
/// Goes on with the allowances that clua_stepOutside let rest; nothing that was spent meanwhile is charged to them.
void clua_stepBack(lua_State *L);
/// Who the host found to be to blame for the limit that was spent last; CLUA_NONE until clua_setViolator says it.
int32_t clua_violator(lua_State *L);
/// Notes who is to blame for the limit that was spent last, for all who are refused because of it.
void clua_setViolator(lua_State *L, int32_t owner);
/// The owner whose function spent the limit last, by its chunk; CLUA_NOBODY if no Lua function ran.
int32_t clua_spender(lua_State *L);
/// The size of the limit that was spent last, in nanoseconds or instructions; 0 for other limits.
uint64_t clua_allowed(lua_State *L);
/// The limit that ended the script, as long as its allowance has not ended.
int32_t clua_trip(lua_State *L);
/// Whether the entry that failed just now spent the limit itself; false if its callers did.
bool clua_isBlamed(lua_State *L);
/// Ends whatever runs in the interpreter that was opened with the pulse. May be called from a signal handler or another thread.
void clua_cancel(clua_Pulse *pulse);
/// How many outermost calls have ended; those nested in them aren't counted.
uint64_t clua_turns(lua_State *L);
/// Makes the hook's period independent of how long instructions take. For tools that count instructions, which makes them slow.
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

// MARK: Stack and values. Host mode; none can raise, none runs script code.

/// Makes room for more values; false if there is none.
bool clua_room(lua_State *L, int32_t count);
/// How many values are on the stack.
int32_t clua_top(lua_State *L);
/// Sets the number of values on the stack: drops those above it, or fills up with nil.
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
/// The number at the index, or the one that a string there spells, as an integer; 0 if there is none or it isn't whole.
int64_t clua_integer(lua_State *L, int32_t index);
/// The same as a float; 0 if there is none.
double clua_number(lua_State *L, int32_t index);
/// The bytes of a string, which live as long as the string does; NULL if the value is no string.
const char *clua_bytes(lua_State *L, int32_t index, size_t *length);

/// Pushes an empty table with room for so many entries of a list and so many fields.
void clua_newTable(lua_State *L, int32_t array, int32_t fields);
/// Pushes the table of the state's own globals.
void clua_pushGlobals(lua_State *L);
/// Replaces the table on top by a proxy through which it can only be read.
void clua_freezeTable(lua_State *L);
/// Pushes an environment without `os`, and above it an empty table, which `_G` and loaded code use and which is to look names up in it.
void clua_newGlobals(lua_State *L);
/// The length of the table or string at the index, without __len; a userdata's bytes, 0 for other values.
uint64_t clua_rawLength(lua_State *L, int32_t index);
/// Takes key and value from the top and puts them into the table at the index; false, with nothing done, if the key is nil or NaN.
bool clua_rawSet(lua_State *L, int32_t index);
/// Takes a key from the top and pushes its value in the table at the index, without metamethods.
void clua_rawGet(lua_State *L, int32_t index);
/// Takes the value on top and puts it into the table at the index, without metamethods.
void clua_rawSetAt(lua_State *L, int32_t index, int64_t key);
/// Pushes the value that the table at the index has under a key, without metamethods.
void clua_rawGetAt(lua_State *L, int32_t index, int64_t key);
/// Takes a key, pushes the next key and value; false, pushing nothing, at the end or when the key is not in the table.
bool clua_next(lua_State *L, int32_t index);

/// Pushes the metatable of the value at the index; false, pushing nothing, if it has none.
bool clua_metatable(lua_State *L, int32_t index);

/// Pushes a host table: it stands for an object of the host's, known by a number that no script can see or change.
void clua_newHostTable(lua_State *L, int64_t number, int32_t metatable);
/// The number of a host table, -1 for every other value.
int64_t clua_hostNumber(lua_State *L, int32_t index);
/// Takes a host table, a name and a part from the top, and keeps the part in the table under that name, hidden but for clua_pushPartReader's
/// function.
void clua_keepPart(lua_State *L);
/// Pushes a function for __index that finds the parts of its first argument, while all owners see the same; else it calls the Swift object.
void clua_pushPartReader(lua_State *L, void *retained);

/// Takes a text from the top and keeps it as the name of the host table at the index, even when the object that it stands for is gone.
void clua_setHostName(lua_State *L, int32_t index);
/// Pushes a host table's name; nil for every other value.
void clua_pushHostName(lua_State *L, int32_t index);
/// Takes a value from the top and keeps it in the host table at the index, hidden from scripts.
void clua_setKept(lua_State *L, int32_t index);
/// Pushes the value that a host table keeps; nil for every other value.
void clua_pushKept(lua_State *L, int32_t index);
/// Marks the metatable at the index: rawset refuses the objects that have it.
void clua_markHostMetatable(lua_State *L, int32_t index);
/// Takes a metatable from the top and gives it to the table at the index.
void clua_setRawMetatable(lua_State *L, int32_t index);
/// Where a function was written: its first line, 0 if it is no Lua function; the chunk's name is copied.
int32_t clua_functionPlace(lua_State *L, int32_t index, char *source, size_t capacity);
/// The first and last line of the function at the index; false if it is no Lua function.
bool clua_functionLines(lua_State *L, int32_t index, int32_t *first, int32_t *last);
/// Pushes the name of a parameter of the function at the index, from 1 on; nil if it has none.
void clua_pushParameter(lua_State *L, int32_t index, int32_t number);

// MARK: References: values kept for Swift under a number

/// Takes the value on top, keeps it, and returns its reference.
int32_t clua_reference(lua_State *L);
/// Pushes the value that is kept under the number.
void clua_pushReference(lua_State *L, int32_t reference);
/// Releases the value of a reference, whose number may be used again for another.
void clua_release(lua_State *L, int32_t reference);

// MARK: Waiting

/// A handler that waits.
typedef struct {
  lua_State *thread;    // the suspended coroutine; the host's until it is resumed or dropped
  const void *context;  // the context on which it may call `refuse`
  int64_t nanoseconds;  // how long it sleeps; -1: until Swift resumes it, and then sets how long that was
  uint64_t nanosecondsLeft, instructionsLeft;  // what was left of its allowance
  void *aside;          // the object that clua_setAside kept with it, retained, or NULL
  int64_t number;       // the number of its responder's object; 0 without one
} clua_Wait;

/// Drops a waiting coroutine. None of its code runs any more.
void clua_unwind(lua_State *L, lua_State *thread);
/// Pushes the function `lines` for scripts, which cuts a text into its lines.
void clua_pushLines(lua_State *L);
/// Charges the running script for steps of the host's work, which the hook doesn't count, and checks the limits.
void clua_chargeWork(lua_State *L, uint64_t steps);
/// Ends the script that runs as if it held more memory than it may: what the host would copy for it is too much. Does nothing outside of
/// allowances.
void clua_spendMemory(lua_State *L);
/// Says that the host was idle for so long; no allowance is charged for that time.
void clua_rested(lua_State *L, uint64_t nanoseconds);
/// Whether clua_cancel was called for the pulse; clears that request.
bool clua_takeCancel(clua_Pulse *pulse);

/// The phase: what runs now. Below zero while scripts are only asked, and may change nothing.
typedef enum {
  CLUA_PROVIDING = -2,
  CLUA_ASKING = -1,
  CLUA_IDLE = 0,
  CLUA_DOING = 1,
  CLUA_DRIVING = 2,  // a test: instead of waiting, it makes the host move on
  CLUA_LINE = 3,     // a line that a person typed: it waits as an action does, but is none
} clua_Phase;

/// Pushes the function that runs `level` calls up, and its first local, which is a method's self. False if there are fewer calls.
bool clua_runningFunction(lua_State *L, int32_t level);
/// Whether the value at the index is the second local, a method's first argument, of the function that runs `level` calls up.
bool clua_isGiven(lua_State *L, int32_t level, int32_t index);
/// The owner number of the nearest Lua function with an owner of its own, from `level` calls up on, through the coroutines that resumed one
/// another, but not beyond a function of Swift's; CLUA_NONE if there is none.
int32_t clua_caller(lua_State *L, int32_t level);
/// Whether a script's text calls the running function, directly or through pcall, xpcall or a coroutine. Not so if an operator, a loop or a
/// library function calls it: which function that is, is up to the code that made its operands.
bool clua_isCalledByName(lua_State *L);
/// Whether the script function `level` calls up is an action's own.
bool clua_isAction(lua_State *L, int32_t level);
/// Pushes the name by which the text of its caller calls the function `level` calls up; false if it has none, or nobody wrote the call.
bool clua_pushCallName(lua_State *L, int32_t level);
/// Whether the value at the index is a table that can be called.
bool clua_isCallable(lua_State *L, int32_t index);
/// Counts the bytes that each owner's scripts hold, by a walk through all that their functions and tables lead to; what several hold counts
/// for the first of them. Takes a table from the top, which maps tables to their owners' numbers.
void clua_weigh(lua_State *L, const int32_t *owners, size_t *bytes, int32_t count);
/// Clears the upvalues of an owner's functions and the contents of its tables, which nobody is to use any more. Takes a table from the top,
/// as clua_weigh does.
void clua_empty(lua_State *L, int32_t owner);
/// Makes a value that is equal to itself only, and returns its reference.
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
/// Takes `count` values from the top, which the object at the index holds as long as Lua can reach it, and no longer, even if they refer
/// back to it.
void clua_hold(lua_State *L, int32_t index, int32_t count);
/// Pushes the value of that number, from 1, that the object at the index holds.
void clua_pushHeld(lua_State *L, int32_t index, int32_t number);
/// Takes the text on top, and pushes an error for which `tostring` gives that text.
void clua_pushFailure(lua_State *L, void *retained);
/// The object, or NULL if the value is not one of that kind or was released.
void *clua_object(lua_State *L, int32_t index, int32_t kind);

// MARK: Watching from another thread. None of these touches the interpreter but the one that says so.

/// Whether the interpreter of a pulse is still open.
bool clua_isOpen(const clua_Pulse *pulse);
/// Whether the interpreter of a pulse runs a script now.
bool clua_runsScript(const clua_Pulse *pulse);
/// How often scripts have looked at their limits.
uint32_t clua_limitChecks(const clua_Pulse *pulse);
/// For a script that is stuck: interrupts the interpreter's thread by a signal, so that it notes in the pulse where it is, and waits at most
/// so long for that. False if it doesn't answer.
bool clua_whereabouts(clua_Pulse *pulse, uint32_t milliseconds);

typedef struct {
  void *timer;
} clua_Timer;

/// Starts a timer that sends a signal with a number each time the calling thread has used so much processor time; false if it can't.
bool clua_startTimer(clua_Timer *timer, uint64_t nanoseconds, int32_t signal, int32_t number);
/// Ends a timer that was started.
void clua_stopTimer(clua_Timer timer);
/// Waits for one of these signals, which are blocked, and returns it, with a timer's number or -1 in `number`. Below 0 if none came.
int32_t clua_awaitSignal(const int32_t *signals, int32_t count, int32_t *number);

// MARK: Pipes and files that aren't inherited by child processes; Swift's libc module lacks these calls.

/// Makes a pipe, its reading end first; below 0 on failure, with the reason in errno.
int clua_pipe(int ends[2]);
/// Makes a file, replacing the six 'X' at the end of its name. Returns its descriptor; below 0 on failure, with the reason in errno.
int clua_temporaryFile(char *name);
/// Opens what lies at a whole path, not inherited by child processes, if no part of the path is a link. Returns its descriptor; below 0 on failure,
/// with the reason in errno, which is ELOOP or ENOTDIR for a link. Kernels before 5.6 lack the call, and filters of system calls refuse it.
int clua_openWithoutLinks(const char *path, int flags);
/// Adds to the actions of posix_spawn that the program starts in a folder. Returns 0 or an error number.
int clua_addFolder(void *actions, const char *folder);

#endif
