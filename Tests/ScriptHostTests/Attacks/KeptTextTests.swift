import Expectations
import Testing

@testable import ScriptHost

/// A position where a script gives the host a text to keep.
/// Its lines do so again and again with S, a megabyte, and i, a number.
struct TextPosition: Sendable, CustomStringConvertible {
  let name: String
  /// These lines run once, while the plugin is loaded.
  var declared = ""
  /// An action runs these lines again and again.
  var body = ""
  /// These actions run afterwards, with all menus drawn.
  var deeds: [String] = []

  var description: String { name }

  static let all: [TextPosition] = [
    Self(name: "confirm", body: "r.confirm['c' .. i] = S"),
    Self(name: "confirm, as a table", body: "r.confirm = { ['c' .. i] = S, d = S }"),
    Self(
      name: "what confirm answers", declared: "function r.on:go2() end function r.confirm:go2() return S end",
      deeds: ["go2"]),
    Self(name: "a key that is needed", body: "pcall(function() r.needs['n' .. i] = S .. i end)"),
    Self(name: "keys that are needed", body: "pcall(function() r.needs['n' .. i] = { S .. i, 'b' } end)"),
    Self(
      name: "why something is needed", declared: "function r.on:n1() end", body: "r.needs['n' .. i] = { key = S }",
      deeds: ["n1"]),
    Self(name: "about", body: "r.about['a' .. i] = S"),
    Self(name: "about, in all fields", body: "r.about['a' .. i] = { title = S, help = S, icon = S }"),
    Self(name: "the title of an argument", body: "r.takes['t' .. i] = { n = { 'string', title = S, help = S } }"),
    Self(name: "the name of an argument", body: "pcall(function() r.takes['t' .. i] = { [S .. i] = 'string' } end)"),
    Self(name: "a type", body: "pcall(function() r.takes['t' .. i] = { n = S } end)"),
    Self(
      name: "a field of an argument", body: "pcall(function() r.takes['t' .. i] = { n = { 'string', [S] = 1 } } end)"),
    Self(name: "a pattern", body: "pcall(function() r.takes['t' .. i] = { n = { 'string', matches = S } } end)"),
    Self(
      name: "a default", declared: "function r.on:t1() end",
      body: "pcall(function() r.takes['t' .. i] = { n = { 'string', default = S } } end)"),
    Self(
      name: "a proposal", declared: "function r.on:t1() end",
      body: "pcall(function() r.takes['t' .. i] = { n = { 'string', proposal = S } } end)", deeds: ["t1"]),
    Self(
      name: "choices", declared: "function r.on:t1() end",
      body: "pcall(function() r.takes['t' .. i] = { n = { one_of = { S, S, { 1, S } } } } end)", deeds: ["t1"]),
    Self(
      name: "choices that a function gives", declared: "function r.on:t1() end",
      body: "r.takes['t' .. i] = { n = { one_of = function() return { S, S, { 1, S } } end } }", deeds: ["t1"]),
    Self(
      name: "a class's tables",
      body: "class('c' .. i) { confirm = { a = S }, about = { b = S }, needs = { c = { k = S } } }"),
    Self(name: "a derived class's tables", body: "r:derive('d' .. i, { confirm = { a = S }, about = { b = S } })"),
    Self(name: "a definition", body: "r:define('e' .. i, { on = function() end, confirm = S, about = S })"),
    Self(
      name: "the title of what can be undone",
      declared: "function r.on:u(ctx) ctx:undo(S, function() end) end r.undo = { levels = 1000000 }",
      body: "app:perform('u')"),
    Self(
      name: "the title of a field that is set", declared: "function r.on:u(ctx) ctx:set(r, 'f' .. #S % 7, S, S) end",
      body: "app:perform('u')"),
    Self(
      name: "the key by which groups merge",
      declared: "function r.on:u(ctx) ctx:undo('t', function() end, { coalesce = S }) end", body: "app:perform('u')"),
    Self(
      name: "progress",
      declared: "r:define('w', { on = function() progress(0.5, S) sleep(1e6) end, reentrant = true })",
      body: "app:perform('w', nil, { wait = false })"),
    Self(
      name: "progress after a wait", declared: "function r.on:w() sleep(1) progress(0.5, S) sleep(1e6) end",
      deeds: ["w"]),
    Self(name: "what is observed", body: "pcall(observe, S .. i, print) pcall(observe, { S, 'b' }, print)"),
    Self(name: "what is listened for", body: "pcall(listen, S, print)"),
    Self(name: "what is claimed", body: "pcall(function() r.claims = { S } end) pcall(function() r.claims = S end)"),
    Self(name: "who is redirected to", body: "pcall(function() r.redirect = S end)"),
    Self(
      name: "a reason of can", declared: "function r.on:x() end function r.can:x() return false, S end", deeds: ["x"]),
    Self(name: "a reason of refuse", declared: "function r.on:x() return refuse(S) end", deeds: ["x"]),
    Self(
      name: "a reason of claims",
      declared: "function r:claims(action) return action == 'z1' and { reason = S } end function r:unknown() end",
      deeds: ["z1"]),
    Self(
      name: "a look",
      declared: "function r.on:x() end function r.look:x() return { title = S, subtitle = S, icon = S } end",
      deeds: ["x"]),
    Self(name: "keys", body: "pcall(function() r.keys['ctrl+' .. S] = 'x' end)"),
    Self(
      name: "what keys perform",
      body: "pcall(function() r.keys['ctrl+k ' .. string.char(97 + i % 26)] = 'x(a: \"' .. S .. '\")' end)"),
    Self(
      name: "names",
      body: "pcall(responder, S) pcall(window, S) pcall(class, S) pcall(r.define, r, S, {}) pcall(r.derive, r, S, {})"),
    Self(
      name: "the name of an action",
      body:
        "pcall(function() r.on[S .. i] = print end) app:perform(S:sub(1, 60000) .. i) app:validate('x' .. S:sub(1, 60000))"
    ),
    Self(
      name: "what reversing says", declared: "function r.on:u(ctx) ctx:undo('t', function() return refuse(S) end) end",
      deeds: ["u", "undo"]),
    Self(
      name: "errors", declared: "function r.on:x() error(S) end function r.can:y() error(S) end function r.on:y() end",
      deeds: ["x", "y"]),
    Self(
      name: "what a failed hook says",
      declared: "function r.on:x() error('no') end function r:failed(e) e.message = S return e end", deeds: ["x"]),
    Self(
      name: "the arguments of what waits",
      declared: "r:define('w', { on = function() sleep(1e6) end, reentrant = true })",
      body: "app:perform('w', { a = S }, { wait = false })"),
    Self(
      name: "an item's texts",
      declared:
        "function app.build:main(m) m:insert_last('Image', item(S) { 'x', subtitle = S, icon = S, enabled = S }) m:insert_last('Image', label(S)) end",
      deeds: ["x"]),
    Self(
      name: "an item's arguments",
      declared:
        "pcall(function() item 'T' { 'x', args = { a = S } } end) menubar { menu 'T' { item 'T' { 'x', args = { a = S:sub(1, 60000), b = { S, S } } } } }",
      deeds: ["x"]),
    Self(
      name: "a section's rows",
      declared:
        "menubar { menu 'T' { section 's' { items = { 1, 2, 3 }, row = function(v) return item(S .. v) { 'x', subtitle = S } end } } }",
      deeds: ["x"]),
    Self(
      name: "a menu's look",
      declared: "menubar { menu 'T' { look = function() return { title = S } end, item 'T' { 'x' } } }", deeds: ["x"]),
    Self(name: "a context menu's kind", body: "pcall(app.menu, app, S)"),
    Self(name: "a log", body: "log('info', S)"),
  ]
}

