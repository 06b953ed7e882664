#ifndef CLINEEDITOR_H
#define CLINEEDITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Lines of a terminal, edited with libedit, whose functions take arguments of any number, which Swift can't call. There only
// with the package's trait LineEditing.

typedef struct CLineEditor CLineEditor;

/// What a read came to.
typedef enum {
  CLINE_READ = 0,         // a line is there
  CLINE_INTERRUPTED = 1,  // Ctrl-C: what was written so far is dropped
  CLINE_END = 2,          // Ctrl-D on an empty line, or the terminal is gone
} CLine_Result;

/// Asked when Tab is pressed, with the line and how many bytes stand before the cursor. It may call cline_insert and cline_show.
typedef void (*CLine_Complete)(void *context, const char *line, size_t length, size_t cursor);

/// Takes over the terminal of stdin and stdout, between reads leaves it as it is. The signal SIGWINCH must be blocked in all threads.
/// NULL if there is none, or no memory.
CLineEditor *cline_open(const char *program, int32_t entries, CLine_Complete complete, void *context);
void cline_close(CLineEditor *editor);

/// Lets a person write a line; it is good until the next read, and ends without a newline, but may have some inside.
CLine_Result cline_read(CLineEditor *editor, const char *prompt, const char **line, size_t *length);

/// Puts an entry behind the others that the arrow keys bring back.
void cline_remember(CLineEditor *editor, const char *entry);

/// Ends the read that is under way as Ctrl-C does. From another thread, or a signal handler.
void cline_interrupt(CLineEditor *editor);

/// Gives the terminal back as it was before, be a read under way or not. From another thread.
void cline_restore(CLineEditor *editor);

/// While completing: writes text where the cursor is.
void cline_insert(CLineEditor *editor, const char *text);
/// While completing: shows lines below the one that is edited.
void cline_show(CLineEditor *editor, const char *text);

#endif
