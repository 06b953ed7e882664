// Every kind of value, in every position for a value.

extension ScriptWriter {
  /// The functions of a script beside the language. `keep` stores a value where `old` finds it later, in any state.
  /// `round` sends it out to the host and back. `wide`, `named` and `deep` make large tables.
  static let keeping = """
    local pool, at = {}, 0
    local function keep(...) for i = 1, select("#", ...) do pool[at % 24 + 1], at = (select(i, ...)), at + 1 end return ... end
    function app.on:carry(ctx) return ctx.args.v end
    local function round(v) return keep((app:perform("carry", { v = v }).result)) end
    local function wide(n, v) local t = {} for i = 1, n do t[i] = v or i end return t end
    local function named(n, v) local t = {} for i = 1, n do t["k" .. i] = v or i end return t end
    local function deep(n) local t = {} for i = 1, n do t = { t } end return t end
    local function old(n) return pool[(at - n) % 24 + 1] end

    """

  // MARK: Calls and fields

  static let freeCalls = [
    "responder", "window", "class", "menubar", "menu", "item", "label", "section", "text", "observe", "listen",
    "progress", "log", "print", "require", "modal", "focus", "sleep", "load", "pcall", "xpcall", "error", "assert",
    "select",
    "setmetatable", "getmetatable", "rawset", "rawget", "rawequal", "rawlen", "next", "pairs", "ipairs", "tostring",
    "tonumber", "type", "table.insert", "table.remove", "table.concat", "table.unpack", "table.sort", "table.move",
    "table.pack", "string.format", "string.rep", "string.gsub", "string.find", "string.sub", "coroutine.resume",
    "coroutine.wrap", "coroutine.create", "coroutine.status", "coroutine.yield", "utf8.char", "math.max", "os.date",
    "fs.read", "exec", "open", "notify", "json.read", "json.write", "lines", "clipboard.set", "env", "after", "every",
    "watch",
    "panel", "pane", "beside", "stack", "tabs", "span", "ansi", "extend", "group", "open_palette", "open_menu",
    "open_form", "ask", "emit",
  ]

  /// Methods of the app, of responders, of windows, of contexts, of builders, of jobs, of sessions and handles.
  static let methods = [
    "perform", "validate", "chain", "context", "why", "find", "windows", "jobs", "menu", "item", "context_menu",
    "open_menu", "pick", "press", "open_urls", "rebuild", "revalidate", "undo", "redo", "undo_stack", "forget_undo",
    "plugins", "define", "derive", "enter", "load_plugin", "unload_plugin", "reload_plugin", "advance", "remove",
    "make_key", "make_main", "append", "each", "flag", "has", "set", "insert", "remove", "super", "forward", "refuse",
    "insert_before", "insert_after", "insert_first", "insert_last", "replace", "replace_children", "cancel", "wait",
    "close", "actions", "panel", "choose", "mark", "filter", "text", "select", "stop", "answer",
  ]

  /// Fields of responders, classes, elements, contexts, outcomes, jobs, snapshots, errors.
  static let fields = [
    "name", "next", "before", "class", "delegate", "undo", "works_when_modal", "on", "can", "look", "needs", "keys",
    "start", "stop", "counts", "exact", "store", "allow", "takes", "confirm", "about", "asks", "arguments", "argument",
    "expected",
    "build", "provide", "resolve", "redirect", "claims", "unknown", "accepts_focus", "become", "resign", "failed",
    "title", "version", "settings", "phase", "keep", "is_key", "is_main", "first", "allow_warnings", "k", "l", "args",
    "action", "sender", "subject", "taker", "prefix", "raw", "modifiers", "result", "error", "job", "outcome",
    "status", "message", "file", "line", "ended", "children", "kind", "id", "__index", "__call", "__eq", "__tostring",
    "__len", "__lt", "__le", "__newindex", "__pairs", "__add", "__unm", "__metatable", "__name", "__gc", "__close",
    "__mode", "__concat",
  ]

  static let itemFields = [
    "id", "key", "args", "subtitle", "icon", "state", "hidden", "enabled", "alternates", "destructive", "keeps_open",
    "confirm", "current", "mnemonic", "look",
  ]
  static let menuFields = ["id", "inline", "single", "hidden", "auto", "look"]
  static let sectionFields = ["items", "id", "row", "header", "footer", "empty", "current", "kind"]
  static let paneFields = ["title", "key", "responder", "filter", "marks", "share", "least", "fit", "look"]
  static let options = [
    "to", "from", "info", "skip_validation", "modifiers", "sender", "observe", "wait", "confirmed",
    "asks", "args",
  ]

  // MARK: Values

