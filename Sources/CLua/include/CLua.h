// The functions of Lua for Swift. None can raise. lua.h isn't included, so that Swift can't call functions that raise.
//
// Each declaration describes its effect on the stack, and whether script code may run. "Host mode" is while Swift or
// this shim runs: the allocator never refuses. "Script mode" is while Lua runs, with limits.

#ifndef CLUA_H
#define CLUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lua_State lua_State;

/// The end of an entry into script code.
typedef enum {
  CLUA_OK = 0,
  CLUA_YIELDED = 1,
  CLUA_ERROR = 2,   // an error record (see clua_error…) is on top
  CLUA_SYNTAX = 3,  // the text didn't compile; an error record is on top
  CLUA_MEMORY = 4,  // one block was larger than allowed; an error record is on top
  CLUA_LIMIT = 5,   // a limit was spent: clua_trip says which; an error record is on top
} clua_Status;

/// The limit that ended a script.
typedef enum {
  CLUA_TRIP_NONE = 0,
  CLUA_TRIP_TIME = 1,
  CLUA_TRIP_INSTRUCTIONS = 2,
  CLUA_TRIP_MEMORY = 3,
  CLUA_TRIP_CANCELLED = 4,
} clua_Trip;

/// Lua's types, with Lua's numbers.
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

/// The answers of a Swift callback instead of a number of results.
enum {
  CLUA_RAISE = -1,     // the error value is on top
  CLUA_RAISE_AT = -2,  // a message is on top, which gets the caller's place in front
  CLUA_YIELD = -3,     // the number of values to yield is on top, the values below it
  CLUA_CALL = -4,      // the number of arguments is on top, below it these and a function, whose results are the answer
};

/// Runs a Swift function for a script. Returns a number of results or one of the answers above.
typedef int32_t (*clua_Dispatch)(lua_State *L, void *object);
/// Releases an object from Lua. It must call nothing in Lua, because it may run inside any allocation.
typedef void (*clua_Release)(void *object);

typedef struct {
  size_t memory;       // bytes that scripts may hold; checked by the hook, after a full collection
  size_t memoryHard;   // bytes above which the allocator refuses
  size_t block;        // bytes of one block
  size_t source;       // bytes of one chunk that the host loads
  size_t sourceInner;  // bytes of one chunk that a script loads
  int32_t (*longName)(const char *source, size_t length);  // the line of a name with more than CLUA_PARTS parts, or 0
} clua_Limits;

enum { CLUA_PARTS = 32 };  // the most parts of one name, as in a.b[c.d]

/// A *pulse* shows other threads the state of an interpreter. It belongs to Swift and outlives the interpreter.
typedef struct {
  int32_t cancelled;   // set from anywhere
  int32_t isOpen;      // whether there is an interpreter
  int32_t isRunning;   // whether it runs a script now
  uint32_t looks;      // number of times that scripts looked at their limits
  void *host;          // the interpreter
  unsigned long thread;  // the thread that opened it
  int32_t isNoted;       // whether the fields below were filled in
  int32_t line, handlerLine;
  char source[256], handlerSource[256];  // the current place, and the function with which the script began
} clua_Pulse;

// MARK: Life

/// Describes the layer above the safe Lua: the function that opens it, and the size of the whole record. The record
/// begins with the safe Lua's.
typedef struct {
  size_t size;
  void (*open)(lua_State *L);
} clua_Above;

/// Opens an interpreter with the allow-listed library, and with the layer `above` (NULL: none). Returns NULL without
/// memory, or if this version of Lua can't be made safe. Other threads use the pulse, which must outlive it.
lua_State *clua_open(clua_Dispatch dispatch, clua_Release release, clua_Limits limits, clua_Pulse *pulse, const clua_Above *above);
/// Closes the state and releases all of its Swift objects.
void clua_close(lua_State *L);
/// Returns the bytes of the calling thread's stack; 0 if the system doesn't know them.
size_t clua_threadStack(void);

