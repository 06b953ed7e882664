// Lua seeds the hashes of its strings with the time. Where instructions are counted, each interpreter gets its own, the same
// in every run.

#include "Floor.h"

#include <time.h>

static bool counting = false;
static uint32_t opened = 0;

void floor_fixSeeds(void) { counting = true; }

time_t __real_time(time_t *at);

/// Takes the place of time() in the whole program: the package links with --wrap=time.
time_t __wrap_time(time_t *at) {
  if (!counting) return __real_time(at);
  time_t now = ++opened * 2654435761u;  // far apart, so that the seeds are as well
  if (at != NULL) *at = now;
  return now;
}
