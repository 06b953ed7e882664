// The record of one interpreter, and the shared declarations of this target. Swift never sees this header.
//
// The files are in rooms: Safety, Values, Matcher, Library. Each calls only the rooms before it, and State.c opens them
// all. CScript uses this header for the functions that neither scripts nor Swift may call.

#ifndef CLUA_INTERNAL_H
#define CLUA_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CLua.h"

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>

enum {
  CLUA_LEVELS = 256,         // nested allowances; Lua's own C stack ends at 200
  CLUA_QUANTUM = 1000,       // instructions between two looks at the limits
  CLUA_STRING_TABLE = 128 * sizeof(void *),  // bytes of Lua's table of short strings when a state opens
  CLUA_USERVALUE = 24,       // bytes that a user value adds to a userdata
  CLUA_PACE = 1000 * 1000,   // nanoseconds that may pass between two looks
  CLUA_SPEND = 4000,         // steps of our own C loops between two looks
  CLUA_CALL_STEPS = 80,      // steps for a call to Swift: one instruction for Lua, but it may take as long as thousands
  CLUA_SPARE = 4 << 20,      // bytes of small blocks that are kept for reuse
  CLUA_ARENA = 96 << 10,     // bytes of the block for the first small blocks, about the size of an app's menus
  CLUA_STEP = 16,            // bytes between the sizes of small blocks
  CLUA_SMALL = 256,          // a block this small may use the reserve
  CLUA_RESERVE = 32 * 1024,  // so that an error can still be made at the ceiling
  CLUA_CHARGE = 256 * 1024,  // bytes allocated between two looks
  CLUA_BIG = 64 * 1024,      // a block that may make one instruction slow
  CLUA_HUGE = 512 * 1024,
  CLUA_STACK = 192 * 1024,   // bytes of the thread's stack for Lua alone before the next clua_checkStack
  CLUA_POOL = 16,            // coroutines kept for performs
  CLUA_LARGE = 4 * 1024,     // a string that may make one instruction slow
};

/// The facts about the limit that was spent last.
typedef struct {
  char source[256];  // the place
  int32_t line;
  int32_t owner;     // of the function that ran
  int32_t blamed;    // deeper entries aren't to blame
  int32_t violator;  // the owner that the host blames; CLUA_NONE before it decides
  uint64_t allowed;  // nanoseconds or instructions
} clua_Spent;

/// An allowance: the time and instructions for a load, a call or a test. An inner allowance ends no later than an
/// outer. The program's own work has an allowance without own limits, see clua_stepOutside. It is inside that of the
/// calling script or of an outside call, if there is one.
typedef struct {
  uint64_t nanoseconds;  // until the deadline, counted from the first look at the clock
  uint64_t deadline;     // 0 until then
  uint64_t fuelEnd;      // in instructions since open
  uint64_t begin;        // the instructions since open at its beginning
  int32_t depth;         // of the entry that began it
  int32_t tripped;
  int32_t around;        // the level that it is nested in
  bool rests;            // whether it is a perform's, which rests while an action of the program runs
  bool goesOn;           // whether it is the rest from before a wait, plus the gain
  uint64_t wholeNanoseconds, wholeInstructions;  // the whole allowance, if this is its rest
  bool isOutside;        // whether it has no limits: calls in it come from outside
  uint64_t since;        // when the resting levels began to rest; 0 if their clocks don't run
  clua_Spent *kept;      // the spent limit of a resting level; NULL without one
} clua_Level;

enum { CLUA_SPARE_SIZES = CLUA_SMALL / CLUA_STEP + 1 };

/// The large strings that are alive: a hash table of their addresses, and a count for each size class.
typedef struct {
  void **slots;
  size_t capacity, count;
  int32_t classes[4];
} clua_Large;

/// An object of Swift inside Lua, in a userdata or at the end of one.
typedef struct {
  void *object;
  uintptr_t seal;  // a value that no script can put into its own block
  int32_t kind;
} clua_Box;

/// A coroutine that a script has resumed.
typedef struct clua_Resume {
  lua_State *thread, *from;
  struct clua_Resume *outer;
} clua_Resume;

