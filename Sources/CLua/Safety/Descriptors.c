// Pipes and files that aren't inherited by child processes; Swift's libc module lacks these calls.

#define _GNU_SOURCE
#include "CLua.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

int clua_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clua_temporaryFile(char *name) { return mkostemp(name, O_CLOEXEC); }

int clua_addFolder(void *actions, const char *folder) { return posix_spawn_file_actions_addchdir_np(actions, folder); }