@Suite("Texts that the host keeps for scripts")
struct KeptTextTests {
  private static let limits = HostLimits(
    memory: 24 << 20, load: .milliseconds(60_000, instructions: 50_000_000),
    perform: .milliseconds(60_000, instructions: 50_000_000))

  @Test(
    "S15: In every position of a text of a megabyte, the host keeps 4 KiB of it, or a bounded part per owner",
    arguments: TextPosition.all)
  func positions(position: TextPosition) throws {
    let stage = try PluginStage(
      [
        "bad.lua": """
        plugin { name = "bad", version = "1" }
        local S = ("x"):rep(1000000)
        local r, i = responder "r" { before = "grid" }, 0
        \(position.declared)
        function r.on:repeats() for _ = 1, 20 do i = i + 1 \(position.body) end end
        """
      ], app: pluginApp, limits: Self.limits)
    let host = stage.host
    try stage.load("bad.lua")
    host.perform("repeats")
    var answers: [Any] = []
    for deed in position.deeds {
      var options = PerformOptions()
      options.asks = true
      answers.append(host.perform(deed, options))
      answers.append(host.validate(deed))
    }
    try host.advance(by: .seconds(2))
    answers.append(host.menus())
    // An action's results and arguments are values and not the host's texts; each owner may keep 1 MiB of them.
    let first = KeptTexts(in: [host] + answers)
    // An id contains this text, and a prefix or a number.
    expect(first.longest.bytes <= 4096 + 64 || position.keepsValues, "\(position.name): \(first.longest)")
    for _ in 0..<10 { host.perform("repeats") }
    let last = KeptTexts(in: [host])
    expect(
      last.bytes < 8 << 20, "\(position.name): \(last.bytes) bytes, from \(first.bytes); the longest is \(last.longest)"
    )
    expect(host.perform("stop").status, is: .handled)
  }
}

extension TextPosition {
  /// Whether the host keeps a value that scripts get back whole: it counts the value and doesn't cut it.
  fileprivate var keepsValues: Bool {
    [
      "a default", "a proposal", "choices", "choices that a function gives", "the arguments of what waits",
      "what keys perform", "an item's arguments",
    ]
    .contains(name)
  }
}
