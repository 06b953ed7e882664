#ifdef LINE_EDITING
#define _GNU_SOURCE

#include "CLineEditor.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#define REPLACEMENT 0xFFFD

enum { CTRL_C = 3, CTRL_V = 22, CTRL_Z = 26, ESC = 27 };

/// What is returned instead of a character. All below 0, because NUL is a character: Ctrl-Space sends it.
enum { INTERRUPTED = -1, NOTHING_YET = -2, AT_END = -3 };

struct CLineEditor {
  EditLine *el;
  History *history;
  FILE *silence;  // takes libedit's messages about unknown terminals, which help nobody
  CLine_Complete complete;
  void *context;
  const char *prompt;
  struct termios before;
  int interrupts;  // an eventfd
  int resizes;     // a signalfd
  bool isDumb;
  bool isInterrupted;
  bool isPasting;
  bool isQuoted;  // the next character of a paste is handed over as it is
  bool hasShown, hasInserted;
  size_t start, end;  // what is read and not yet handed over
  unsigned char bytes[4096];
};

static CLineEditor *editorOf(EditLine *el) {
  void *editor = NULL;
  el_get(el, EL_CLIENTDATA, &editor);
  return editor;
}

static const char *promptOf(EditLine *el) { return editorOf(el)->prompt; }

