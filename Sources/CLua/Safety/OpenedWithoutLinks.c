// Opens what lies at a path without following any link on the way, so that nobody can have the host open something else by exchanging a folder
// and a link.

#define _GNU_SOURCE
#include "Internal.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "CLua.h"
#include <spawn.h>
#include <stdlib.h>

// What <linux/openat2.h> has, which older systems lack.
struct openHow {
  uint64_t flags, mode, resolve;
};
enum { numberOfOpenat2 = 437, noMagicLinks = 0x02, noSymbolicLinks = 0x04 };

int clua_openWithoutLinks(const char *path, int flags) {
  struct openHow how = {(uint64_t)(flags | O_CLOEXEC), 0, noMagicLinks | noSymbolicLinks};
  int file = (int)syscall(numberOfOpenat2, AT_FDCWD, path, &how, sizeof how);
  // Kernels before 5.6 lack the call; filters of system calls refuse it.
  if (file >= 0 || (errno != ENOSYS && errno != EPERM)) return file;
  return clua_walkWithoutLinks(path, flags);
}

int clua_walkWithoutLinks(const char *path, int flags) {
  if (path[0] != '/' || strlen(path) >= PATH_MAX) return errno = path[0] != '/' ? EINVAL : ENAMETOOLONG, -1;
  int folder = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  char part[NAME_MAX + 1];
  while (folder >= 0) {
    path += strspn(path, "/");
    size_t count = strcspn(path, "/");
    int isLast = path[count + strspn(path + count, "/")] == 0;
    if (count > NAME_MAX) {
      close(folder);
      return errno = ENAMETOOLONG, -1;
    }
    memcpy(part, count > 0 ? path : ".", count > 0 ? count : 1);
    part[count > 0 ? count : 1] = 0;
    int next = openat(folder, part, (isLast ? flags : O_PATH | O_DIRECTORY) | O_NOFOLLOW | O_CLOEXEC);
    int reason = errno;
    close(folder);
    errno = reason;
    struct stat status;
    // A link that is only looked at is opened itself.
    if (isLast && next >= 0 && fstat(next, &status) == 0 && S_ISLNK(status.st_mode)) {
      close(next);
      return errno = ELOOP, -1;
    }
    if (isLast) return next;
    folder = next;
    path += count;
  }
  return -1;
}

// Pipes and files that aren't inherited by child processes; Swift's libc module lacks these calls.

#define _GNU_SOURCE

int clua_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clua_temporaryFile(char *name) { return mkostemp(name, O_CLOEXEC); }

int clua_addFolder(void *actions, const char *folder) { return posix_spawn_file_actions_addchdir_np(actions, folder); }
