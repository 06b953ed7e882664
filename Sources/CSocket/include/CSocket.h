// Calls for local sockets that Swift's libc module lacks. No function here keeps state or calls back.
#ifndef CSOCKET_H
#define CSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// The process at the other end of a connection.
struct csocket_Peer {
  pid_t process;
  uid_t user;
};

/// Returns the most bytes of a socket's path.
size_t csocket_longestPath(void);

/// Makes a listening socket at a path, where no file may exist, for the same user only. Returns a descriptor that
/// doesn't block and isn't inherited by child processes; -1 and errno on failure.
int csocket_listen(const char *path, int backlog);

/// Accepts a connection. Returns a descriptor that doesn't block and isn't inherited; -1 and errno if there is none.
int csocket_accept(int listener);

/// Connects to a socket at a path. Returns a blocking descriptor; -1 and errno if no process listens there, ETIMEDOUT
/// if the listener accepts no connection within that time.
int csocket_connect(const char *path, int milliseconds);

/// Makes two connected sockets that aren't inherited by child processes; the first doesn't block. Returns -1 and errno
/// on failure.
int csocket_pair(int ends[2]);

/// Fills in the process at the other end of a connection; false if the system doesn't know it.
bool csocket_peer(int connection, struct csocket_Peer *peer);

/// Receives the bytes that have arrived, without waiting. Returns their number; 0 at the end, -1 and errno for none.
ssize_t csocket_receive(int connection, void *bytes, size_t count);

/// Sends bytes without waiting, and without SIGPIPE for a closed end. Returns their number; -1 and errno for none.
ssize_t csocket_send(int connection, const void *bytes, size_t count);

#endif