/// The parts of one interpreter that are not in Lua's heap. Its address is in the extra space of every coroutine.
typedef struct clua_Host {
  lua_State *main;
  lua_State *running;  // the coroutine that executes now
  clua_Dispatch dispatch;
  clua_Release release;
  clua_Limits limits;

  int32_t hostDepth;  // above 0: host mode
  int32_t depth;      // entries that are active
  int32_t tripped;    // the clua_Trip of the innermost level
  int32_t top;        // the innermost level
  int32_t beyond;     // number of inner allowances without a level
  clua_Level levels[CLUA_LEVELS];
  clua_Pulse *pulse;

  size_t live, peak;
  size_t ceiling;  // bytes that scripts may hold now: limits.memory, or more for a while, see makeRoom
  bool isCrowded;  // whether the ceiling was exceeded since the last outermost call ended
  uint64_t refusals, allocations, failAt;
  int32_t failed;  // refusals for the test so far
  bool failForEver;
  bool refusedBlock, refusedTotal, refusedStack;  // of the last refusal; valid only while a memory error is caught
  size_t refusedSize;
  size_t taken;                                   // bytes since the last look
  size_t charged;                                 // bytes that count as instructions already
  size_t pending;                                 // steps since the last look
  uint64_t used;                                  // instructions spent since open
  uint64_t turns;                                 // outermost allowances that have ended
  int32_t bigBlocks, hugeBlocks;
  clua_Large strings;
  int32_t period;     // of the count hook, for the sizes of the living blocks
  int32_t pace;       // of the count hook, for the time of the last instructions
  bool keepsPace;     // whether `pace` is ignored
  int32_t pause;      // of the collector
  uint64_t lookedAt;  // when the clock was last looked at

  uintptr_t stackEnd;  // the end of the running thread's stack, which it must not reach
  size_t stackSize;

  void *spare[CLUA_SPARE_SIZES];  // small blocks for reuse, in a list for each size
  size_t spareBytes, spareMost;
  bool isClosing;  // whether all blocks are being freed, so that none is kept
  char *arena, *arenaNext;  // the block for the first small blocks, and its next free part
  int32_t objects;
  uint32_t released;  // references since clua_tidyReferences
  void *stringTable;  // Lua's table of short strings
  size_t boxSize;  // bytes of a userdata with a box and no user value
  const void *objectTable, *failureTable, *callableTable, *functionTable, *recordTable;
  const char *weakName;  // the address of Lua's "__mode", see Names.c
  int32_t weakKey;
  int32_t metatablesRef;  // the tables that are metatables of tables, as weak keys
  int32_t objectRef, failureRef, callableRef, functionRef, lendingRef, recordRef, libraryRef;
  int32_t tripRefs[CLUA_TRIP_CANCELLED + 1];
  uint64_t secret;  // disguises the addresses that scripts see as text

  clua_Resume *resumes;  // the coroutines that scripts have resumed, innermost first

  // For the layers above the safe Lua
  const clua_Above *above;
  clua_Wait wait;  // of the run that began to wait last
  bool raises;     // whether the waiting call raises when its coroutine is resumed
  int32_t phase;
  int32_t pooled;
  lua_State *pool[CLUA_POOL];
  const void *refusal;
  int32_t refusalRef, reasonRef, poolRef;
  int32_t viewRef;  // a function that returns the reading script's view of a responder; 0 if all owners see the same
  void (*showAgain)(lua_State *L, int index);  // shows the context at the index to the caller of the running function again
  bool (*runsAction)(lua_State *L);            // whether the coroutine is an action's, not a script's own

  clua_Spent spent;
} clua_Host;

static inline clua_Host *clua_host(lua_State *L) { return *(clua_Host **)lua_getextraspace(L); }

// Limits.c
void clua_hook(lua_State *L, lua_Debug *ar);
/// Looks at every limit, and marks the spent levels.
void clua_checkLimits(clua_Host *h, lua_State *L);
/// Raises for the spent limit. Script mode only.
int clua_raiseTrip(lua_State *L);
/// Charges steps of work in C; raises if a limit is spent. Script mode only.
void clua_spend(lua_State *L, size_t steps);
/// Raises if the thread's stack is used up; first measures the stack of a new thread.
void clua_checkStackLimit(clua_Host *h, lua_State *L);
/// Raises if the thread's stack is nearly used up. Lua counts nested C calls, but not the stack that Swift uses.
static inline void clua_checkStack(clua_Host *h, lua_State *L) {
  uintptr_t left = (uintptr_t)__builtin_frame_address(0) - h->stackEnd;
  if (__builtin_expect(left - CLUA_STACK > h->stackSize - CLUA_STACK, 0)) clua_checkStackLimit(h, L);
}
/// Makes the running coroutine look at its limits after this many instructions at most.
void clua_shorten(lua_State *L, int32_t period);
/// Makes the running code look at its limits: at the next instruction, or at the next step of our loops.
void clua_checkLimitsSoon(clua_Host *h);
void clua_setPeriod(clua_Host *h);
/// Clears the spent limit, once a call from outside has ended.
void clua_settle(clua_Host *h);
/// Notes the place of a spent limit.
void clua_notePlace(clua_Host *h, lua_State *L);
/// Called after a memory error: marks the limit as spent. If the Lua stack was refused, replaces the error on top by
/// "stack overflow", for a script with the place before it.
void clua_caughtMemory(clua_Host *h, lua_State *L, bool forScript);

