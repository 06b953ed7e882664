-- Keys of Helix's normal mode, its minor modes and its insert mode, after its documentation.
-- menuctl ui APP --keymap scripts/keymaps/helix.lua, for an app whose responder 'editor' says counts = true,
-- and supplies ctx.mode: "normal", "select" or "insert".

local function isInsert(ctx) return ctx.mode == "insert" end
local function isNormal(ctx) return ctx.mode ~= "insert" end

local editor = { text = { "insert_char", when = isInsert } }
local function normal(keys, command) editor[keys] = { command, when = isNormal } end
local function insert(keys, command) editor[keys] = { command, when = isInsert } end

normal("h", "move_char_left") normal("j", "move_visual_line_down") normal("k", "move_visual_line_up")
normal("l", "move_char_right") normal("w", "move_next_word_start") normal("b", "move_prev_word_start")
normal("e", "move_next_word_end") normal("shift+w", "move_next_long_word_start")
normal("shift+b", "move_prev_long_word_start") normal("shift+e", "move_next_long_word_end")
normal("shift+g", "goto_line") normal("~", "switch_case") normal("`", "switch_to_lowercase")
normal("alt+`", "switch_to_uppercase") normal("i", "insert_mode") normal("shift+i", "insert_at_line_start")
normal("a", "append_mode") normal("shift+a", "insert_at_line_end") normal("o", "open_below")
normal("shift+o", "open_above") normal("u", "undo") normal("shift+u", "redo") normal("y", "yank")
normal("p", "paste_after") normal("shift+p", "paste_before") normal(">", "indent") normal("<", "unindent")
normal("=", "format_selections") normal("d", "delete_selection") normal("c", "change_selection")
normal("ctrl+a", "increment") normal("s", "select_regex") normal("shift+s", "split_selection")
normal("alt+s", "split_selection_on_newline") normal(";", "collapse_selection") normal("alt+;", "flip_selections")
normal(",", "keep_primary_selection") normal("shift+c", "copy_selection_on_next_line")
normal("(", "rotate_selections_backward") normal(")", "rotate_selections_forward") normal("%", "select_all")
normal("x", "extend_line_below") normal("shift+x", "extend_to_line_bounds") normal("shift+j", "join_selections")
normal("ctrl+c", "toggle_comments") normal("/", "search") normal("?", "rsearch") normal("n", "search_next")
normal("shift+n", "search_prev") normal("*", "search_selection") normal("v", "select_mode")
normal(":", "command_mode") normal("ctrl+b", "page_up") normal("ctrl+f", "page_down")
normal("ctrl+d", "page_cursor_half_down") normal("ctrl+i", "jump_forward") normal("ctrl+o", "jump_backward")

-- The minor modes: goto, match, view, window, space.
normal("g g", "goto_file_start") normal("g e", "goto_last_line") normal("g h", "goto_line_start")
normal("g l", "goto_line_end") normal("g s", "goto_first_nonwhitespace") normal("g t", "goto_window_top")
normal("g c", "goto_window_center") normal("g b", "goto_window_bottom") normal("g d", "goto_definition")
normal("g y", "goto_type_definition") normal("g r", "goto_reference") normal("g i", "goto_implementation")
normal("g a", "goto_last_accessed_file") normal("g n", "goto_next_buffer") normal("g p", "goto_previous_buffer")
normal("g .", "goto_last_modification") normal("m m", "match_brackets") normal("z z", "align_view_center")
normal("z t", "align_view_top") normal("z b", "align_view_bottom") normal("] d", "goto_next_diag")
normal("[ d", "goto_prev_diag") normal("] f", "goto_next_function") normal("[ f", "goto_prev_function")
normal("ctrl+w v", "vsplit") normal("ctrl+w s", "hsplit") normal("ctrl+w w", "rotate_view")
normal("ctrl+w q", "wclose") normal("ctrl+w h", "jump_view_left") normal("ctrl+w j", "jump_view_down")
normal("ctrl+w k", "jump_view_up") normal("ctrl+w l", "jump_view_right") normal("space f", "file_picker")
normal("space b", "buffer_picker") normal("space j", "jumplist_picker") normal("space s", "symbol_picker")
normal("space d", "diagnostics_picker") normal("space a", "code_action") normal("space r", "rename_symbol")
normal("space k", "hover") normal("space y", "yank_to_clipboard") normal("space p", "paste_clipboard_after")
normal("space /", "global_search") normal("space ?", "command_palette")

-- A window command begins with ctrl+w, which erases a word in insert mode.
insert("esc", "normal_mode") insert("backspace", "delete_char_backward") insert("delete", "delete_char_forward")
insert("enter", "insert_newline") insert("tab", "smart_tab") insert("ctrl+w", "delete_word_backward")
insert("ctrl+k", "kill_to_line_end")

-- A stroke has one binding. Of a list, the host performs the first action that is possible in the present mode.
editor["ctrl+u"] = { "kill_to_line_start", "page_cursor_half_up" }
editor["ctrl+s"] = { "commit_undo_checkpoint", "save_selection" }
editor["ctrl+x"] = { "completion", "decrement" }

return { editor = editor }
