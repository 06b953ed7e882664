// Watches an interpreter from another thread: whether its script checks its limits, and its place.

#include "Internal.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

void clua_beginPulse(clua_Host *h) {
  h->pulse->host = h;
  h->pulse->thread = (unsigned long)pthread_self();
  __atomic_store_n(&h->pulse->isOpen, 1, __ATOMIC_RELAXED);
}

bool clua_isOpen(const clua_Pulse *pulse) { return __atomic_load_n(&pulse->isOpen, __ATOMIC_RELAXED) != 0; }

bool clua_runsScript(const clua_Pulse *pulse) { return __atomic_load_n(&pulse->isRunning, __ATOMIC_RELAXED) != 0; }

uint32_t clua_limitChecks(const clua_Pulse *pulse) { return __atomic_load_n(&pulse->looks, __ATOMIC_RELAXED); }

// MARK: Processor time

bool clua_startTimer(clua_Timer *timer, uint64_t nanoseconds, int32_t signal, int32_t number) {
  struct sigevent event = {0};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = signal;
  event.sigev_value.sival_int = number;
  timer_t made;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &made) != 0) return false;
  struct timespec each = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
  struct itimerspec times = {.it_interval = each, .it_value = each};
  if (timer_settime(made, 0, &times, NULL) != 0) {
    timer_delete(made);
    return false;
  }
  timer->timer = (void *)made;
  return true;
}

void clua_stopTimer(clua_Timer timer) { timer_delete((timer_t)timer.timer); }

int32_t clua_awaitSignal(const int32_t *signals, int32_t count, int32_t *number) {
  sigset_t set;
  siginfo_t info;
  sigemptyset(&set);
  for (int32_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
  int32_t came = sigwaitinfo(&set, &info);
  *number = came > 0 && info.si_code == SI_TIMER ? info.si_value.sival_int : -1;
  return came;
}

// MARK: The place of a script, found on its thread by a signal: nothing else can interrupt it

static clua_Pulse *asked;

static void note(const lua_Debug *place, int32_t line, char *source, int32_t *to) {
  clua_copyName(place, source, sizeof asked->source);
  *to = line;
}

/// The signal handler, on the interpreter's thread, at any point of Lua's work: so it only reads the stack.
static void answer(int signal) {
  (void)signal;
  clua_Pulse *pulse = __atomic_load_n(&asked, __ATOMIC_ACQUIRE);
  if (pulse == NULL || !clua_isOpen(pulse) || !clua_runsScript(pulse)) return;
  clua_Host *h = pulse->host;
  lua_Debug place;
  for (int level = 0; h->running != NULL && lua_getstack(h->running, level, &place) == 1; level++) {
    if (lua_getinfo(h->running, "Sl", &place) == 0 || place.linedefined < 0) continue;
    if (pulse->line == 0) note(&place, place.currentline, pulse->source, &pulse->line);
    note(&place, place.linedefined, pulse->handlerSource, &pulse->handlerLine);
  }
  __atomic_store_n(&pulse->isNoted, 1, __ATOMIC_RELEASE);
}

static bool ask(const clua_Pulse *pulse, uint32_t milliseconds) {
  struct sigaction action = {0};
  action.sa_handler = answer;
  action.sa_flags = SA_RESTART;
  if (sigaction(SIGUSR2, &action, NULL) != 0) return false;
  if (pthread_kill((pthread_t)pulse->thread, SIGUSR2) != 0) return false;
  for (uint32_t i = 0; i < milliseconds; i++) {
    if (__atomic_load_n(&pulse->isNoted, __ATOMIC_ACQUIRE) != 0) return true;
    struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
  }
  return false;
}

bool clua_whereabouts(clua_Pulse *pulse, uint32_t milliseconds) {
  if (!clua_isOpen(pulse)) return false;  // then its thread may have ended
  pulse->line = pulse->handlerLine = 0;
  __atomic_store_n(&pulse->isNoted, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&asked, pulse, __ATOMIC_RELEASE);
  bool isNoted = ask(pulse, milliseconds);
  __atomic_store_n(&asked, NULL, __ATOMIC_RELEASE);  // a later signal must not use a pulse that may be gone
  return isNoted;
}