// MARK: Entries into script code. They leave host mode; they return a clua_Status.

/// The owner of a chunk: a number from CLUA_FIRST on, or one of these.
enum {
  CLUA_CALLERS = -1,  // the owner of the calling function, because the chunk only does what the host is requested to do
  CLUA_NOBODY = 0,    // no owner; its code may do nothing
  CLUA_FIRST = 1,     // the first owner, whose chunks have no mark
  CLUA_NONE = -2,     // answer of clua_caller without a calling function of a chunk
};

/// Compiles text, never bytecode, into an owner's function. Its globals are those of the environment reference; 0: the
/// state's globals.
int32_t clua_load(lua_State *L, const char *text, size_t length, const char *chunkName, int32_t environment, int32_t owner);
/// The compiled *code* of a function, which other interpreters of this process may load.
typedef struct clua_Code clua_Code;
/// Copies the code of the function at the index, compiled from `text` bytes; NULL if it isn't Lua code, or too long.
clua_Code *clua_code(lua_State *L, int32_t index, size_t text);
/// Frees code; its functions stay valid.
void clua_freeCode(clua_Code *code);
/// Makes a function from code, like clua_load from text.
int32_t clua_loadCode(lua_State *L, const clua_Code *code, const char *chunkName, int32_t environment, int32_t owner);
/// Calls the function below nargs arguments; leaves nresults results (-1: all) or an error record.
int32_t clua_call(lua_State *L, int32_t nargs, int32_t nresults);
/// Pushes t[key] with metamethods; t is at the index.
int32_t clua_getField(lua_State *L, int32_t index, const char *key, size_t length);
/// Pushes the text of `tostring` for the value at the index.
int32_t clua_describe(lua_State *L, int32_t index);
/// Pushes the text of the raised value at the index for an error's message, the same in each run.
int32_t clua_describeRaised(lua_State *L, int32_t index);

// MARK: The error record that a failed entry leaves. Reading it runs nothing.

/// A part of an error record.
typedef enum {
  CLUA_ERROR_VALUE = 1,      // the raised value
  CLUA_ERROR_MESSAGE = 2,    // a string, without the place before it
  CLUA_ERROR_SOURCE = 3,     // the chunk's name
  CLUA_ERROR_LINE = 4,       // an integer
  CLUA_ERROR_TRACEBACK = 5,  // a string
  CLUA_ERROR_LIMIT = 6,      // the clua_Trip of the spent limit, an integer
} clua_ErrorPart;
/// Pushes a part, a clua_ErrorPart, of the error record on top, and returns its type; nil if it is missing. An error
/// value that is no record has only the part VALUE, and MESSAGE if it is a string.
int32_t clua_errorPart(lua_State *L, int32_t part);
/// Returns true if the record on top is a handler's refusal, which only the perform of that handler may catch.
bool clua_isRefusalRecord(lua_State *L);
/// Pushes the refusal that a handler raises.
void clua_pushRefusal(lua_State *L);
/// Returns the line of the Lua function at a level of the stack, 0 without one. Copies the chunk's name.
int32_t clua_where(lua_State *L, int32_t level, char *source, size_t capacity);

// MARK: Limits

