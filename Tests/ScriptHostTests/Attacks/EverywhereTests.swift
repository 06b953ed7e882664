import Expectations
import Glibc
import Testing

@testable import ScriptHost

/// Puts every kind of value in every position, as made and as it came back from the host.
///
/// `MENUCTL_EVERYWHERE=1` tries all of them even in unoptimized builds.
/// Otherwise these try a part, by a seed that `MENUCTL_SEED` sets.
@Suite("Every value everywhere")
struct EverywhereTests {
  /// Expressions; other code may hold their values.
  static let values = [
    "nil", "false", "true", "0", "-1", "1.5", "0/0", "math.huge", "math.mininteger", "''", "'a'", "'M/I'", "'ctrl+k'",
    "'\\0'", "'\\xff'",
    "('x'):rep(70000)", "null", "pass", "separator", "item 'I'", "item 'I' { 'a' }",
    "item 'I' { 'a', args = { f = print, e = menu 'N' {} } }",
    "item 'I' { 'a', alternates = { alt = item 'O' { 'b', args = { f = print } } } }", "label 'L'", "menu 'M'",
    "menu 'M' { item 'I' { 'a' }, separator }",
    "menu 'M' { look = function() return { title = 'T' } end, item 'I' { 'a' } }",
    "section 's' { items = { 1, 2 }, row = function(v) return item('R' .. v) { 'a' } end }",
    "menu 'M' { section 's' { items = function() return { 1 } end, row = function(v) return item('R' .. v) { 'a' } end } }",
    "app", "app:find('r')", "app:find('w')", "c", "gone", "app:find('r').on", "app.keep", "app.settings", "ctx",
    "ctx.args", "dead", "ctx.taker",
    "app:perform('a')", "app:perform('a').result", "app:perform('bad')", "app:perform('bad').error",
    "app:perform('nap', nil, { wait = false }).job",
    "ended", "observe('nothing', print)", "listen('menu', print)", "app:define('d' .. tostring({}), { on = print })",
    "modal('r')", "app:open_menu('M')",
    "app:menu()", "app:item('M/I')", "app:validate('a')", "app:why('a')", "app:chain('a')", "app:context()",
    "app:undo_stack()", "app:plugins()",
    "builder", "found", "failure", "select(2, load('(('))", "select(2, load(('('):rep(500)))", "print", "app.perform",
    "responder", "ctx.set", "string",
    "{}", "{ 1, { 2 } }", "{ k = ctx, app, item 'I' { 'a' } }",
    "setmetatable({}, { __index = print, __call = print, __len = print, __tostring = print })",
    "setmetatable({}, { __index = app, __eq = function() return true end, __tostring = error })",
    "(function() local t = {} t.t = t return t end)()",
    "function(...) return ... end", "function() while true do end end", "function() error(ctx) end",
    "coroutine.create(function() end)", "coroutine.wrap(function() end)",
    "string.gmatch('a b', '%a')", "coroutine.running()",
  ]

  private static let elementFields = [
    "id", "key", "args", "subtitle", "icon", "state", "hidden", "enabled", "alternates", "destructive", "keeps_open",
    "confirm", "inline", "single",
    "auto", "look", "items", "row", "header", "footer", "empty", "nothing",
  ]

