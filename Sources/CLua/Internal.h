// The record of one interpreter, and what the files of this target share. Swift never sees this header.
//
// The files are in rooms, each of which calls only those named before it: Safety, Values, Matcher, Library; State.c opens them all.
// CScript is built on them, and uses from this header what neither scripts nor Swift may.

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
  CLUA_USERVALUE = 24,       // bytes by which a user value makes a userdata larger
  CLUA_PACE = 1000 * 1000,   // nanoseconds that may pass between two looks
  CLUA_SPEND = 4000,         // steps of our own C loops between two looks
  CLUA_CALL_STEPS = 80,      // steps that a call to Swift counts as: to Lua it is one instruction, and it may take as long as thousands
  CLUA_SPARE = 4 << 20,      // bytes of small blocks that are kept to be used again
  CLUA_ARENA = 96 << 10,     // bytes from which the first small blocks are cut, about what an app's menus take
  CLUA_STEP = 16,            // bytes by which the sizes of small blocks differ
  CLUA_SMALL = 256,          // a block this small may use the reserve
  CLUA_RESERVE = 32 * 1024,  // so that an error can still be made at the ceiling
  CLUA_CHARGE = 256 * 1024,  // bytes allocated between two looks
  CLUA_BIG = 64 * 1024,      // a block from which one instruction may take long
  CLUA_HUGE = 512 * 1024,
  CLUA_STACK = 192 * 1024,   // bytes of the thread's stack that Lua alone may need until clua_checkStack is called again
  CLUA_POOL = 16,            // coroutines kept for performs
  CLUA_LARGE = 4 * 1024,     // a string from which one instruction may take long
};

/// What was found of the limit that was spent last.
typedef struct {
  char source[256];  // where it was found
  int32_t line;
  int32_t owner;     // of the function that ran
  int32_t blamed;    // entries deeper than this one aren't to blame
  int32_t violator;  // whom the host blames; CLUA_NONE until it was asked
  uint64_t allowed;  // nanoseconds or instructions
} clua_Spent;

/// An allowance: the time and instructions that a load, a call or a test may spend. Allowances nest; an inner one ends no later than an outer.
/// What the program does by itself has one without limits of its own, inside that of the script that called it, or of all that was asked at
/// once, if there is one: see clua_stepOutside.
typedef struct {
  uint64_t nanoseconds;  // until the deadline, counted from the first look at the clock
  uint64_t deadline;     // 0 until then
  uint64_t fuelEnd;      // in instructions spent since open
  uint64_t begin;        // the same, when it began
  int32_t depth;         // of the entry whose code began it
  int32_t tripped;
  int32_t around;        // the level that it is nested in
  bool rests;            // whether it is a perform's, which rests while the program's action runs
  bool goesOn;           // whether it is what was left before a wait, and what was gained back
  uint64_t wholeNanoseconds, wholeInstructions;  // what it is the rest of, if it goes on
  bool isOutside;        // whether nothing limits it: what begins in it is called from outside
  uint64_t since;        // when the levels that rest for it began to; 0 if their clocks don't run
  clua_Spent *kept;      // what was found of the limit that one of those had spent; NULL if none had
} clua_Level;

enum { CLUA_SPARE_SIZES = CLUA_SMALL / CLUA_STEP + 1 };

/// The large strings that are alive: a hash table of their addresses, and a count for each class of sizes.
typedef struct {
  void **slots;
  size_t capacity, count;
  int32_t classes[4];
} clua_Large;

/// An object of Swift's inside Lua, in a userdata or at the end of one.
typedef struct {
  void *object;
  uintptr_t seal;  // a value that no script can put into a block of its own
  int32_t kind;
} clua_Box;

/// A coroutine that a script has resumed.
typedef struct clua_Resume {
  lua_State *thread, *from;
  struct clua_Resume *outer;
} clua_Resume;

