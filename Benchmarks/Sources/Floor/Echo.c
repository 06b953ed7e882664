#include "Floor.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// What a live app can't do without: bytes of a request over a socket, a poll, and those of the answer back.

enum { MOST = 1 << 20 };

struct floor_Echo {
  int *clients, *servers;
  int32_t count;
  size_t asked, answered;
  char *bytes;
};

floor_Echo *floor_echo(int32_t clients, size_t asked, size_t answered) {
  floor_Echo *e = calloc(1, sizeof *e);
  e->clients = calloc((size_t)clients, sizeof(int));
  e->servers = calloc((size_t)clients, sizeof(int));
  e->bytes = malloc(MOST);
  memset(e->bytes, 'x', MOST);
  e->count = clients;
  e->asked = asked;
  e->answered = answered;
  for (int32_t i = 0; i < clients; i++) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
    e->clients[i] = ends[0];
    e->servers[i] = ends[1];
  }
  return e;
}

static void readAll(int from, char *bytes, size_t count) {
  for (size_t got = 0; got < count;) {
    ssize_t n = recv(from, bytes + got, MOST - got, 0);
    if (n <= 0) abort();
    got += (size_t)n;
  }
}

static void writeAll(int to, const char *bytes, size_t count) {
  if (send(to, bytes, count, MSG_NOSIGNAL) != (ssize_t)count) abort();
}

void floor_ask(floor_Echo *e) {
  writeAll(e->clients[0], e->bytes, e->asked);
  struct pollfd polled = {.fd = e->servers[0], .events = POLLIN};
  if (poll(&polled, 1, -1) != 1) abort();
  readAll(e->servers[0], e->bytes, e->asked);
  writeAll(e->servers[0], e->bytes, e->answered);
  readAll(e->clients[0], e->bytes, e->answered);
}

void floor_tell(floor_Echo *e) {
  for (int32_t i = 0; i < e->count; i++) writeAll(e->servers[i], e->bytes, e->answered);
  for (int32_t i = 0; i < e->count; i++) readAll(e->clients[i], e->bytes, e->answered);
}

void floor_closeEcho(floor_Echo *e) {
  for (int32_t i = 0; i < e->count; i++) {
    close(e->clients[i]);
    close(e->servers[i]);
  }
  free(e->clients);
  free(e->servers);
  free(e->bytes);
  free(e);
}
