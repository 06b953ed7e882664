// The texts of the documentation, which are part of the tool.

#ifndef LANGUAGE_H
#define LANGUAGE_H

#include <stddef.h>

typedef struct {
  const char *bytes;  // UTF-8, without a null at the end
  size_t count;
} language_Text;

/// The reference of the script language: `language.lua`.
extern const language_Text language_reference;

/// The topics, each a page of Markdown, and how many there are.
const language_Text *language_topics(size_t *count);

#endif
