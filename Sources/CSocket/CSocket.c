#define _GNU_SOURCE
#include "CSocket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

size_t csocket_longestPath(void) { return sizeof(((struct sockaddr_un *)0)->sun_path) - 1; }

static bool name(const char *path, struct sockaddr_un *address) {
  size_t length = strlen(path);
  if (length > csocket_longestPath()) {
    errno = ENAMETOOLONG;
    return false;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  return true;
}

static int closed(int descriptor) {
  int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

int csocket_listen(const char *path, int backlog) {
  struct sockaddr_un address;
  if (!name(path, &address)) return -1;
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  // Linux gives the file the mode of the socket, so it is never wider. A umask would affect all threads.
  if (fchmod(descriptor, 0600) != 0) return closed(descriptor);
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return closed(descriptor);
  if (listen(descriptor, backlog) == 0) return descriptor;
  int error = errno;
  unlink(path);
  errno = error;
  return closed(descriptor);
}

int csocket_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

// Limits the time for connecting: with a full backlog it would wait, and for ever if the listening program is stopped.
static bool limit(int descriptor, int milliseconds) {
  struct timeval time = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
  return setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time) == 0;
}

int csocket_connect(const char *path, int milliseconds) {
  struct sockaddr_un address;
  if (!name(path, &address)) return -1;
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  if (!limit(descriptor, milliseconds)) return closed(descriptor);
  int result;
  do {
    result = connect(descriptor, (struct sockaddr *)&address, sizeof address);
  } while (result != 0 && errno == EINTR);
  if (result != 0 && errno == EAGAIN) errno = ETIMEDOUT;
  return result == 0 && limit(descriptor, 0) ? descriptor : closed(descriptor);
}

int csocket_pair(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  if (fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0) return 0;
  closed(ends[0]);
  return closed(ends[1]);
}

bool csocket_peer(int connection, struct csocket_Peer *peer) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return false;
  peer->process = credentials.pid;
  peer->user = credentials.uid;
  return true;
}

ssize_t csocket_receive(int connection, void *bytes, size_t count) { return recv(connection, bytes, count, MSG_DONTWAIT); }

ssize_t csocket_send(int connection, const void *bytes, size_t count) {
  return send(connection, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}
