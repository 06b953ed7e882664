-- The keys of yazi's file list, after its documentation, with yazi's own names of commands.
-- menuctl ui APP --keymap scripts/keymaps/yazi.lua, for an app with a responder 'mgr' that handles these actions.

local mgr = {
  esc = "escape", q = "quit", ["shift+q"] = "quit(no_cwd_file: true)", ["ctrl+c"] = "close", ["ctrl+z"] = "suspend",

  -- Moving. A count before a key is ctx.count, where the app says counts = true: yazi's users ask for it.
  k = "arrow(by: -1)", j = "arrow(by: 1)", up = "arrow(by: -1)", down = "arrow(by: 1)",
  ["ctrl+u"] = "arrow(by: \"-50%\")", ["ctrl+d"] = "arrow(by: \"50%\")",
  ["ctrl+b"] = "arrow(by: \"-100%\")", ["ctrl+f"] = "arrow(by: \"100%\")",
  ["g g"] = "arrow(to: top)", ["shift+g"] = "arrow(to: bot)",
  h = "leave", l = "enter", left = "leave", right = "enter", ["shift+h"] = "back", ["shift+l"] = "forward",
  ["shift+k"] = "seek(by: -5)", ["shift+j"] = "seek(by: 5)",

  -- Selecting. yazi's run = ["toggle", "arrow 1"] does one after the other.
  space = { all = { "toggle", "arrow(by: 1)" }, title = "Toggle the current selection state" },
  ["ctrl+a"] = "toggle_all(state: \"on\")", ["ctrl+r"] = "toggle_all",
  v = "visual_mode", ["shift+v"] = "visual_mode(unset: true)",

  -- Files.
  o = "open", ["shift+o"] = "open(interactive: true)", enter = "open", ["shift+enter"] = "open(interactive: true)",
  y = "yank", x = "yank(cut: true)", p = "paste", ["shift+p"] = "paste(force: true)",
  ["shift+y"] = "unyank", ["shift+x"] = "unyank",
  d = "remove", ["shift+d"] = "remove(permanently: true)", a = "create", r = "rename(cursor: before_ext)",
  [";"] = "shell(interactive: true)", [":"] = "shell(block: true, interactive: true)", ["."] = "hidden(toggle: true)",

  -- Finding.
  s = "search(via: fd)", ["shift+s"] = "search(via: rg)", ["ctrl+s"] = "escape(search: true)",
  z = "plugin(name: fzf)", ["shift+z"] = "plugin(name: zoxide)",
  f = "filter(smart: true)", ["/"] = "find(smart: true)", ["?"] = "find(previous: true, smart: true)",
  n = "find_arrow", ["shift+n"] = "find_arrow(previous: true)",

  -- Places.
  ["g h"] = { "cd(to: \"~\")", title = "Go home" }, ["g c"] = { "cd(to: \"~/.config\")", title = "Go ~/.config" },
  ["g d"] = { "cd(to: \"~/Downloads\")", title = "Go ~/Downloads" }, ["g space"] = "cd(interactive: true)",

  -- Tabs and the rest.
  t = "tab_create(current: true)", ["["] = "tab_switch(by: -1)", ["]"] = "tab_switch(by: 1)",
  ["{"] = "tab_swap(by: -1)", ["}"] = "tab_swap(by: 1)", w = "tasks_show", ["~"] = "help", f1 = "help",
}

for number = 1, 9 do mgr[number .. ""] = "tab_switch(to: " .. number - 1 .. ")" end

-- Sequences: what is copied, what stands beside the names, how they are sorted; with shift, in reverse.
mgr["c c"], mgr["c d"] = "copy(what: path)", "copy(what: dirname)"
mgr["c f"], mgr["c n"] = "copy(what: filename)", "copy(what: name_without_ext)"
mgr["m s"], mgr["m p"], mgr["m b"] = "linemode(of: size)", "linemode(of: permissions)", "linemode(of: btime)"
mgr["m m"], mgr["m o"], mgr["m n"] = "linemode(of: mtime)", "linemode(of: owner)", "linemode(of: none)"
local function sort(key, by)
  mgr[", " .. key] = "sort(by: " .. by .. ", reverse: false)"
  mgr[", shift+" .. key] = "sort(by: " .. by .. ", reverse: true)"
end
sort("m", "mtime")
sort("b", "btime")
sort("e", "extension")
sort("a", "alphabetical")
sort("n", "natural")
sort("s", "size")
mgr[", r"] = "sort(by: random)"

return { mgr = mgr }
