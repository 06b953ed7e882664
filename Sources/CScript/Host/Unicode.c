// Whether bytes are valid UTF-8.

#include "Script.h"

/// How many continuation bytes follow a first byte; -1 if no character of more than one byte begins with it.
static int continuation(unsigned char first) {
  if (first >= 0xC2 && first < 0xE0) return 1;
  if (first >= 0xE0 && first < 0xF0) return 2;
  return first >= 0xF0 && first < 0xF5 ? 3 : -1;
}

bool clua_isUnicode(const char *bytes, size_t count) {
  if (clua_isOrdinary(bytes, count)) return true;
  const unsigned char *at = (const unsigned char *)bytes, *end = at + count;
  while (at < end) {
    unsigned char first = *at++;
    if (__builtin_expect(first < 0x80, 1)) continue;
    int more = continuation(first);
    if (more < 0 || end - at < more) return false;
    if ((first == 0xE0 ? at[0] < 0xA0 : first == 0xED ? at[0] > 0x9F : first == 0xF0 ? at[0] < 0x90
                                                  : first == 0xF4 && at[0] > 0x8F)) return false;
    for (; more > 0; more--)
      if ((*at++ & 0xC0) != 0x80) return false;
  }
  return true;
}
