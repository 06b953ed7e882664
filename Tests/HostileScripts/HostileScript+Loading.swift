// Names, manifests, loading and modules.

extension HostileScript {
  /// Each as a name that a script chooses.
  private static let badNames =
    "{ '', ' ', '\\0', 'a\\0b', '\\27[31m', '\\xff', '\\xe2\\x80', ('x'):rep(257), ('x'):rep(1 << 19), 'a\\nb', '\\127', '\\xc2\\x80' }"

  static let misnamed: [HostileScript] = [
    HostileScript(
      "names that can't be", .prints("named 0"),
      "function app.on:go() local n = 0 for _, name in ipairs \(badNames) do if name ~= ' ' then for _, f in ipairs { responder, window, class } do if pcall(f, name) then n = n + 1 end end if pcall(function() app.on[name] = function() end end) then n = n + 1 end if pcall(app.define, app, name, { on = function() end }) then n = n + 1 end end end print('named ' .. n) end"
    ),
    HostileScript("a global without a name", .says("'' is not defined"), "print(_ENV[''], 1)", then: []),
    HostileScript(
      "names that look alike", .quiet,
      "function app.on:go() for _, name in ipairs { 'gr\\u{456}d', 'cafe\\u{301}', 'caf\\u{e9}', 'grid\\u{200b}', '\\u{202e}dirg', 'GRID' } do pcall(responder, name) end end"
    ),
    HostileScript(
      "subjects and kinds of context menus that can't be", .quiet, "",
      then: ["for _, name in ipairs \(badNames) do pcall(app.context_menu, app, name, name) end"]),
    HostileScript(
      "ids that can't be", .says("the id of an item can't have control characters"),
      "function app.on:go() for _, name in ipairs \(badNames) do pcall(item 'x', { 'rate', id = name }) pcall(section, name) app:item('x' .. name) app:menu('x' .. name) app:why('x' .. name) pcall(app.pick, app, name) end end"
    ),
    HostileScript(
      "what is found by names that can't be", .quiet,
      "function app.on:go() for _, name in ipairs \(badNames) do pcall(app.find, app, name) pcall(focus, name) pcall(app.perform, app, 'rate', {}, { to = name }) pcall(require, name) pcall(listen, name, print) pcall(log, name, 'x') end end"
    ),
    HostileScript(
      "a great many names that are nearly right", .says("'global0' is not defined; did you mean 'global1'?"),
      "for i = 1, 20000 do _ENV['global' .. i] = i end function app.on:go() return global0 end"),
    HostileScript(
      "long names that are nearly right", .says("xxxxxxxxxx"),
      "local long = ('x'):rep(50000) for i = 1, 300 do _ENV[long .. i] = i end function app.on:go() return _ENV[long] end"
    ),
  ]

  private static func manifest(_ name: String, _ message: String, _ text: String) -> HostileScript {
    HostileScript(name, .says(message), as: .whole, text, then: [])
  }

  private static let reload =
    "for _, e in ipairs(select(2, app:reload_plugin('mallory')) or {}) do print(e.message) end"

