// Opens a path without following any link in it, so that nobody can redirect the host by exchanging a folder and a
// link.

#define _GNU_SOURCE
#include "Internal.h"
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <spawn.h>
#include <stdlib.h>

// The declarations of <linux/openat2.h>, which older systems lack.
struct openHow {
  uint64_t flags, mode, resolve;
};
enum { numberOfOpenat2 = 437, noMagicLinks = 0x02, noSymbolicLinks = 0x04 };

int clua_openWithoutLinks(const char *path, int flags) {
  struct openHow how = {(uint64_t)(flags | O_CLOEXEC), 0, noMagicLinks | noSymbolicLinks};
  return (int)syscall(numberOfOpenat2, AT_FDCWD, path, &how, sizeof how);
}

// Pipes and files that aren't inherited by child processes; Swift's libc module lacks these calls.

int clua_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clua_temporaryFile(char *name) { return mkostemp(name, O_CLOEXEC); }

int clua_addFolder(void *actions, const char *folder) { return posix_spawn_file_actions_addchdir_np(actions, folder); }
