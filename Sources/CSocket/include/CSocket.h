// What sockets of one machine need that Swift's module of the C library leaves out. No function here keeps anything or calls back.
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

/// How many bytes the path of a socket can have.
size_t csocket_longestPath(void);

/// Makes a socket at a path, for its user alone, that others can connect to. Nothing may stand there. Its descriptor, which doesn't block
/// and goes to no program that is started; -1 and errno where that fails.
int csocket_listen(const char *path, int backlog);

/// Takes a connection. Its descriptor, which doesn't block and goes to no program that is started; -1 and errno where there is none.
int csocket_accept(int listener);

/// Connects to a socket at a path. Its descriptor, which blocks; -1 and errno where nobody listens, ETIMEDOUT where somebody does and takes
/// nobody in for so long.
int csocket_connect(const char *path, int milliseconds);

/// Makes two sockets that are connected to each other and go to no program that is started; the first doesn't block. -1 and errno where that
/// fails.
int csocket_pair(int ends[2]);

/// Finds out who connected, as the system knows it; false where it doesn't say.
bool csocket_peer(int connection, struct csocket_Peer *peer);

/// Takes bytes that have come, and waits for none. How many; 0 where no more will come, -1 and errno where none were there.
ssize_t csocket_receive(int connection, void *bytes, size_t count);

/// Sends bytes without a signal where nobody reads any more. How many were taken; -1 and errno where none were.
ssize_t csocket_send(int connection, const void *bytes, size_t count);

#endif