  /// Statements in which `v` is a value.
  static let positions: [String] = {
    let responder = [
      "name", "next", "before", "class", "delegate", "undo", "works_when_modal", "on", "can", "look", "needs", "keys",
      "build", "provide",
      "resolve", "redirect", "claims", "unknown", "accepts_focus", "become", "resign", "failed", "own",
    ]
    let methods = [
      "perform", "validate", "chain", "context", "why", "find", "menu", "item", "context_menu", "open_menu", "pick",
      "press", "open_urls", "define",
      "derive", "enter", "load_plugin", "reload_plugin", "undo_stack", "advance",
    ]
    let options = ["to", "from", "info", "skip_validation", "modifiers", "sender", "observe", "wait", "confirmed"]
    let hooks = [
      "on.a", "can.a", "look.a", "provide", "resolve", "redirect", "claims", "unknown", "failed", "accepts_focus",
      "become", "resign", "build.main", "build.url",
    ]
    let calls = [
      "responder", "window", "class", "menu", "item", "label", "section", "observe", "listen", "progress", "log",
      "print", "require", "modal", "focus",
      "load", "pcall", "error", "tostring", "setmetatable", "getmetatable", "next", "pairs", "ipairs", "table.insert",
      "table.concat", "table.sort", "table.unpack",
      "string.rep", "string.format", "coroutine.resume", "coroutine.wrap", "select", "rawset", "rawget", "rawequal",
      "math.max", "utf8.char", "os.date", "xpcall",
    ]
    var all =
      responder.map { "app:find('r').\($0) = v" }
      + responder.map { "responder 'n' { \($0) = v } app:find('n'):remove()" }
    all += responder.map { "c.\($0) = v" } + responder.map { "app:find('w').\($0) = v" }
    all += ["on", "can", "look", "needs", "keys", "build"].flatMap {
      ["app:find('r').\($0).a = v", "app:find('r').\($0)[v] = print"]
    }
    all += methods.flatMap { ["app:\($0)(v)", "app:\($0)('a', v)", "app:\($0)('a', v, v)", "app.\($0)(v, 'a')"] }
    all +=
      options.map { "app:perform('a', nil, { \($0) = v })" } + [
        "app:perform('a', { k = v })", "app:perform('a', { [v] = v })",
      ]
    all += ["append", "each", "flag", "has", "set", "undo", "refuse"].flatMap {
      ["ctx:\($0)(v)", "ctx:\($0)('k', v)", "ctx:\($0)(v, v, v)", "ctx:\($0)({}, 'k', v, v, v)", "ctx.\($0)(v)"]
    }
    all += [
      "ctx.k = v", "ctx[v] = 1", "ctx.args = v", "ctx.action = v", "app.title = v", "app.version = v", "app.keep.k = v",
      "app.keep = v", "app.keep[v] = 1",
    ]
    all += elementFields.flatMap { field in ["item", "menu", "section"].map { "\($0) 'e' { 'a', \(field) = v }" } }
    all += elementFields.map {
      "put(section 'q' { items = { 1 }, row = function() return item 'Q' { 'a' } end, \($0) = v })"
    }
    all += [
      "put(v)", "put(menu 'P' { v, v })", "put(menu 'P' { [2] = v, x = v })",
      "put(section 'q' { items = { v, v }, row = function(x) return x end })",
      "put(section 'q' { items = v, row = function(x) return v end })",
      "put(item 'P' { 'a', args = { k = v } }) app:pick('P')",
      "put(item 'P' { 'a', alternates = { alt = v } })", "put(item(v) { v })",
    ]
    all +=
      hooks.map { "app:find('r').\($0) = function() return v, v end" } + ["a", "b"].map { "app:define('\($0)', v)" }
    all += calls.flatMap { ["\($0)(v)", "\($0)(v, v)", "\($0)('n', v)", "\($0)({}, v, v)"] }
    all += [
      "v()", "v(v)", "v.x()", "keep(v.x, v[1], v[v])", "v.x = v", "v[v] = v", "keep(#v)", "keep(-v)", "keep(v .. v)",
      "keep(v == v, v ~= v)", "keep(v < v)",
      "keep(v + v)", "keep({ [v] = v })", "for a in v do break end", "for a, b in pairs(v) do keep(b) end",
      "setmetatable({}, { __index = v }).x = 1",
      "keep(setmetatable({}, { __index = v }).x)", "keep(setmetatable({}, { __call = v })(v))",
      "keep(tostring(setmetatable({}, { __tostring = v })))",
      "keep(setmetatable({}, { __eq = v }) == setmetatable({}, { __eq = v }))",
      "coroutine.wrap(function() error(v) end)()", "keep(coroutine.wrap(function() coroutine.yield(v) end)())",
      "error(v)", "error({ message = v, file = v, line = v })", "sleep(v)", "progress(v, v)", "v:close()", "v:remove()",
      "v:cancel()", "v:wait()", "v:pick(v)", "v:perform('a')",
    ]
    return all
  }()