/// Charges all levels for the bytes allocated since the last charge.
static inline void clua_chargeBytes(clua_Host *h) {
  h->used += (h->taken - h->charged) / 16;
  h->charged = h->taken;
}

/// Notes the remaining time of the innermost level that has a time limit.
void clua_noteTimeLeft(clua_Host *h, clua_Wait *wait);
/// Notes the rest of the innermost allowance in a wait.
static inline void clua_noteLeft(clua_Host *h, clua_Wait *wait) {
  const clua_Level *level = &h->levels[h->top];
  wait->instructionsLeft = level->fuelEnd > h->used ? level->fuelEnd - h->used : 1;
  wait->nanosecondsLeft = level->nanoseconds;  // usually, nothing was measured yet
  if (level->nanoseconds == 0 || level->deadline != 0) clua_noteTimeLeft(h, wait);
}

/// Lowers the ceiling again, as far as scripts don't need the room above the memory limit.
void clua_takeRoom(clua_Host *h);
/// Shrinks the registry to its content, once many references were released.
void clua_tidyReferences(clua_Host *h);
/// Sets the allowed amount of garbage.
void clua_setPause(clua_Host *h);
/// Starts the collector, which was stopped while the interpreter opened.
void clua_beginCollecting(clua_Host *h);

/// Set in the numbers of host tables that aren't responders.
#define CLUA_CLASS_MARK ((int64_t)1 << 62)

// Watch.c
/// Fills in the pulse, which shows an interpreter to other threads.
void clua_beginPulse(clua_Host *h);

// Allocator.c
/// Allocates the arena for small blocks; false without memory.
bool clua_openSpare(clua_Host *h);
/// Frees the small blocks for reuse, and keeps no more. Call it before the interpreter frees all others.
void clua_stopSparing(clua_Host *h);
/// Frees the arena, which must be unused.
void clua_closeSpare(clua_Host *h);
void *clua_allocate(void *host, void *block, size_t old, size_t size);
/// Notes a large string; false without room.
bool clua_trackString(clua_Large *s, void *block, size_t size);
/// Forgets a large string; false for any other block.
bool clua_untrackString(clua_Large *s, const void *block, size_t size);
/// Returns the hook's period in instructions for the living large strings.
int32_t clua_stringPeriod(const clua_Large *s);
/// Pushes a box of a retained object, with a metatable.
void clua_pushBox(clua_Host *h, lua_State *L, void *retained, int32_t kind, int32_t metatable);
/// The finalizer of boxes: releases the object.
int clua_releaseBox(lua_State *L);
/// Releases the object of a box in a block before it is freed: Lua drops finalizers when the stack is exhausted.
void clua_releaseLost(clua_Host *h, void *block, size_t size);
/// Measures the size of a block that ends in a box; the collector must not run meanwhile.
size_t clua_measureBox(clua_Host *h, lua_State *L);

// Report.c
/// The message handler of every entry: makes an error record. Runs no script code.
int clua_report(lua_State *L);
/// Starts or resumes a coroutine that only has a function and its arguments, or that waits. Leaves its results or an
/// error record on its own stack.
int32_t clua_resumeKnown(lua_State *co, lua_State *from, int32_t nargs, int32_t *nresults);
/// Replaces the value on top of `to` by its error record, with the places on the stack of `at`.
void clua_record(clua_Host *h, lua_State *to, lua_State *at, int level);
/// Replaces the value on top by an error record of plain facts.
void clua_recordPlain(clua_Host *h, lua_State *L, const char *source, int32_t line);
/// Copies the host's name of a chunk.
void clua_copyName(const lua_Debug *place, char *to, size_t capacity);

// HostTable.c
/// Returns true if the value at the index is a host object, which rawset refuses.
bool clua_isHostObject(lua_State *L, int index);