/// Begins an allowance of nanoseconds and instructions (0: no own limit) inside the current one. Returns false if
/// nested too deep: then only the outer allowance limits, but clua_end is still required.
bool clua_begin(lua_State *L, uint64_t nanoseconds, uint64_t instructions);
/// Does the same for one perform, which rests while an action of the program runs.
bool clua_beginPerform(lua_State *L, uint64_t nanoseconds, uint64_t instructions);
/// Ends the innermost allowance; returns its clua_Trip.
int32_t clua_end(lua_State *L);
/// Returns true if the innermost allowance is a call from outside, without a script or another allowance around it.
bool clua_isOutermost(lua_State *L);
/// Makes the allowances of performs rest for work of the program, up to the first of another kind or of a calling
/// script. Allowances of that work are only inside this last allowance. Returns false if there are none to rest, or if
/// the last one is spent; else clua_stepBack is required.
bool clua_stepOutside(lua_State *L);
/// Lets all allowances rest, those of calling scripts too, for code of another owner that they don't pay. Returns false if
/// that is impossible.
bool clua_stepAside(lua_State *L);
/// Continues the allowances after clua_stepOutside or clua_stepAside; nothing spent meanwhile is charged to them.
void clua_stepBack(lua_State *L);
/// Returns the owner that the host blames for the last spent limit; CLUA_NONE before clua_setViolator.
int32_t clua_violator(lua_State *L);
/// Sets the owner to blame for the last spent limit, for all calls that are refused because of it.
void clua_setViolator(lua_State *L, int32_t owner);
/// Returns the owner of the function that spent the last limit, by its chunk; CLUA_NOBODY without a Lua function.
int32_t clua_spender(lua_State *L);
/// Returns the size of the last spent limit, in nanoseconds or instructions; 0 for other limits.
uint64_t clua_allowed(lua_State *L);
/// Returns the limit that ended the script, until its allowance ends.
int32_t clua_trip(lua_State *L);
/// Returns true if the entry that just failed spent the limit itself; false if its callers did.
bool clua_isBlamed(lua_State *L);
/// Ends the running script of the pulse's interpreter. Allowed in signal handlers and other threads.
void clua_cancel(clua_Pulse *pulse);
/// Returns the number of outermost calls that have ended.
uint64_t clua_turns(lua_State *L);
/// Makes the hook's period independent of the time. For tools that count instructions, which slow them down.
void clua_keepPace(lua_State *L);
/// Collects all garbage.
void clua_collect(lua_State *L);

typedef struct {
  size_t live, peak;
  size_t spare;           // bytes of blocks kept for reuse
  uint64_t refusals;      // allocations refused so far
  uint64_t allocations;   // growing allocations requested so far
  uint64_t instructions;  // spent so far, in steps of the hook
  int32_t hostDepth;      // 1 outside all entries
  int32_t objects;        // Swift objects that Lua holds
} clua_Counters;
/// Returns the state's use so far.
clua_Counters clua_counters(lua_State *L);

// MARK: Stack and values. Host mode; none can raise, none runs script code.

/// Makes room for more values; false without memory.
bool clua_room(lua_State *L, int32_t count);
/// Returns the number of values on the stack.
int32_t clua_top(lua_State *L);
/// Sets the number of values on the stack: drops those above it, or fills up with nil.
void clua_setTop(lua_State *L, int32_t top);
/// Pops so many values.
void clua_pop(lua_State *L, int32_t count);
/// Returns the type of the value at the index, such as CLUA_TNIL; CLUA_TNONE without a value.
int32_t clua_type(lua_State *L, int32_t index);
/// Returns true if the value at the index is a number kept as an integer.
bool clua_isInteger(lua_State *L, int32_t index);
/// Returns true if the values at two indices are the same, without __eq.
bool clua_rawEqual(lua_State *L, int32_t a, int32_t b);
/// Returns the address of the living table, closure, userdata, thread or string at the index; NULL for other values.
const void *clua_identity(lua_State *L, int32_t index);
/// Pushes the value at the index once more.
void clua_copy(lua_State *L, int32_t index);
/// Moves the value on top to the index; the values from there on go up by one.
void clua_insert(lua_State *L, int32_t index);
/// Pops a value and puts it in place of the value at the index.
void clua_replace(lua_State *L, int32_t index);

/// Pushes nil. This and the following functions need room for one value.
void clua_pushNil(lua_State *L);
/// Pushes true or false.
void clua_pushBool(lua_State *L, bool value);
/// Pushes a number kept as an integer.
void clua_pushInteger(lua_State *L, int64_t value);
/// Pushes a number kept as a float.
void clua_pushNumber(lua_State *L, double value);
/// Pushes a string of these bytes, which are copied.
void clua_pushBytes(lua_State *L, const void *bytes, size_t length);