static void say(const char *text) {
  size_t length = strlen(text);
  while (length > 0) {
    ssize_t count = write(STDOUT_FILENO, text, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text += count;
    length -= (size_t)count;
  }
}

// MARK: Characters

/// Redraws the edited line after the terminal's size changed.
static void resized(CLineEditor *editor) {
  struct signalfd_siginfo info;
  while (read(editor->resizes, &info, sizeof info) == (ssize_t)sizeof info) {}
  el_resize(editor->el);
  say("\r\033[J");
  el_set(editor->el, EL_REFRESH);
}

/// Waits for input or an interrupt, at most so many milliseconds (-1: for ever); false if nothing came.
static bool await(CLineEditor *editor, int milliseconds) {
  struct pollfd polled[] = {
      {.fd = editor->interrupts, .events = POLLIN},
      {.fd = editor->resizes, .events = POLLIN},
      {.fd = STDIN_FILENO, .events = POLLIN},
  };
  for (;;) {
    int count = poll(polled, 3, milliseconds);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    if (polled[0].revents) {
      uint64_t times;
      (void)!read(editor->interrupts, &times, sizeof times);
      editor->isInterrupted = true;
      return true;
    }
    if (polled[1].revents) {
      resized(editor);
      continue;
    }
    return true;
  }
}

/// Reads more bytes into the buffer. Returns how many; 0 at the end of input or on an error; -1 if the buffer is full,
/// nothing came in time or the read was interrupted.
static ssize_t readMore(CLineEditor *editor, int milliseconds) {
  if (editor->start > 0) {
    memmove(editor->bytes, editor->bytes + editor->start, editor->end - editor->start);
    editor->end -= editor->start;
    editor->start = 0;
  }
  if (editor->end == sizeof editor->bytes) return -1;
  if (!await(editor, milliseconds) || editor->isInterrupted) return -1;
  ssize_t count;
  do count = read(STDIN_FILENO, editor->bytes + editor->end, sizeof editor->bytes - editor->end);
  while (count < 0 && errno == EINTR);
  if (count < 0) return 0;
  editor->end += (size_t)count;
  return count;
}

/// Takes a mark that terminals send before or after pasted text; false if the input is something else.
static bool take(CLineEditor *editor, const char *mark) {
  size_t length = strlen(mark);
  for (size_t index = 0; index < length; index++) {
    // The bytes of one key come together.
    if (editor->start + index >= editor->end && readMore(editor, 20) <= 0) return false;
    if (editor->bytes[editor->start + index] != (unsigned char)mark[index]) return false;
  }
  editor->start += length;
  return true;
}

/// Takes the next character, decoded from UTF-8; or returns AT_END or INTERRUPTED.
static int32_t nextScalar(CLineEditor *editor) {
  while (editor->start == editor->end) {
    if (editor->isInterrupted) return INTERRUPTED;
    ssize_t count = readMore(editor, -1);
    if (editor->isInterrupted) return INTERRUPTED;
    if (count == 0) return AT_END;
  }
  unsigned char first = editor->bytes[editor->start];
  size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  while (editor->end - editor->start < length) {
    if (readMore(editor, 20) <= 0) break;
  }
  if (editor->isInterrupted) return INTERRUPTED;
  const unsigned char *bytes = editor->bytes + editor->start;
  if (length == 1) {
    editor->start += 1;
    return bytes[0];
  }
  int32_t scalar = first & (0x7F >> length);
  size_t taken = 1;
  while (taken < length && editor->start + taken < editor->end && (bytes[taken] & 0xC0) == 0x80) {
    scalar = scalar << 6 | (bytes[taken] & 0x3F);
    taken += 1;
  }
  editor->start += taken;
  static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool isWhole = first >= 0xC2 && first < 0xF5 && taken == length && scalar >= least[length];
  bool isScalar = scalar <= 0x10FFFF && !(scalar >= 0xD800 && scalar < 0xE000);
  return isWhole && isScalar ? scalar : REPLACEMENT;
}

/// Takes the next character of pasted text, in which Tab doesn't complete and nothing acts as a key.
static int32_t nextPasted(CLineEditor *editor) {
  for (;;) {
    if (editor->start < editor->end && editor->bytes[editor->start] == ESC && take(editor, "\033[201~")) {
      editor->isPasting = false;
      return NOTHING_YET;
    }
    int32_t scalar = nextScalar(editor);
    if (scalar == '\t') {
      editor->isQuoted = true;
      return CTRL_V;
    }
    if (scalar == '\r') return '\n';
    if (scalar < 0 || scalar == '\n' || (scalar >= 0x20 && scalar != 0x7F)) return scalar;
  }
}

/// Ends an interrupted line as if Enter were pressed, which works even in libedit's searches; cline_read drops it.
static int interrupted(CLineEditor *editor, wchar_t *character) {
  if (!editor->isInterrupted) say("^C");
  editor->isInterrupted = true;
  editor->isPasting = editor->isQuoted = false;
  *character = '\n';
  return 1;
}

static int getCharacter(EditLine *el, wchar_t *character) {
  CLineEditor *editor = editorOf(el);
  if (editor->isInterrupted) return interrupted(editor, character);
  int32_t scalar = NOTHING_YET;
  if (editor->isQuoted) {
    editor->isQuoted = false;
    scalar = '\t';
  }
  // A line has no room for a NUL: it is dropped.
  while (scalar == NOTHING_YET || scalar == 0) {
    if (editor->isPasting) {
      scalar = nextPasted(editor);
    } else if (editor->start < editor->end && editor->bytes[editor->start] == ESC && take(editor, "\033[200~")) {
      editor->isPasting = true;
    } else {
      bool isFirst = editor->start == editor->end;
      if (isFirst && readMore(editor, -1) == 0) scalar = AT_END;
      else if (isFirst && !editor->isInterrupted) continue;
      else scalar = nextScalar(editor);
    }
  }
  if (scalar == AT_END) return 0;
  if (scalar == INTERRUPTED) {
    editor->isInterrupted = false;
    return interrupted(editor, character);
  }
  if (scalar == CTRL_C && !editor->isPasting) {
    // Drops what was typed ahead too.
    editor->start = editor->end = 0;
    return interrupted(editor, character);
  }
  *character = scalar;
  return 1;
}

// MARK: Commands

static unsigned char complete(EditLine *el, int character) {
  (void)character;
  CLineEditor *editor = editorOf(el);
  editor->hasShown = editor->hasInserted = false;
  const LineInfo *info = el_line(el);
  size_t length = (size_t)(info->lastchar - info->buffer);
  char *line = malloc(length + 1);
  if (!line) return CC_ERROR;
  memcpy(line, info->buffer, length);
  line[length] = 0;
  editor->complete(editor->context, line, length, (size_t)(info->cursor - info->buffer));
  free(line);
  if (editor->hasShown) return CC_REDISPLAY;
  return editor->hasInserted ? CC_REFRESH : CC_ERROR;
}

void cline_insert(CLineEditor *editor, const char *text) {
  if (*text && el_insertstr(editor->el, text) == 0) editor->hasInserted = true;
}

void cline_show(CLineEditor *editor, const char *text) {
  say("\n");
  say(text);
  say("\n");
  editor->hasShown = true;
}

/// Suspends the program on Ctrl-Z. The terminal doesn't, because its signal keys are off (`-isig`) for Ctrl-C's sake.
static unsigned char suspend(EditLine *el, int character) {
  (void)character;
  el_set(el, EL_PREP_TERM, 0);
  say("\n");
  kill(getpid(), SIGTSTP);
  el_set(el, EL_PREP_TERM, 1);
  return CC_REDISPLAY;
}

// MARK: Opening

/// Turns the terminal's marking of pasted text on or off.
static void markPastes(CLineEditor *editor, bool isWanted) {
  if (!editor->isDumb) say(isWanted ? "\033[?2004h" : "\033[?2004l");
}

/// Gives libedit the usual escape sequences for a terminal that termcap doesn't list: most terminals know them.
static void guessTerminal(EditLine *el, const char *name) {
  char room[4096];
  if (tgetent(room, name) > 0) return;
  static const char *const abilities[][2] = {
      {"ce", "\033[K"}, {"cd", "\033[J"}, {"up", "\033[A"}, {"nd", "\033[C"}, {"le", "\b"},
      {"cl", "\033[H\033[J"}, {"ho", "\033[H"}, {"LE", "\033[%dD"}, {"RI", "\033[%dC"}, {"UP", "\033[%dA"},
  };
  for (size_t index = 0; index < sizeof abilities / sizeof abilities[0]; index++) {
    el_set(el, EL_SETTC, abilities[index][0], abilities[index][1], NULL);
  }
}

static void bindKeys(EditLine *el) {
  static const char *const keys[][2] = {
      {"\\t", "menuctl-complete"}, {"^Z", "menuctl-suspend"}, {"^R", "em-inc-search-prev"},
      {"\\e[H", "ed-move-to-beg"}, {"\\e[F", "ed-move-to-end"}, {"\\eOH", "ed-move-to-beg"},
      {"\\eOF", "ed-move-to-end"}, {"\\e[1~", "ed-move-to-beg"}, {"\\e[4~", "ed-move-to-end"},
      {"\\e[3~", "ed-delete-next-char"}, {"\\e[1;5D", "ed-prev-word"}, {"\\e[1;5C", "em-next-word"},
  };
  // With el_wset, because el_set copies the names and libedit never frees the copies.
  el_wset(el, EL_ADDFN, L"menuctl-complete", L"complete what stands before the cursor", complete);
  el_wset(el, EL_ADDFN, L"menuctl-suspend", L"suspend the program", suspend);
  for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++) {
    el_set(el, EL_BIND, keys[index][0], keys[index][1], NULL);
  }
}

