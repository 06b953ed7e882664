// Calls for local sockets that Swift's libc module lacks. No function here keeps anything or calls back.
#ifndef CSOCKET_H
#define CSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// Who is at the other end of a connection.
struct csocket_Peer {
  pid_t process;
  uid_t user;
};

/// The most bytes that the path of a socket can have.
size_t csocket_longestPath(void);

/// Makes a listening socket at a path, where no file may exist; only the same user can connect. Returns its descriptor, which doesn't block
/// and isn't inherited by child processes; -1 and errno on failure.
int csocket_listen(const char *path, int backlog);

/// Accepts a connection. Returns its descriptor, which doesn't block and isn't inherited by child processes; -1 and errno if there is none.
int csocket_accept(int listener);

/// Connects to a socket at a path. Returns its descriptor, which blocks; -1 and errno if nobody listens, ETIMEDOUT if the listener accepts
/// no connection within that time.
int csocket_connect(const char *path, int milliseconds);

/// Makes two sockets that are connected to each other and aren't inherited by child processes; the first doesn't block. -1 and errno on
/// failure.
int csocket_pair(int ends[2]);

/// Asks the system who is at the other end of a connection; false if it doesn't say.
bool csocket_peer(int connection, struct csocket_Peer *peer);

/// Receives bytes that have arrived, without waiting. Returns how many; 0 if no more will come, -1 and errno if none were there.
ssize_t csocket_receive(int connection, void *bytes, size_t count);

/// Sends bytes without waiting, and without SIGPIPE if nobody reads any more. Returns how many were sent; -1 and errno if none were.
ssize_t csocket_send(int connection, const void *bytes, size_t count);

#endif