/// Returns the value at the index as a condition: false for nil, false and none.
bool clua_bool(lua_State *L, int32_t index);
/// Returns the number at the index, or the number that a string spells, as an integer; 0 if there is no whole number.
int64_t clua_integer(lua_State *L, int32_t index);
/// Does the same as a float; 0 if there is none.
double clua_number(lua_State *L, int32_t index);
/// Returns the bytes of a string, valid while the string lives; NULL for any other value.
const char *clua_bytes(lua_State *L, int32_t index, size_t *length);

/// Pushes an empty table with room for so many entries of a list and so many fields.
void clua_newTable(lua_State *L, int32_t array, int32_t fields);
/// Pushes the table of the state's globals.
void clua_pushGlobals(lua_State *L);
/// Replaces the table on top by a read-only proxy.
void clua_freezeTable(lua_State *L);
/// Pushes an environment without `os`. Pushes an empty table for `_G` and loaded code, which should look names up in
/// it.
void clua_newGlobals(lua_State *L);
/// Returns the length of the table or string at the index, without __len; a userdata's bytes, 0 for other values.
uint64_t clua_rawLength(lua_State *L, int32_t index);
/// Pops key and value and puts them into the table at the index; false, without a change, if the key is nil or NaN.
bool clua_rawSet(lua_State *L, int32_t index);
/// Pops a key and pushes its value in the table at the index, without metamethods.
void clua_rawGet(lua_State *L, int32_t index);
/// Pops a value and puts it into the table at the index, without metamethods.
void clua_rawSetAt(lua_State *L, int32_t index, int64_t key);
/// Pushes the value of a key in the table at the index, without metamethods.
void clua_rawGetAt(lua_State *L, int32_t index, int64_t key);
/// Pops a key, pushes the next key and value; false, pushing nothing, at the end or for an unknown key.
bool clua_next(lua_State *L, int32_t index);

/// Pushes the metatable of the value at the index; false, pushing nothing, without one.
bool clua_metatable(lua_State *L, int32_t index);

/// Pushes a host table: it represents a host object, by a number that no script can see or change.
void clua_newHostTable(lua_State *L, int64_t number, int32_t metatable);
/// Returns the number of a host table, -1 for every other value.
int64_t clua_hostNumber(lua_State *L, int32_t index);
/// Pops a host table, a name and a part, and keeps the part in the table under that name. Only clua_pushPartReader's
/// function reads it.
void clua_keepPart(lua_State *L);
/// Pushes a function for __index that finds the parts of its first argument, or calls Swift if owners differ.
void clua_pushPartReader(lua_State *L, void *retained);
/// Marks the metatable at the index as one that doesn't change what a table contains.
void clua_markPlainMetatable(lua_State *L, int32_t index);
/// Returns true if the table at the index is only its contents: it has no metatable, or one with that mark.
bool clua_isPlainTable(lua_State *L, int32_t index);
/// Pops a table, whose keys are the fields of the host table at the index that the host keeps elsewhere. The host table
/// never has these fields, so its metatable sees each read and each write of them.
void clua_keepApart(lua_State *L, int32_t index);

/// Pops a text and keeps it as the name of the host table at the index, even after its object is gone.
void clua_setHostName(lua_State *L, int32_t index);
/// Pushes a host table's name; nil for every other value.
void clua_pushHostName(lua_State *L, int32_t index);
/// Pops a value and keeps it in the host table at the index, hidden from scripts.
void clua_setKept(lua_State *L, int32_t index);
/// Pushes the kept value of a host table; nil for every other value.
void clua_pushKept(lua_State *L, int32_t index);
/// Marks the metatable at the index: rawset refuses the objects that have it.
void clua_markHostMetatable(lua_State *L, int32_t index);
/// Pops a metatable and sets it for the table at the index.
void clua_setRawMetatable(lua_State *L, int32_t index);
/// Returns the first line of a function, 0 if it is no Lua function. Copies the chunk's name.
int32_t clua_functionPlace(lua_State *L, int32_t index, char *source, size_t capacity);
/// Fills in the first and last line of the function at the index; false if it is no Lua function.
bool clua_functionLines(lua_State *L, int32_t index, int32_t *first, int32_t *last);
/// Pushes the name of a parameter of the function at the index, from 1 on; nil without a name.
void clua_pushParameter(lua_State *L, int32_t index, int32_t number);