  static let loading: [HostileScript] = [
    manifest("a manifest that is no table", "plugin takes a table", "plugin 'mallory'"),
    manifest("a manifest with the name of another", "already", "plugin { name = 'other', version = '1' }"),
    manifest("a manifest with the name of the app", "is reserved", "plugin { name = 'app', version = '1' }"),
    manifest("a manifest with a path for a name", "can't have a '/'", "plugin { name = '../mallory', version = '1' }"),
    manifest(
      "a manifest with a name of a megabyte", "256 bytes at most",
      "plugin { name = '\(String(repeating: "x", count: 100_000))', version = '1' }"),
    manifest("a manifest with control characters", "control characters", "plugin { name = 'a\\27b', version = '1' }"),
    manifest(
      "a manifest with a version that no number holds", "numbers between dots",
      "plugin { name = 'mallory', version = '99999999999999999999999' }"),
    manifest(
      "a manifest that requires itself", "require",
      "plugin { name = 'mallory', version = '1', requires = { mallory = '*' } }"),
    manifest(
      "a manifest that requires what is not there", "no such plugin",
      "plugin { name = 'mallory', version = '1', requires = { nobody = '*' } }"),
    manifest(
      "a manifest that requires a path", "no such plugin",
      "plugin { name = 'mallory', version = '1', requires = { ['../../etc/passwd'] = '*' } }"),
    manifest(
      "a manifest that asks for what is not there", "there is no capability",
      "plugin { name = 'mallory', version = '1', allow = { 'root' } }"),
    manifest(
      "a manifest that asks for everything where nobody is asked", "",
      "plugin { name = 'mallory', version = '1', allow = { 'fs.read=/', 'fs.write=/', 'exec=sh', 'env=HOME', 'clipboard', 'open' } }"
    ),
    manifest(
      "a manifest that nests", "",
      "plugin { name = { { { {} } } }, version = {}, requires = { a = {} }, allow = { {} } }"),
    manifest(
      "a manifest that uses what runs", "must begin with its manifest",
      "plugin { name = string.rep('x', 10), version = '1' }"),
    manifest("a manifest that calls itself", "", "plugin(plugin(plugin { name = 'mallory', version = '1' }))"),
    manifest("a manifest in a loop", "manifest", "while true do plugin { name = 'mallory', version = '1' } end"),
    manifest("a manifest that raises", "nil", "local x = nil; plugin { name = x.y, version = '1' }"),
    manifest(
      "a second manifest", "two manifests",
      "plugin { name = 'mallory', version = '1' } plugin { name = 'eve', version = '1' }"),
    manifest(
      "a global instead of a manifest", "must begin with its manifest",
      "app = nil plugin { name = 'mallory', version = '1' }"),
    HostileScript(
      "a load that fails after it declared everything", .says("at the end"),
      """
      menubar { menu "M" { item "x" { "rate", key = "ctrl+j" } } } local w = window "w" local r = responder "r" { before = "grid" } class "c"
      local grid = app:find("grid") for _, one in ipairs { app, grid, r, w } do one.on.rate = function() return "mine" end one.can.rate = function() return false end
        one.provide = function(self, ctx) ctx.photo = "mine" end one.keys["ctrl+r"] = "mine" one.build.main = function(self, m) m:remove("Image") end end
      observe("*", print) listen("menu", print) focus(r) app.delegate = r app.keep.x = 1 error("at the end")
      """, then: [":menu", ":press ctrl+r"]),
    HostileScript("a reload that fails", .says("at the end"), "", then: [reload]).reloaded(
      as:
        "plugin { name = 'mallory', version = '1' } responder 'late' app:find('grid').on.rate = function() return 'mine' end error('at the end')"
    ),
    HostileScript("a reload that loops", .limit, "", then: [reload]).reloaded(
      as: "plugin { name = 'mallory', version = '1' } while true do end"),
    HostileScript(
      "a reload that is another plugin", .says("is now named 'other' instead of 'mallory'"), "", then: [reload]
    ).reloaded(
      as: "plugin { name = 'other', version = '1' }"),
    HostileScript("a reload that can't be read", .says(""), "", then: [reload]).reloaded(as: "plugin { name = "),
    HostileScript(
      "a plugin that keeps what it is handed, for after it is gone", .says("the script of 'mallory' is gone"),
      "app.keep.list = {} function app.on:go(ctx) return { ctx, ctx.taker, item 'x' { 'rate' }, function() return app:perform('rate').status end, responder 'late', observe('*', print) } end",
      then: [
        "left = app:perform('go').result", "app:unload_plugin('mallory')",
        "for i, v in ipairs(left) do print(pcall(tostring, v), pcall(function() return v.name end), pcall(function() return v() end), pcall(function() v.on.x = print end)) end",
        "left[6]:remove()", "left = nil",
      ]),
    HostileScript(
      "a plugin that is unloaded from within itself", .prints("handled"),
      "function app.on:go(ctx) return app:perform('bye').status end",
      then: [
        "app:define('bye', { on = function() return app:unload_plugin('mallory') end })", ":perform go",
        "app.on.bye = nil",
      ]),
    HostileScript(
      "a plugin that is unloaded while it waits", .quiet,
      "function app.on:go() pcall(sleep, 1e5) while true do end end",
      then: ["app:perform('go', {}, { wait = false })", "app:unload_plugin('mallory')"]),
  ]

