// The texts of the documentation in this folder: the language in `language.lua`, and each topic in its file.

#include "Language.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// The topics, in the order in which a newcomer reads them.
static const char texts[] = {
#embed "language.lua"
#embed "topics/model.md" prefix(, 0,)
#embed "topics/references.md" prefix(, 0,)
#embed "topics/arguments.md" prefix(, 0,)
#embed "topics/chain.md" prefix(, 0,)
#embed "topics/forwarding.md" prefix(, 0,)
#embed "topics/context.md" prefix(, 0,)
#embed "topics/validation.md" prefix(, 0,)
#embed "topics/menus.md" prefix(, 0,)
#embed "topics/keys.md" prefix(, 0,)
#embed "topics/focus.md" prefix(, 0,)
#embed "topics/modal.md" prefix(, 0,)
#embed "topics/undo.md" prefix(, 0,)
#embed "topics/time.md" prefix(, 0,)
#embed "topics/observers.md" prefix(, 0,)
#embed "topics/errors.md" prefix(, 0,)
#embed "topics/tests.md" prefix(, 0,)
#embed "topics/repl.md" prefix(, 0,)
#embed "topics/live.md" prefix(, 0,)
#embed "topics/assistants.md" prefix(, 0,)
#embed "topics/recording.md" prefix(, 0,)
#embed "topics/reload.md" prefix(, 0,)
#embed "topics/plugins.md" prefix(, 0,)
#embed "topics/capabilities.md" prefix(, 0,)
#embed "topics/limits.md" prefix(, 0,)
#embed "topics/lua.md" prefix(, 0,)
#embed "topics/json.md" prefix(, 0,)
#embed "topics/exit-status.md" prefix(, 0,)
#embed "topics/colour.md" prefix(, 0,)
};

const char *language_texts(size_t *count) {
  *count = sizeof texts;
  return texts;
}