// MARK: References: values kept for Swift under a number

/// Pops a value, keeps it, and returns its reference.
int32_t clua_reference(lua_State *L);
/// Pushes the value of a reference.
void clua_pushReference(lua_State *L, int32_t reference);
/// Releases the value of a reference, whose number may be reused.
void clua_release(lua_State *L, int32_t reference);

// MARK: Waiting

/// A handler that waits.
typedef struct {
  lua_State *thread;    // the suspended coroutine; the host's until it is resumed or dropped
  const void *context;  // the context on which it may call `refuse`
  int64_t nanoseconds;  // the time that it sleeps; -1: until Swift resumes it, and then sets the time
  uint64_t nanosecondsLeft, instructionsLeft;  // the rest of its allowance
  void *aside;          // the object of clua_setAside, retained, or NULL
  int64_t number;       // the number of its responder's object; 0 without one
} clua_Wait;

/// Drops a waiting coroutine. None of its code runs any more.
void clua_unwind(lua_State *L, lua_State *thread);
/// Pushes the function `lines` for scripts, which cuts a text into its lines.
void clua_pushLines(lua_State *L);
/// Charges the running script for steps of the host's work, which the hook doesn't count, and checks the limits.
void clua_chargeWork(lua_State *L, uint64_t steps);
/// Ends the running script for exceeding its memory: the host's copies for it would be too large. Does nothing outside
/// of allowances.
void clua_spendMemory(lua_State *L);
/// Reports that the host was idle for so long; no allowance is charged for that time.
void clua_rested(lua_State *L, uint64_t nanoseconds);
/// Returns true if clua_cancel was called for the pulse; clears that request.
bool clua_takeCancel(clua_Pulse *pulse);

/// The phase: the kind of code that runs now. Below zero, scripts only answer questions and may change nothing.
typedef enum {
  CLUA_PROVIDING = -2,
  CLUA_ASKING = -1,
  CLUA_IDLE = 0,
  CLUA_DOING = 1,
  CLUA_DRIVING = 2,  // a test: instead of waiting, it runs the host
  CLUA_LINE = 3,     // a person's line: it waits like an action, but is none
} clua_Phase;

/// Pushes the function that runs `level` calls up, and its first local, a method's self. False with fewer calls.
bool clua_runningFunction(lua_State *L, int32_t level);
/// Returns true if the value at the index is the second local, a method's argument, of the function `level` calls up.
bool clua_isGiven(lua_State *L, int32_t level, int32_t index);
/// Returns the owner of the nearest Lua function with its own owner, from `level` calls up on. Goes through the
/// coroutines that resumed one another, but not beyond a Swift function; CLUA_NONE if there is none.
int32_t clua_caller(lua_State *L, int32_t level);
/// Returns true if a script's text calls the running function, directly or through pcall, xpcall or a coroutine. False
/// for operators, loops and library functions: the code that made their operands chooses the function.
bool clua_isCalledByName(lua_State *L);
/// Returns true if the script function `level` calls up is an action's own.
bool clua_isAction(lua_State *L, int32_t level);
/// Pushes the name by which its caller's text calls the function `level` calls up; false without a name.
bool clua_pushCallName(lua_State *L, int32_t level);
/// Returns true if the value at the index is a table that can be called.
bool clua_isCallable(lua_State *L, int32_t index);
/// Counts the bytes of each owner's scripts, by a walk through their functions and tables. Shared values count for the
/// first owner. Pops a table that maps tables to their owners' numbers.
void clua_weigh(lua_State *L, const int32_t *owners, size_t *bytes, int32_t count);
/// Clears the upvalues of an owner's functions and the contents of its tables, which are unused from now on. Pops a
/// table like clua_weigh.
void clua_empty(lua_State *L, int32_t owner);
/// Makes a value that is equal only to itself, and returns its reference.
int32_t clua_newSentinel(lua_State *L, const char *name);