  private static func requiring(_ name: String, _ message: String, _ module: String, with files: [String: String] = [:])
    -> HostileScript
  {
    HostileScript(name, .says(message), "require(\(module))", then: [], with: files)
  }

  static let requiring: [HostileScript] = [
    requiring("a module above", "can't be a module's name", "'../app'"),
    requiring("a module above, with dots", "can't be a module's name", "'..app'"),
    requiring("a module above, between dots", "can't be a module's name", "'a...b'"),
    requiring("a module by an absolute path", "can't be a module's name", "'/etc/passwd'"),
    requiring("a module with a byte of zero", "can't be a module's name", "'m\\0x'"),
    requiring("a module with a long name", "can't be a module's name", "('x'):rep(300)"),
    requiring("a module with a very long name", "can't be a module's name", "('x'):rep(1 << 19)"),
    requiring("a module of no name", "can't be a module's name", "''"),
    requiring("a module that is no text", "", "{}"),
    requiring("a module that is hidden", "can't be a module's name", "'.hidden'"),
    requiring("a module that is not there", "there is no module 'm'", "'m'"),
    requiring("a module that is a folder", "there is no module 'm'", "'m'", with: ["m.lua/x.lua": ""]),
    requiring(
      "a module behind a link to a file outside", "leads out of the script's own folder", "'m'",
      with: ["m.lua": "→/etc/passwd"]),
    requiring(
      "a module behind a link to a folder outside", "leads out of the script's own folder", "'up.app'",
      with: ["up": "→.."]),
    requiring(
      "a module behind a link to the app's script", "leads out of the script's own folder", "'m'",
      with: ["m.lua": "→../app.lua"]),
    requiring("a module behind a link to itself", "there is no module 'm'", "'m'", with: ["m.lua": "→m.lua"]),
    requiring(
      "a module behind a link to a device", "leads out of the script's own folder", "'m'", with: ["m.lua": "→/dev/zero"]
    ),
    requiring("a module that is a pipe", "there is no module 'm'", "'m'", with: ["m.lua": "|"]),
    requiring("a module that is bytecode", "", "'m'", with: ["m.lua": "\u{1B}Lua"]),
    requiring("a module that is no Lua", "", "'m'", with: ["m.lua": "{{{"]),
    requiring("a module that raises", "in the module", "'m'", with: ["m.lua": "error('in the module')"]),
    requiring("a module that is too long", "", "'m'", with: ["m.lua": String(repeating: ";", count: 200_000)]),
    requiring(
      "a module that says that it is a plugin", "", "'m'", with: ["m.lua": "plugin { name = 'eve', version = '1' }"]),
    HostileScript(
      "modules in modules without end", .says("nested more than 50 deep"), "require 'm1'", then: [],
      with: Dictionary(uniqueKeysWithValues: (1...60).map { ("m\($0).lua", "require 'm\($0 + 1)'") })),
    HostileScript(
      "a module of megabytes, again and again", .limitOr(""), "for i = 1, 100 do pcall(require, 'm') end", then: [],
      with: ["m.lua": "error(('x'):rep(1 << 19))"]),
    HostileScript(
      "a module required while one is asked", .prints("false"),
      "function app.on:go() end function app.can:go() print((pcall(require, 'm'))) return true end", with: ["m.lua": ""]
    ),
    HostileScript(
      "what another required", .prints("true\t1"), "print(pcall(require, 'secret'))", then: [],
      with: ["secret.lua": "return 1"]),
  ]
}
