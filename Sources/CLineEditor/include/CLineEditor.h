#ifndef CLINEEDITOR_H
#define CLINEEDITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads lines from a terminal with libedit, whose variadic functions Swift can't call. Compiled only with the package's trait
// LineEditing.

typedef struct CLineEditor CLineEditor;

/// What a read came to.
typedef enum {
  CLINE_READ = 0,         // a line is there
  CLINE_INTERRUPTED = 1,  // Ctrl-C: what was written so far is dropped
  CLINE_END = 2,          // Ctrl-D on an empty line, or the terminal is gone
} CLine_Result;

/// Asked when Tab is pressed, with the line and how many bytes stand before the cursor. It may call cline_insert and cline_show.
typedef void (*CLine_Complete)(void *context, const char *line, size_t length, size_t cursor);

/// Opens an editor on the terminal of stdin and stdout, which it changes only during reads. The signal SIGWINCH must be blocked in all
/// threads. NULL if there is no terminal or no memory.
CLineEditor *cline_open(const char *program, int32_t entries, CLine_Complete complete, void *context);
void cline_close(CLineEditor *editor);

/// Lets a person write a line. It is valid until the next read; it has no newline at its end, but may have some inside.
CLine_Result cline_read(CLineEditor *editor, const char *prompt, const char **line, size_t *length);

/// Adds an entry at the end of the history, which the arrow keys bring back.
void cline_remember(CLineEditor *editor, const char *entry);

/// Ends the read under way as Ctrl-C does. May be called from another thread or a signal handler.
void cline_interrupt(CLineEditor *editor);

/// Restores the terminal's state from before cline_open, even during a read. May be called from another thread.
void cline_restore(CLineEditor *editor);

/// Inserts text at the cursor. For CLine_Complete only.
void cline_insert(CLineEditor *editor, const char *text);
/// Shows lines below the edited one. For CLine_Complete only.
void cline_show(CLineEditor *editor, const char *text);

#endif
