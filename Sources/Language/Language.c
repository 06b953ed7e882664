// The texts of the documentation, as they stand in this folder: the language in `language.lua`, each topic in a file of its own.

#include "Language.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char language[] = {
#embed "language.lua"
};
static const char model[] = {
#embed "topics/model.md"
};
static const char references[] = {
#embed "topics/references.md"
};
static const char arguments[] = {
#embed "topics/arguments.md"
};
static const char chain[] = {
#embed "topics/chain.md"
};
static const char forwarding[] = {
#embed "topics/forwarding.md"
};
static const char context[] = {
#embed "topics/context.md"
};
static const char validation[] = {
#embed "topics/validation.md"
};
static const char menus[] = {
#embed "topics/menus.md"
};
static const char keys[] = {
#embed "topics/keys.md"
};
static const char focus[] = {
#embed "topics/focus.md"
};
static const char modal[] = {
#embed "topics/modal.md"
};
static const char undo[] = {
#embed "topics/undo.md"
};
static const char time[] = {
#embed "topics/time.md"
};
static const char observers[] = {
#embed "topics/observers.md"
};
static const char errors[] = {
#embed "topics/errors.md"
};
static const char tests[] = {
#embed "topics/tests.md"
};
static const char repl[] = {
#embed "topics/repl.md"
};
static const char live[] = {
#embed "topics/live.md"
};
static const char recording[] = {
#embed "topics/recording.md"
};
static const char reload[] = {
#embed "topics/reload.md"
};
static const char plugins[] = {
#embed "topics/plugins.md"
};
static const char capabilities[] = {
#embed "topics/capabilities.md"
};
static const char limits[] = {
#embed "topics/limits.md"
};
static const char lua[] = {
#embed "topics/lua.md"
};
static const char json[] = {
#embed "topics/json.md"
};
static const char exit_status[] = {
#embed "topics/exit-status.md"
};
static const char colour[] = {
#embed "topics/colour.md"
};

const language_Text language_reference = {language, sizeof language};

// In the order in which they are best read.
static const language_Text topics[] = {
    {model, sizeof model}, {references, sizeof references}, {arguments, sizeof arguments}, {chain, sizeof chain},
    {forwarding, sizeof forwarding}, {context, sizeof context}, {validation, sizeof validation},
    {menus, sizeof menus}, {keys, sizeof keys}, {focus, sizeof focus}, {modal, sizeof modal}, {undo, sizeof undo},
    {time, sizeof time}, {observers, sizeof observers}, {errors, sizeof errors}, {tests, sizeof tests},
    {repl, sizeof repl}, {live, sizeof live}, {recording, sizeof recording}, {reload, sizeof reload},
    {plugins, sizeof plugins}, {capabilities, sizeof capabilities}, {limits, sizeof limits}, {lua, sizeof lua},
    {json, sizeof json}, {exit_status, sizeof exit_status}, {colour, sizeof colour},
};

const language_Text *language_topics(size_t *count) {
  *count = sizeof topics / sizeof *topics;
  return topics;
}