  private static let stage = """
    local kept = {}
    local placed = {}
    builder, found, failure, gone, dead, ended = false, false, false, false, false, false
    function keep(...) kept = { ... } end
    local function put(e) placed = { e } app:rebuild() end
    menubar { menu "M" { id = "M", item "I" { "a", key = "ctrl+k" } } }
    c = class "c" { on = { x = print } }
    local r = responder "r" { next = app, undo = true }
    local w = window "w"
    gone = responder "gone"
    gone:remove()
    function app.on:a(ctx) dead = ctx return ctx.args.k end
    function app.on:b() end
    function app.on:bad() error("bad") end
    function app.on:nap() sleep(1e5) end
    function app.on:carry(ctx) return ctx.args.v end
    function app:failed(err) failure = err end
    function app.build:main(m)
      builder, found = m, m:find("M/I")
      for _, e in ipairs(placed) do pcall(m.insert_last, m, "M", e) pcall(m.replace, m, "M/I", e) end
    end
    focus(r)

    """

  /// A plugin that works beside it.
  private static let canary = """
    plugin { name = "canary", version = "1" }
    local me = responder "canary" { works_when_modal = true }
    function me.on:sing() return "tweet" end
    """

  @Test(
    "No value does harm in any position; afterwards a plugin beside it and a fresh script work",
    arguments: 0..<16)
  func everywhere(_ part: Int) throws {
    let isWhole = !isUnoptimized || getenv("MENUCTL_EVERYWHERE") != nil
    let seed = getenv("MENUCTL_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64(time(nil))
    var chance = Chance(seed: seed &+ UInt64(part))
    let positions = Self.positions.enumerated().filter { $0.offset % 16 == part && (isWhole || chance.next() % 8 == 0) }
    for (index, position) in positions {
      let trouble = try trouble(with: position)
      expect(trouble, is: nil, "position \(index), '\(position)', seed \(seed)")
    }
  }

  /// The fault after all values were in a position.
  private func trouble(with position: String) throws -> String? {
    let values = Self.values.map { "function(ctx) return \($0) end" }.joined(separator: ", ")
    let script = """
      \(Self.stage)
      local values = { \(values) }
      function app.on:try(ctx)
        local ok, v = pcall(values[ctx.args.n], ctx)
        if not ok then v = nil end
        if ctx.args.goes then v = app:perform("carry", { v = v }).result end
        pcall(function() \(position) end)
      end
      """
    let stage = try PluginStage(
      ["canary.lua": Self.canary], app: script,
      limits: HostLimits(
        memory: 24 << 20, load: .milliseconds(5000, instructions: 2_000_000),
        perform: .milliseconds(2000, instructions: 50_000)))
    let host = stage.host
    try stage.load("canary.lua")
    for number in Self.values.indices {
      for goes in ["false", "true"] {
        _ = host.perform("try(n: \(number + 1), goes: \(goes))")
        _ = host.menus()
        if let trouble = singing(host) { return "\(trouble) after \(Self.values[number]), goes: \(goes)" }
      }
    }
    _ = host.validate("a")
    _ = host.contextMenu("url", subject: .text("s"))
    _ = host.press("ctrl+k")
    for job in host.jobs { job.cancel() }
    _ = try? host.evaluate("app.keep = nil")
    try host.reload(text: "function app.on:fresh() return 7 end", name: "app.lua")
    let fresh = host.perform("fresh")
    guard case .integer(7) = fresh.result else { return "a fresh script doesn't work: \(fresh.line)" }
    return singing(host)
  }

  private func singing(_ host: ScriptHost) -> String? {
    var options = PerformOptions()
    options.to = host.find("canary")
    let sung = host.perform("sing", options)
    return sung.result.shownText == "tweet" ? nil : "the plugin beside it doesn't work: \(sung.line)"
  }
}
