// The texts of the documentation, which are part of the tool.

#ifndef LANGUAGE_H
#define LANGUAGE_H

#include <stddef.h>

/// Returns the texts in UTF-8, with a null between them, and their size in bytes. The texts are the reference of the
/// script language, `language.lua`, and the topics, each a page of Markdown.
const char *language_texts(size_t *count);

#endif