/// Everything about one interpreter that is not in Lua's heap. Its address is in the extra space of every coroutine.
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
  int32_t beyond;     // how many allowances inside it found no level left
  clua_Level levels[CLUA_LEVELS];
  clua_Pulse *pulse;

  size_t live, peak;
  size_t ceiling;  // what scripts may hold now: limits.memory, or more for a while, see makeRoom
  bool isCrowded;  // whether the ceiling was found exceeded since the last outermost call ended
  uint64_t refusals, allocations, failAt;
  int32_t failed;  // refusals for the test so far
  bool failForEver;
  bool refusedBlock, refusedTotal, refusedStack;  // why the allocator refused last; read only where a memory error is caught
  size_t refusedSize;
  size_t taken;                                   // bytes since the last look
  size_t charged;                                 // how many of them count as instructions already
  size_t pending;                                 // steps since the last look
  uint64_t used;                                  // instructions spent since open
  uint64_t turns;                                 // outermost allowances that have ended
  int32_t bigBlocks, hugeBlocks;
  clua_Large strings;
  int32_t period;     // of the count hook, by the sizes of the blocks that are alive
  int32_t pace;       // the same, by how long the last instructions took
  bool keepsPace;     // whether `pace` is ignored
  int32_t pause;      // of the collector
  uint64_t lookedAt;  // when the clock was last looked at

  uintptr_t stackEnd;  // the end of the running thread's stack, which it must not reach
  size_t stackSize;

  void *spare[CLUA_SPARE_SIZES];  // small blocks to be used again, in a list for each size
  size_t spareBytes, spareMost;
  bool isClosing;  // whether all blocks are being freed, so that none is kept
  char *arena, *arenaNext;  // the block from which the first small ones are cut, and its next free part
  int32_t objects;
  uint32_t released;  // references since clua_tidyReferences
  void *stringTable;  // Lua's own, of short strings
  size_t boxSize;  // bytes of a userdata with a box and no user value
  const void *objectTable, *failureTable, *callableTable, *functionTable, *recordTable;
  const char *weakName;  // the address of Lua's own "__mode", see Names.c
  int32_t weakKey;
  int32_t metatablesRef;  // the tables that are some table's metatable, as weak keys
  int32_t objectRef, failureRef, callableRef, functionRef, recordRef, libraryRef;
  int32_t tripRefs[CLUA_TRIP_CANCELLED + 1];
  uint64_t secret;  // disguises the addresses that scripts see as text

  clua_Resume *resumes;  // the coroutines that scripts have resumed, innermost first

  // For what is built on the safe Lua
  const clua_Above *above;
  clua_Wait wait;  // of the run that began to wait last
  bool raises;     // whether the call that waited raises when its coroutine is resumed
  int32_t phase;
  int32_t pooled;
  lua_State *pool[CLUA_POOL];
  const void *refusal;
  int32_t refusalRef, reasonRef, poolRef;
  int32_t viewRef;  // a function that shows a responder as the script that reads it may see it; 0 if all owners see the same
  void (*showAgain)(lua_State *L, int index);  // shows the context at the index to the caller of the running function again
  bool (*runsAction)(lua_State *L);            // whether the coroutine is that of an action, and not one that a script made

  clua_Spent spent;
} clua_Host;

static inline clua_Host *clua_host(lua_State *L) { return *(clua_Host **)lua_getextraspace(L); }

// Limits.c
void clua_hook(lua_State *L, lua_Debug *ar);
/// Looks at every limit; marks the levels that are spent.
void clua_checkLimits(clua_Host *h, lua_State *L);
/// Raises for the limit that is spent. Script mode only.
int clua_raiseTrip(lua_State *L);
/// Charges steps of work done in C; raises when a limit is spent. Script mode only.
void clua_spend(lua_State *L, size_t steps);
/// Raises if the thread's stack is used up; measures the stack first if it is another thread's than before.
void clua_checkStackLimit(clua_Host *h, lua_State *L);
/// Raises when the thread's stack is nearly used up: Lua counts nested C calls, and doesn't know how much of it each call to Swift takes.
static inline void clua_checkStack(clua_Host *h, lua_State *L) {
  uintptr_t left = (uintptr_t)__builtin_frame_address(0) - h->stackEnd;
  if (__builtin_expect(left - CLUA_STACK > h->stackSize - CLUA_STACK, 0)) clua_checkStackLimit(h, L);
}
/// Makes the running coroutine look at its limits after so many instructions at most.
void clua_shorten(lua_State *L, int32_t period);
/// Makes whatever runs look at its limits: at the next instruction, or at the next step of a loop of our own.
void clua_checkLimitsSoon(clua_Host *h);
void clua_setPeriod(clua_Host *h);
/// Clears what was found spent, once a call from outside has ended.
void clua_settle(clua_Host *h);
/// Notes where a limit was found spent.
void clua_notePlace(clua_Host *h, lua_State *L);
/// Called where a memory error is caught: marks the limit as spent; or, if the Lua stack was refused, replaces the error on top by "stack
/// overflow", for a script with the place before it.
void clua_caughtMemory(clua_Host *h, lua_State *L, bool forScript);

