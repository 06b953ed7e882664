-- Keys of lazygit, after its documentation: those that count everywhere, and those of three of its panels.
-- menuctl ui APP --keymap scripts/keymaps/lazygit.lua, for an app with responders 'files', 'branches', 'commits'.

return {
  app = {
    q = "quit", ["ctrl+c"] = "quit", ["?"] = "options_menu", [":"] = "execute_command", ["ctrl+r"] = "recent_repos",
    ["shift+p"] = "push", p = "pull", ["shift+r"] = "refresh", z = "undo", ["ctrl+z"] = "redo",
    ["+"] = "next_screen_mode", ["_"] = "previous_screen_mode", ["["] = "previous_tab", ["]"] = "next_tab",
    ["/"] = "start_search", esc = "return", tab = "toggle_panel",
    ["1"] = "jump(to: status)", ["2"] = "jump(to: files)", ["3"] = "jump(to: branches)", ["4"] = "jump(to: commits)",
    ["5"] = "jump(to: stash)",
    j = "next_item", k = "previous_item", down = "next_item", up = "previous_item", h = "previous_block",
    l = "next_block", left = "previous_block", right = "next_block",
    [","] = "previous_page", ["."] = "next_page", ["<"] = "goto_top", [">"] = "goto_bottom",
    ["shift+h"] = "scroll_left", ["shift+l"] = "scroll_right",
  },
  files = {
    space = { "stage", title = "Stage" }, a = { "stage_all", title = "Stage all" }, enter = "enter_file",
    c = { "commit", title = "Commit" }, w = "commit_without_hook", ["shift+a"] = "amend_last_commit",
    ["shift+c"] = "commit_with_editor", e = "edit", o = "open_file", i = "ignore_file", r = "refresh_files",
    s = "stash_all", ["shift+s"] = "stash_options", d = { "discard", title = "Discard" },
    ["shift+d"] = "reset_options", g = "upstream_reset_options", f = "fetch", ["`"] = "toggle_tree_view",
    ["shift+m"] = "merge_tool", ["ctrl+o"] = "copy_path",
  },
  branches = {
    space = "checkout", n = "new_branch", c = "checkout_by_name", ["shift+f"] = "force_checkout", d = "delete_branch",
    r = "rebase", ["shift+m"] = "merge", f = "fast_forward", ["shift+t"] = "create_tag", g = "reset_options",
    ["shift+r"] = "rename_branch", u = "upstream_options", o = "create_pull_request", enter = "view_commits",
  },
  commits = {
    s = "squash", f = "fixup", r = "reword", ["shift+r"] = "reword_with_editor", d = "drop", e = "edit_commit",
    p = "pick", ["shift+f"] = "create_fixup_commit", ["shift+s"] = "apply_fixup_commits",
    ["ctrl+j"] = "move_down", ["ctrl+k"] = "move_up", ["shift+a"] = "amend_commit", t = "revert",
    ["shift+t"] = "create_tag", ["shift+c"] = "copy_commit", ["shift+v"] = "paste_commits", b = "bisect_options",
    space = "checkout_commit", g = "reset_options", enter = "view_files",
  },
}