CLineEditor *cline_open(const char *program, int32_t entries, CLine_Complete complete, void *context) {
  CLineEditor *editor = calloc(1, sizeof *editor);
  if (!editor) return NULL;
  editor->complete = complete;
  editor->context = context;
  editor->prompt = "";
  sigset_t resize;
  sigemptyset(&resize);
  sigaddset(&resize, SIGWINCH);
  editor->interrupts = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  editor->resizes = signalfd(-1, &resize, SFD_CLOEXEC | SFD_NONBLOCK);
  bool isTerminal = tcgetattr(STDIN_FILENO, &editor->before) == 0;
  if (isTerminal && editor->interrupts >= 0 && editor->resizes >= 0) {
    // Text is UTF-8 here, whatever else the system speaks.
    setlocale(LC_CTYPE, "C.UTF-8");
    editor->silence = fopen("/dev/null", "we");
    editor->el = el_init(program, stdin, stdout, editor->silence ? editor->silence : stderr);
    editor->history = history_init();
  }
  if (!editor->el || !editor->history) {
    cline_close(editor);
    return NULL;
  }
  EditLine *el = editor->el;
  HistEvent event;
  history(editor->history, &event, H_SETSIZE, (int)entries);
  history(editor->history, &event, H_SETUNIQUE, 1);
  el_set(el, EL_CLIENTDATA, editor);
  el_set(el, EL_PROMPT, promptOf);
  el_set(el, EL_EDITOR, "emacs");
  el_set(el, EL_HIST, history, editor->history);
  el_set(el, EL_GETCFN, getCharacter);
  el_set(el, EL_SETTY, "-d", "-isig", NULL);
  bindKeys(el);
  const char *name = getenv("TERM");
  editor->isDumb = !name || !*name || strcmp(name, "dumb") == 0;
  if (!editor->isDumb) guessTerminal(el, name);
  return editor;
}

void cline_close(CLineEditor *editor) {
  if (editor->el) el_end(editor->el);
  if (editor->history) history_end(editor->history);
  if (editor->silence) fclose(editor->silence);
  if (editor->interrupts >= 0) close(editor->interrupts);
  if (editor->resizes >= 0) close(editor->resizes);
  free(editor);
}

// MARK: Reading

CLine_Result cline_read(CLineEditor *editor, const char *prompt, const char **line, size_t *length) {
  editor->prompt = prompt;
  editor->isInterrupted = false;
  uint64_t stale;
  (void)!read(editor->interrupts, &stale, sizeof stale);
  el_resize(editor->el);
  markPastes(editor, true);
  // Set before the prompt appears, so that the system doesn't edit what is typed at once.
  el_set(editor->el, EL_PREP_TERM, 1);
  int count = 0;
  const char *text = el_gets(editor->el, &count);
  markPastes(editor, false);
  if (editor->isInterrupted) return CLINE_INTERRUPTED;
  if (!text || count <= 0) return CLINE_END;
  *line = text;
  *length = text[count - 1] == '\n' ? (size_t)count - 1 : (size_t)count;
  return CLINE_READ;
}

void cline_remember(CLineEditor *editor, const char *entry) {
  HistEvent event;
  history(editor->history, &event, H_ENTER, entry);
}

void cline_interrupt(CLineEditor *editor) {
  uint64_t one = 1;
  (void)!write(editor->interrupts, &one, sizeof one);
}

void cline_restore(CLineEditor *editor) {
  tcsetattr(STDIN_FILENO, TCSANOW, &editor->before);
  markPastes(editor, false);
}

#endif
