// Descriptors that no program inherits which is started at the same moment. Swift's own module of the C library has these calls not.

#define _GNU_SOURCE
#include "CLua.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

int clua_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clua_temporaryFile(char *name) { return mkostemp(name, O_CLOEXEC); }

int clua_addFolder(void *actions, const char *folder) { return posix_spawn_file_actions_addchdir_np(actions, folder); }
