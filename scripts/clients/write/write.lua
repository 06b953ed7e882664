-- The menus of write.py, which does their actions: this file says where they stand, and what is asked before leaving.

app.title, app.name = "Write", "write"
app.allow_warnings = { "unanswered-action" }  -- write.py answers

menubar {
  menu "File" {
    item "Save" { "save", key = "ctrl+s" },
    item "Save As…" { "save_as" },
    separator,
    item "Quit" { "quit", key = "ctrl+q" },
  },
  menu "Edit" {
    item "Undo" { "undo", key = "ctrl+z" },
    item "Redo" { "redo", key = "ctrl+y" },
  },
  menu "Find" {
    item "Find…" { "find", key = "ctrl+f" },
    separator,
    item "Commands…" { "commands", key = "ctrl+p" },
  },
}

function app.on:commands() open_palette() end

-- The text's window tells whether it has changed. Passing leaves the action to the host, which ends the window.
function app.on:quit() return pass end
function app.confirm:quit(ctx) if ctx.changed then return "The text has changed. Quit without saving?" end end