/// Charges all levels for the bytes that were allocated since this was done last.
static inline void clua_chargeBytes(clua_Host *h) {
  h->used += (h->taken - h->charged) / 16;
  h->charged = h->taken;
}

/// Gives the innermost level, which the caller must have begun, so many instructions from now on; 0: no limit of its own.
static inline void clua_beginAgain(clua_Host *h, uint64_t instructions) {
  clua_chargeBytes(h);
  uint64_t outer = h->levels[h->levels[h->top].around].fuelEnd;
  bool isOwn = instructions != 0 && instructions < UINT64_MAX - h->used && h->used + instructions < outer;
  h->levels[h->top].fuelEnd = isOwn ? h->used + instructions : outer;
}

/// Notes the time that is left: of the innermost level that has a limit of its own.
void clua_noteTimeLeft(clua_Host *h, clua_Wait *wait);
/// Notes in a wait what is left of the innermost allowance.
static inline void clua_noteLeft(clua_Host *h, clua_Wait *wait) {
  const clua_Level *level = &h->levels[h->top];
  wait->instructionsLeft = level->fuelEnd > h->used ? level->fuelEnd - h->used : 1;
  wait->nanosecondsLeft = level->nanoseconds;  // nothing was measured yet, mostly
  if (level->nanoseconds == 0 || level->deadline != 0) clua_noteTimeLeft(h, wait);
}

/// Lowers the ceiling again, as far as the room above the memory limit isn't needed any more.
void clua_takeRoom(clua_Host *h);
/// Makes the registry as small again as what it holds, once many references were released: it keeps the size that it once needed.
void clua_tidyReferences(clua_Host *h);
/// Sets how much garbage there may be.
void clua_setPause(clua_Host *h);
/// Starts the collector, which was stopped while the interpreter opened.
void clua_beginCollecting(clua_Host *h);

/// Set in the numbers of host tables that stand for no responder.
#define CLUA_CLASS_MARK ((int64_t)1 << 62)

// Watch.c
/// Fills in the pulse, by which other threads know of an interpreter.
void clua_beginPulse(clua_Host *h);

// Allocator.c
/// Allocates the arena from which small blocks are cut; false if there is no memory.
bool clua_openSpare(clua_Host *h);
/// Frees the small blocks that are kept, and keeps no more. To be called before the interpreter frees all others.
void clua_stopSparing(clua_Host *h);
/// Frees the arena, of which no part may be in use any more.
void clua_closeSpare(clua_Host *h);
void *clua_allocate(void *host, void *block, size_t old, size_t size);
/// Notes a large string; false if there is no room.
bool clua_trackString(clua_Large *s, void *block, size_t size);
/// Forgets a large string; false if the block is none.
bool clua_untrackString(clua_Large *s, const void *block, size_t size);
/// The hook's period in instructions for the large strings that are alive.
int32_t clua_stringPeriod(const clua_Large *s);
/// Pushes a box of a retained object, with a metatable.
void clua_pushBox(clua_Host *h, lua_State *L, void *retained, int32_t kind, int32_t metatable);
/// The finalizer of boxes: releases the object.
int clua_releaseBox(lua_State *L);
/// Releases the object of a box in a block that is about to be freed, because Lua silently drops finalizers when the stack is exhausted.
void clua_releaseLost(clua_Host *h, void *block, size_t size);
/// Measures the size of a block that ends in a box; nothing may be collected meanwhile.
size_t clua_measureBox(clua_Host *h, lua_State *L);

// Report.c
/// The message handler of every entry: makes an error record. Runs no script code.
int clua_report(lua_State *L);
/// Starts or resumes a coroutine that is known to hold just a function and its arguments, or to wait; leaves its results or an error record
/// on its own stack.
int32_t clua_resumeKnown(lua_State *co, lua_State *from, int32_t nargs, int32_t *nresults);
/// Replaces the value on top of `to` by an error record of it, with the places on the stack of `at`.
void clua_record(clua_Host *h, lua_State *to, lua_State *at, int level);
/// Makes an error record of plain facts, replacing the value on top.
void clua_recordPlain(clua_Host *h, lua_State *L, const char *source, int32_t line);
/// Copies the name by which the host knows a chunk.
void clua_copyName(const lua_Debug *place, char *to, size_t capacity);

// HostTable.c
/// Marks the metatable on top as one of a host object.
void clua_markHostObject(lua_State *L);
/// Whether the value at the index is one of the host's, to which nobody may write raw.
bool clua_isHostObject(lua_State *L, int index);