  /// The usual value of this position, or any value.
  mutating func either(_ usual: String) -> String { choices.isLikely(40) ? value() : usual }

  /// A value of any kind; the script may keep it.
  mutating func value() -> String {
    guard values > 0 else { return choices.isLikely(200) ? "old(\(choices.below(24)))" : plain() }
    values -= 1
    let made = bareValue()
    return choices.isLikely(100) ? "(keep(\(made)))" : made
  }

  private mutating func bareValue() -> String {
    switch choices.below(36) {
    case 32...35: return "round(\(choices.isLikely(128) ? anyElement() : value()))"
    case 0, 1: return plain()
    case 2...5: return "old(\(choices.below(24)))"
    case 6, 7: return anyElement()
    case 8: return choices.one(of: ["null", "pass", "separator", "item", "print", "_ENV", "nil"])
    case 9: return find()
    case 10:
      return
        "\(find()).\(choices.one(of: ["on", "can", "look", "needs", "takes", "confirm", "about", "keys", "build", "keep", "settings", "store"]))"
    case 11: return choices.one(of: ["ctx", "self", "ctx.args", "ctx.k", "ctx.taker", "ctx.sender", "ctx.subject"])
    case 12:
      return choices.one(of: ["kept", "kept.o", "kept.s", "kept.m", "kept.found", "kept.menu", "kept.job", "kept.d"])
    case 13: return "observe(\(either("\"*\"")), \(anyFunction("e")))"
    case 14: return "listen(\(either("\"menu\"")), \(anyFunction("new, was")))"
    case 15: return "\(find()):define(\(either("\"x\"")), { on = \(anyFunction("self, ctx")) })"
    case 16: return "modal(\(either(named())), { dismissable = \(either("true")) })"
    case 17: return "app:open_menu(\(either("\"M\"")))"
    case 18, 19: return performed()
    case 20:
      return
        "app:\(choices.one(of: ["menu", "item", "why", "chain", "context", "validate", "windows", "jobs", "undo_stack", "plugins"]))(\(choices.one(of: ["", "\"a\"", "\"M/I\"", "\"x\""])))"
    case 21: return "\(choices.one(of: ["window \"w0\"", "class \"c0\"", "responder \"r1\""])) { k = \(value()) }"
    case 22: return "select(2, pcall(\(choices.one(of: ["error", "load", "app.perform", "menubar"])), \(value())))"
    case 23: return "select(2, load(\(choices.one(of: ["\"((\"", "(\"(\"):rep(300)", value()]))))"
    case 24: return choices.one(of: Self.freeCalls)
    case 25: return "\(find()).\(choices.one(of: Self.methods))"
    case 26: return anyFunction("...")
    case 27: return "{ \(value()), k = \(value()) }"
    case 28: return "{ [\(value())] = \(value()) }"
    case 29: return "setmetatable({ \(value()) }, { \(metamethod()) = \(value()), \(metamethod()) = \(value()) })"
    case 30: return "coroutine.\(choices.one(of: ["create", "wrap"]))(\(anyFunction("...")))"
    default: return "require(\(either("\"part\"")))"
    }
  }

  private mutating func plain() -> String {
    choices.one(of: [
      "nil", "true", "false", "0", "1", "-1", "2.5", "0/0", "math.huge", "math.mininteger", "\"\"", "\"k\"", "\"a\"",
      "\"M/I\"", "\"r0\"", "\"c0\"", "\"ctrl+k\"", "\"\\0\"", "\"\\xff\"", "(\"x\"):rep(70000)", "{}",
      "(\"x\"):rep(1000000)", "wide(30000)", "wide(3000, wide(3000))", "wide(60, (\"x\"):rep(1000000))",
      "wide(3000, (\"x\"):rep(1000000))",
      "named(3000, (\"x\"):rep(1000000))", "deep(300)",
    ])
  }

  private mutating func metamethod() -> String { choices.one(of: Self.fields.filter { $0.hasPrefix("__") }) }

  private mutating func performed() -> String {
    let call =
      "\(find()):perform(\(either("\"\(reference())\"")), { k = \(value()) }, { \(choices.one(of: Self.options)) = \(value()) })"
    return call + choices.one(of: ["", ".result", ".error", ".job", ".status"])
  }

  /// A function that returns values, or does something.
  private mutating func anyFunction(_ parameters: String) -> String {
    choices.isLikely(60) && depth < 4 && budget > 0
      ? function(parameters) : "function(\(parameters)) keep(\(parameters)) return \(value()), \(value()) end"
  }

  /// An element with any value in any of its fields.
  private mutating func anyElement() -> String {
    switch choices.below(9) {
    case 8:
      return
        "text \"t\" { of = \(either("\"p\"")), responder = \(either("\"r1\"")), lines = function(ctx, add) add(\(value())) return \(value()) end }"
    case 6:
      return
        "pane \"p\" { responder = \(either("\"r0\"")), filter = true, marks = true, \(choices.one(of: Self.paneFields)) = \(value()), item \"I\" { \"a\" }, \(value()) }"
    case 7: return "\(choices.one(of: ["beside", "stack", "tabs"])) { \(value()), \(value()), share = \(either("2")) }"
    case 0: return "item \"\(choices.one(of: ["I", "", "é"]))\""
    case 1: return "item \"I\" { \"a\", \(choices.one(of: Self.itemFields)) = \(value()) }"
    case 2:
      return
        "item \"I\" { \(either("\"a\"")), args = { k = \(value()) }, alternates = { alt = \(either("item \"O\" { \"b\" }")) } }"
    case 3: return "menu \"M\" { \(choices.one(of: Self.menuFields)) = \(value()), \(value()) }"
    case 4: return "menu \"M\" { item \"I\" { \"a\" }, \(value()), [\(either("4"))] = \(value()) }"
    default:
      return
        "section \"s\" { items = \(either("{ 1, 2 }")), row = \(anyFunction("v, ctx")), \(choices.one(of: Self.sectionFields)) = \(value()) }"
    }
  }

  // MARK: Positions

  /// One value in some position.
  mutating func anywhere() -> String {
    switch choices.below(27) {
    case 24: return "\(find()).build.main = function(self, m) m:insert_last(\"root\", old(\(choices.below(3)))) end"
    case 25: return "menubar { require \"part\" }"
    case 26: return "app.on.\(choices.one(of: ["a", "b", "c"])) = function(self, ctx) return round(\(anyElement())) end"
    case 0, 1: return "\(choices.one(of: Self.freeCalls))(\(value()), \(value()), \(value()))"
    case 2, 3: return "\(find()):\(choices.one(of: Self.methods))(\(value()), \(value()), \(value()))"
    case 4: return "ctx:\(choices.one(of: Self.methods))(\(value()), \(value()), \(value()))"
    case 5: return "\(value()):\(choices.one(of: Self.methods))(\(value()), \(value()))"
    case 6: return "if kept.m then kept.m:\(choices.one(of: Self.methods))(\(either("\"M\"")), \(value())) end"
    case 7: return "\(find()).\(choices.one(of: Self.fields)) = \(value())"
    case 8: return ";\(bracketed()).\(choices.one(of: Self.fields)) = \(value())"
    case 9: return ";\(bracketed())[\(value())] = \(value())"
    case 10:
      return
        "\(find()).\(choices.one(of: ["on", "can", "look", "needs", "takes", "confirm", "about", "keys", "build"]))[\(either("\"a\""))] = \(value())"
    case 11: return "keep(\(bracketed())[\(value())], \(bracketed()).\(choices.one(of: Self.fields)))"
    case 12: return "keep(\(bracketed())(\(value()), \(value())))"
    case 13:
      return
        "keep(\(bracketed()) \(choices.one(of: ["==", "<", "<=", "+", "//", "%", "..", "&", "and"])) \(bracketed()))"
    case 14: return "keep(\(choices.one(of: ["#", "-", "~", "not "]))\(bracketed()))"
    case 15: return "for k, v in \(value()) do keep(k, v) break end"
    case 16: return "for k, v in \(choices.one(of: ["pairs", "ipairs"]))(\(value())) do keep(k, v) end"
    case 17: return "setmetatable(\(either("kept")), \(value()))"
    case 18: return "error(\(value()), \(either("1")))"
    case 19: return "app:context_menu(\(either("\"url\"")), \(value()))"
    case 20: return "ctx:set(\(value()), \(either("\"k\"")), \(value()), \(either("\"set\"")), \(either("{}")))"
    case 21:
      return "\(find()).build.main = function(self, m) kept.m = m m:insert_last(\(either("\"M\"")), \(value())) end"
    case 22: return "\(choices.one(of: ["menubar", "plugin"])) { \(value()), \(value()) }"
    default:
      return
        "\(choices.one(of: ["responder \"r1\"", "window \"w1\"", "class \"c1\""])) { \(choices.one(of: Self.fields.filter { !$0.hasPrefix("_") })) = \(value()) }"
    }
  }

  private mutating func bracketed() -> String { "(\(value()))" }

  // MARK: Modules

  /// The result of `require "part"`.
  mutating func module() -> String {
    budget = 4
    values = 12
    return
      "local kept, self, ctx = {}, app, {}\n\(Self.keeping)return \(choices.isLikely(128) ? anyElement() : value())\n"
  }
}