// Value.c
/// Makes a value that is equal only to itself. Returns its address, and a reference.
const void *clua_sentinel(lua_State *L, const char *name, int32_t *reference);
// Report.c
/// Returns true if the error value at the index is a refusal, which no script may catch.
bool clua_isRefusal(clua_Host *h, lua_State *L, int index);
/// Replaces a record of a refusal on top by its reason; false for any other record.
bool clua_takeRefusal(clua_Host *h, lua_State *L);

// Call.c
void clua_openThreads(clua_Host *h, lua_State *L);
/// Takes a coroutine from the pool, or makes one. The pool keeps it alive while the host may resume it.
lua_State *clua_takeThread(clua_Host *h, lua_State *L);
/// Returns a coroutine to the pool, which forgets an unusable one.
void clua_keepThread(clua_Host *h, lua_State *L, lua_State *co, bool usable);
/// Returns true if the value at the index is a coroutine that only the host may resume.
bool clua_isHostThread(clua_Host *h, lua_State *L, int index);

// Chunk.c
struct clua_Code {
  const char *bytes;
  size_t length;
  size_t text;  // bytes of the source text
};
/// Returns the length of a chunk's name.
size_t clua_nameLength(const lua_Debug *place);
/// Returns a chunk's owner.
int32_t clua_codeOwner(const lua_Debug *place);
/// Loads code dumped in this process as an owner's chunk, under a name. Returns a status like luaL_loadbuffer.
int clua_loadMarked(lua_State *L, const void *bytes, size_t length, const char *name, int32_t owner);
/// Marks the chunk on top as an owner's. Returns a status like luaL_loadbuffer.
int clua_mark(lua_State *L, const char *name, int32_t owner);
/// Notes the owner that last loaded a chunk under this name.
void clua_noteChunk(lua_State *L, const char *name, int32_t owner);
/// Returns true if the host loaded the last chunk of that name for another owner.
bool clua_isChunkOfOther(lua_State *L, const char *name, int32_t owner);

// Object.c
/// Returns true if a function calls Swift.
bool clua_isTrampoline(lua_CFunction function);
void clua_openObjects(clua_Host *h, lua_State *L);
/// Pushes the box that is the first upvalue of a Swift function.
void clua_pushFunctionBox(lua_State *L, void *retained);
/// Runs the Swift function in upvalue 1.
int clua_trampoline(lua_State *L);
/// Removes the finalizers before closing, so that clua_releaseLost releases all objects without protected calls.
void clua_dropFinalizers(clua_Host *h);

// Names.c
bool clua_buryNames(clua_Host *h, lua_State *L);
void clua_pushFinalizerName(lua_State *L);
/// Pushes the name by which Lua finds __close.
void clua_pushClosingName(lua_State *L);
/// Returns true if the key at the index is visible only to the host.
static inline bool clua_isHiddenKey(clua_Host *h, lua_State *L, int index) {
  int type = lua_type(L, index);
  return type == LUA_TLIGHTUSERDATA || (type == LUA_TSTRING && lua_tostring(L, index) == h->weakName);
}

// Value.c
/// Pushes a value as text in the form for scripts, without addresses; may call __tostring.
const char *clua_tostring(lua_State *L, int index, size_t *length);

// Base.c, Metatable.c, Coroutine.c, Table.c, Strings.c, Match.c: each adds its functions to the table on top
void clua_openBase(lua_State *L);
void clua_openMetatables(lua_State *L);
void clua_openCoroutine(lua_State *L);
void clua_openTable(lua_State *L);
void clua_openStrings(lua_State *L);
void clua_openMatcher(lua_State *L);
int clua_baseNext(lua_State *L);
/// Returns true if a function only calls its argument and catches its errors, like pcall.
bool clua_isCatcher(lua_CFunction function);
int clua_basePairs(lua_State *L);

#define CLUA_LONG_NAME "a name, like a.b[c.d], can have %d parts at most"

// Library.c
/// Pushes the table behind a frozen table at the index; false for any other value.
bool clua_thawed(lua_State *L, int index);
/// Returns true if the host keeps the field of the host table at the index elsewhere; both indices are absolute.
bool clua_isApart(lua_State *L, int index, int key);

// Table.c
/// Charges for the strings among the arguments; raises if their total length exceeds a block.
void clua_chargeArguments(lua_State *L);
/// Replaces a function in the table on top by a function that first charges for its arguments.
void clua_charge(lua_State *L, const char *name);

// Library.c
void clua_openLibrary(clua_Host *h, lua_State *L);
/// Pushes a new environment: the whole library, frozen, with its own load and _G.
void clua_newEnvironment(lua_State *L);

#endif