// Value.c
/// Makes a value that is equal to itself only; returns its address, and a reference.
const void *clua_sentinel(lua_State *L, const char *name, int32_t *reference);
// Report.c
/// Whether the error value at the index is a refusal, which no script may catch.
bool clua_isRefusal(clua_Host *h, lua_State *L, int index);
/// If the record on top is of a refusal, replaces it by the reason.
bool clua_takeRefusal(clua_Host *h, lua_State *L);

// Call.c
void clua_openThreads(clua_Host *h, lua_State *L);
/// Takes a coroutine from the pool, or makes one. The pool keeps it alive as long as the host may resume it.
lua_State *clua_takeThread(clua_Host *h, lua_State *L);
/// Returns a coroutine to the pool, which forgets it if it isn't usable.
void clua_keepThread(clua_Host *h, lua_State *L, lua_State *co, bool usable);
/// Whether the value at the index is a coroutine that only the host may resume.
bool clua_isHostThread(clua_Host *h, lua_State *L, int index);

// Chunk.c
struct clua_Code {
  const char *bytes;
  size_t length;
  size_t text;  // bytes of the text from which it was compiled
};
/// The length of a chunk's name.
size_t clua_nameLength(const lua_Debug *place);
/// A chunk's owner.
int32_t clua_codeOwner(const lua_Debug *place);
/// Loads code that was dumped in this process as an owner's chunk, under a name; returns a status as luaL_loadbuffer does.
int clua_loadMarked(lua_State *L, const void *bytes, size_t length, const char *name, int32_t owner);
/// Marks the chunk on top as an owner's; returns a status as luaL_loadbuffer does.
int clua_mark(lua_State *L, const char *name, int32_t owner);
/// Notes who loaded a chunk last under this name.
void clua_noteChunk(lua_State *L, const char *name, int32_t owner);
/// Whether the last chunk of that name was loaded by the host, for another owner.
bool clua_isChunkOfOther(lua_State *L, const char *name, int32_t owner);

// Object.c
/// Whether a function is one of Swift's.
bool clua_isTrampoline(lua_CFunction function);
void clua_openObjects(clua_Host *h, lua_State *L);
/// Pushes the box that a function of Swift's has as its first upvalue.
void clua_pushFunctionBox(lua_State *L, void *retained);
/// Runs the function of Swift's in upvalue 1.
int clua_trampoline(lua_State *L);
/// For closing: removes the finalizers, so that clua_releaseLost releases all objects, which is cheaper than a protected call for each.
void clua_dropFinalizers(clua_Host *h);

// Names.c
bool clua_buryNames(clua_Host *h, lua_State *L);
void clua_pushFinalizerName(lua_State *L);
/// Whether the key at the index is one that only the host may see.
static inline bool clua_isHiddenKey(clua_Host *h, lua_State *L, int index) {
  int type = lua_type(L, index);
  return type == LUA_TLIGHTUSERDATA || (type == LUA_TSTRING && lua_tostring(L, index) == h->weakName);
}

// Value.c
/// Pushes a value as text the way scripts see it, without addresses; may call __tostring.
const char *clua_tostring(lua_State *L, int index, size_t *length);

// Base.c, Metatable.c, Coroutine.c, Table.c, Strings.c, Match.c: each puts its functions into the table on top
void clua_openBase(lua_State *L);
void clua_openMetatables(lua_State *L);
void clua_openCoroutine(lua_State *L);
void clua_openTable(lua_State *L);
void clua_openStrings(lua_State *L);
void clua_openMatcher(lua_State *L);
int clua_baseNext(lua_State *L);
/// Whether a function only calls its argument and catches its errors, as pcall does.
bool clua_isCatcher(lua_CFunction function);
int clua_basePairs(lua_State *L);

// Library.c
/// Whether the library has exactly what scripts may find.
bool clua_isAsAllowed(clua_Host *h, lua_State *L);

#define CLUA_LONG_NAME "a name, like a.b[c.d], can have %d parts at most"

// Library.c
/// Replaces the table on top by a proxy through which it can only be read.
void clua_freeze(lua_State *L);
/// If the value at the index is frozen, pushes the table behind it.
bool clua_thawed(lua_State *L, int index);

// Table.c
/// Charges for the strings among the arguments; raises if they are longer together than a block may be.
void clua_chargeArguments(lua_State *L);
/// Replaces a function in the table on top by one that first charges for its arguments.
void clua_charge(lua_State *L, const char *name);

// Library.c
void clua_openLibrary(clua_Host *h, lua_State *L);
/// Pushes a fresh environment: the whole library, frozen, and a load and a _G of its own.
void clua_newEnvironment(lua_State *L);

#endif