// MARK: Swift objects inside Lua. Each retained pointer is released exactly once.

typedef enum {
  CLUA_OBJECT = 0,  // an opaque object
  CLUA_FAILURE = 1, // a Swift error on its way through a script
  CLUA_CALLABLE = 2, // an object that scripts call and read
} clua_Kind;
/// Pushes a function that calls the Swift object, and takes over the retained pointer.
void clua_pushFunction(lua_State *L, void *retained);
/// Pushes an object that scripts can only pass on, and takes over the retained pointer.
void clua_pushObject(lua_State *L, void *retained);
/// Pushes an object that scripts may call and read, according to the next function's metatable.
void clua_pushCallable(lua_State *L, void *retained);
/// Pushes the common metatable of all these objects.
void clua_pushCallableMetatable(lua_State *L);
/// Pops `count` values, which the object at the index holds as long as Lua can reach it, even if they refer back to it.
void clua_hold(lua_State *L, int32_t index, int32_t count);
/// Pushes the value of that number, from 1, that the object at the index holds.
void clua_pushHeld(lua_State *L, int32_t index, int32_t number);
/// Pops a text, and pushes an error for which `tostring` returns that text.
void clua_pushFailure(lua_State *L, void *retained);
/// Returns the object, or NULL if the value is not of that kind or was released.
void *clua_object(lua_State *L, int32_t index, int32_t kind);

// MARK: Watching from another thread. Only the marked function touches the interpreter.

/// Returns true if the interpreter of a pulse is still open.
bool clua_isOpen(const clua_Pulse *pulse);
/// Returns true if the interpreter of a pulse runs a script now.
bool clua_runsScript(const clua_Pulse *pulse);
/// Returns the number of times that scripts have looked at their limits.
uint32_t clua_limitChecks(const clua_Pulse *pulse);
/// For a stuck script: interrupts the interpreter's thread with a signal, so that it notes its place in the pulse.
/// Waits for that at most so long; false without an answer.
bool clua_whereabouts(clua_Pulse *pulse, uint32_t milliseconds);

typedef struct {
  void *timer;
} clua_Timer;

/// Starts a timer that sends a signal with a number each time the calling thread has used so much processor time.
bool clua_startTimer(clua_Timer *timer, uint64_t nanoseconds, int32_t signal, int32_t number);
/// Ends a timer.
void clua_stopTimer(clua_Timer timer);
/// Waits for one of these blocked signals and returns it, below 0 if none came. `number` gets a timer's number or -1.
int32_t clua_awaitSignal(const int32_t *signals, int32_t count, int32_t *number);

// MARK: Pipes and files that aren't inherited by child processes; Swift's libc module lacks these calls.

/// Makes a pipe, its reading end first; below 0 on failure, with the reason in errno.
int clua_pipe(int ends[2]);
/// Makes a file, replacing the six 'X' at the end of its name. Returns its descriptor; below 0 on failure, see errno.
int clua_temporaryFile(char *name);
/// Opens an absolute path without links, not inherited by child processes. Returns its descriptor; below 0 on failure,
/// see errno: ELOOP or ENOTDIR for a link. Kernels before 5.6 lack the call, and filters of system calls may refuse it.
int clua_openWithoutLinks(const char *path, int flags);
/// Adds a start in a folder to the actions of posix_spawn. Returns 0 or an error number.
int clua_addFolder(void *actions, const char *folder);

#endif
