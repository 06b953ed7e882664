/// Writes scripts from choices: every form of the language, combined as no person would.
///
/// Most statements run in `pcall`, so that a wrong one doesn't end the script; some don't, so that loads fail anywhere.
struct ScriptWriter {
  var choices: Choices
  /// How many statements it may still write; bytes can make a script long, not endless.
  var budget = 0
  /// How many values of any kind it may still write.
  var values = 0
  /// How deep blocks are nested.
  var depth = 0

  init(_ choices: Choices) { self.choices = choices }

  static let responders = ["r0", "r1", "r2", "w0", "w1", "app"]
  static let actions = ["a", "b", "x.a", "c", "undo", "openURL"]
  static let keys = ["k", "l", "action", "args", "n"]
  static let strokes = ["k", "ctrl+k", "g g", "g", "esc"]
  static let ids = ["M/I", "M", "x", "root", "s", "row1", "A"]

  /// The script of an app, or of a plugin, which has its manifest before it.
  mutating func script(plugin name: String? = nil) -> String {
    budget = 40
    values = 120
    var text = ""
    if let name {
      let requires = choices.one(of: ["", ", requires = { menuctl = \">=0.1\" }", ", requires = { canary = \">=1\" }"])
      text = "plugin { name = \"\(name)\", version = \"1.\(choices.below(3))\"\(requires) }\n"
    }
    text +=
      "local kept, self, ctx = {}, app, {}\nlocal function try(f) local ok, e = pcall(f) if not ok then kept.error = e end end\n"
      + Self.keeping
    for _ in 0..<2 + choices.below(14) { text += declaration() + "\n" }
    return text
  }

  /// A line as a person enters it.
  mutating func line() -> String {
    budget = 3
    values = 6
    return choices.isLikely(128) ? expression() : statement()
  }

  // MARK: Declarations

  private mutating func declaration() -> String {
    let text = bareDeclaration()
    return choices.isLikely(20) ? text : "try(function() \(text) end)"
  }

  private mutating func bareDeclaration() -> String {
    switch choices.below(22) {
    case 16...18: return anywhere()
    case 19: return "panel { \(elements(depth: 0)) }"
    case 20: return timer()
    case 21: return "app.start = \(hook("self, ctx"))"
    case 0, 1: return responder()
    case 2: return "menubar { \(elements(depth: 0)) }"
    case 3:
      return
        "class \"\(choices.one(of: ["c0", "c1"]))\" { class = \(choices.one(of: ["nil", "\"c0\"", "\"c1\""])), on = { \(choices.one(of: ["a", "b", "c"])) = \(hook("self, ctx")) } }"
    case 4: return "focus(\(either(named())))"
    case 5:
      return
        "kept.h\(choices.below(3)) = observe(\(choices.one(of: ["\"*\"", "\"a\"", "{ \"a\", \"b\" }", "\"x.*\"", "1"])), \(hook("e")))"
    case 6:
      let event = choices.one(of: ["phase", "focus", "menu", "validation", "unhandled", "reload", "nothing"])
      return "kept.l\(choices.below(3)) = listen(\"\(event)\", \(hook("new, was")))"
    case 7: return "app.keep.\(choices.one(of: ["k", "l"])) = \(either(expression()))"
    case 8: return statement()
    default: return behaviour()
    }
  }

  private mutating func responder() -> String {
    let name = choices.one(of: Self.responders)
    let kind = name.hasPrefix("w") ? "window" : "responder"
    var fields: [String] = []
    if choices.isLikely(150) { fields.append("next = \(either(named()))") }
    if choices.isLikely(40) { fields.append("before = \(either(named()))") }
    if choices.isLikely(60) { fields.append("class = \(either("\"c0\""))") }
    if choices.isLikely(40) { fields.append("undo = \(choices.one(of: ["true", "{ levels = 2 }", "false", "3"]))") }
    if choices.isLikely(30) { fields.append("works_when_modal = \(choices.one(of: ["true", "false", "1"]))") }
    if choices.isLikely(60) { fields.append("field = \(either(expression()))") }
    return "\(kind) \"\(name)\" { \(fields.joined(separator: ", ")) }"
  }

  /// The fields of an argument.
  private mutating func argument() -> String {
    let type = choices.one(of: [
      "\"integer\"", "\"string\"", "{ \"number\", from = 0, to = 2 }",
      "{ \"string\", matches = \"^a*$\", optional = true }",
      "{ \"any\", many = true, default = { 1, 2 } }", "{ one_of = { 1, \"a\", { 2, \"Two\" } }, secret = true }",
      "{ one_of = \(function("self, ctx")), default = \(function("self, ctx")) }", "{ \"nothing\" }",
      "{ \"string\", matches = \(either("(\"a*\"):rep(40) .. \"b\"")), title = \(value()), help = \(value()) }",
      "{ one_of = \(either("wide(30000)")), many = true, default = \(value()) }",
      "{ one_of = function() return \(value()) end, many = true, proposal = \(value()) }",
    ])
    return "\(choices.one(of: ["k", "l", "n", "action"])) = \(type)"
  }

  /// One entry of a responder's table, or a hook.
  private mutating func behaviour() -> String {
    let owner = find()
    let action = choices.one(of: ["a", "b", "c", "x", "[\"x.a\"]", "undo"])
    let slot = action.hasPrefix("[") ? action : ".\(action)"
    switch choices.below(18) {
    case 0...5: return "\(owner).on\(slot) = \(hook("self, ctx"))"
    case 6, 7: return "\(owner).can\(slot) = \(hook("self, ctx"))"
    case 8: return "\(owner).look\(slot) = \(hook("self, ctx"))"
    case 9 where choices.isLikely(128):
      switch choices.below(3) {
      case 0: return "\(owner).takes\(slot) = { \(argument()), \(argument()) }"
      case 1: return "\(owner).confirm\(slot) = \(choices.one(of: [either("\"sure?\""), "nil", hook("self, ctx")]))"
      default:
        return
          "\(owner).about\(slot) = \(choices.one(of: [either("\"A\""), "{ title = \(either("\"A\"")), help = \(either("\"a\"")) }", "{}", "1"]))"
      }
    case 9:
      return
        "\(owner).needs\(slot) = \(choices.one(of: [either("\"k\""), "{ \"k\", \"l\" }", "{ k = \(either("\"give a k\"")) }", "{}", "1"]))"
    case 10, 11: return "\(owner).provide = \(hook("self, ctx"))"
    case 12: return "\(owner).resolve = \(hook("self, action"))"
    case 13:
      return
        "\(owner).redirect = \(choices.one(of: ["\"r0\"", "\"r1\"", "\"canary\"", "app", function("self, action")]))"
    case 14:
      let answer = "{ reason = \(either("\"no\"")), title = \(either("\"T\"")), state = true }"
      return
        "\(owner).claims = \(choices.one(of: ["true", "{ \"a\", \"c\" }", "false", function("self, action"), "function() return \(answer) end"]))"
    case 15: return "\(owner).unknown = \(hook("self, ctx"))"
    case 16:
      return "\(owner).build.\(choices.one(of: ["main", "url", "k", "panel"])) = \(builder())"
    default:
      switch choices.below(6) {
      case 0: return "\(owner).accepts_focus = \(choices.one(of: ["false", "true", function("self")]))"
      case 1: return "\(owner).become = \(hook("self"))"
      case 2: return "\(owner).resign = \(hook("self"))"
      case 3: return "\(owner).failed = \(hook("self, err"))"
      case 4:
        return
          "\(owner).keys = { [\"\(choices.one(of: Self.strokes))\"] = \"\(reference())\", [\"g g\"] = \"a\", [\"esc x\"] = \"c\", tab = { \"x\", \"\(reference())\" } }"
      default: return "\(owner).delegate = \(named())"
      }
    }
  }

  // MARK: Menus

  private mutating func elements(depth: Int) -> String {
    (0..<choices.below(5)).map { _ in element(depth: depth) }.joined(separator: ", ")
  }

  private mutating func element(depth: Int) -> String {
    let title = choices.one(of: ["I", "A", "", "a/b", "é"])
    switch choices.below(depth < 4 ? 8 : 4) {
    case 0: return "separator"
    case 1: return "label \"\(title)\""
    case 2: return choices.one(of: ["nil", "false", "1", "{}", "item", expression(), value()])
    case 3: return "item \"\(title)\" { \"\(reference())\", \(itemFields()) }"
    case 4:
      return
        "menu \"M\" { \(choices.one(of: ["", "inline = true,", "single = true,", "auto = false,", "look = \(hook("ctx")),"])) \(elements(depth: depth + 1)) }"
    case 5:
      return
        "section \"s\" { items = \(hook("ctx")), id = \(hook("v")), row = \(hook("v, ctx")), header = \"H\", empty = \"E\", current = \"\(reference())\", kind = \"k\" }"
    case 6:
      return
        "section \"t\" { items = function() return kept.list or { 1, 2 } end, id = function(v) return \"row\" .. tostring(v) end, row = function(v) return item(tostring(v)) { \"\(reference())\" } end }"
    default: return "item \"\(title)\" { \"\(reference())\" }"
    }
  }

  private mutating func itemFields() -> String {
    switch choices.below(11) {
    case 7: return "look = \(hook("ctx"))"
    case 8: return "mnemonic = \(either("\"i\""))"
    case 9: return "current = \"\(reference())\""
    case 0: return "id = \"x\""
    case 1: return "key = \"\(choices.one(of: Self.strokes))\""
    case 2: return "args = { k = \(either(expression())) }"
    case 3: return "state = \(choices.one(of: ["true", "\"mixed\"", "7"]))"
    case 4: return "enabled = \"declared\""
    case 5: return "confirm = \"sure?\""
    case 6: return "alternates = { alt = item \"O\" { \"b\" } }"
    default: return "hidden = true"
    }
  }

  private mutating func builder() -> String {
    var edits: [String] = []
    for _ in 0..<1 + choices.below(3) {
      let id = choices.one(of: Self.ids)
      let name = choices.one(of: ["insert_before", "insert_after", "insert_first", "insert_last", "replace"])
      switch choices.below(4) {
      case 0: edits.append("m:remove(\"\(id)\")")
      case 1: edits.append("kept.m = m kept.found = m:find(\"\(id)\")")
      default: edits.append("m:\(name)(\"\(id)\", \(either(element(depth: 2))))")
      }
    }
    return "function(self, m, subject) \(edits.joined(separator: " ")) \(block()) end"
  }

  // MARK: Statements

  /// A function in a function's position.
  private mutating func hook(_ parameters: String) -> String { choices.isLikely(20) ? value() : function(parameters) }

  mutating func function(_ parameters: String) -> String { "function(\(parameters)) \(block()) end" }

  private mutating func block() -> String {
    guard depth < 4 else { return "" }
    depth += 1
    defer { depth -= 1 }
    var text = ""
    for _ in 0..<choices.below(4) where budget > 0 {
      budget -= 1
      text += statement() + " "
    }
    // A return ends a block.
    switch choices.below(14) {
    case 10...12: return text + "return \(value()), \(value())"
    case 0...2: return text
    case 3: return text + "return pass"
    case 4: return text + "return false, \"no \" .. tostring(ctx)"
    case 5: return text + "return true"
    case 6: return text + "return { state = true, title = \"T\", hidden = false }"
    case 7: return text + "return { \(expression()), \(expression()) }"
    default: return text + "return \(expression())"
    }
  }

  mutating func statement() -> String {
    switch choices.below(40) {
    case 0: return "ctx.\(choices.one(of: Self.keys)) = \(either(expression()))"
    case 1: return "ctx:append(\"\(choices.one(of: Self.keys))\", \(either(expression())))"
    case 2, 3:
      return
        "ctx:set(\(choices.one(of: ["kept", "self", "_ENV", "ctx", "{}"])), \"\(choices.one(of: Self.keys))\", \(expression()), \"set\"\(choices.one(of: ["", ", { coalesce = \"c\" }"])))"
    case 4:
      return choices.one(of: [
        "ctx:undo(\"U\", \(hook("ctx")))", "ctx:insert(kept, #kept + 1, \(expression()), \"I\")",
        "ctx:insert(kept, 1, \(expression()))", "ctx:remove(kept, \(expression()))", "ctx:remove(kept, kept[1])",
      ])
    case 5: return "ctx:refuse(\(choices.one(of: ["\"refused\"", "\"\"", "nil"])))"
    case 6, 7:
      return
        "kept.o = app:perform(\"\(reference())\", \(choices.one(of: ["nil", "{ k = 1 }", "{ k = \(either("kept")) }"])), { \(option()) })"
    case 8: return "\(find()):perform(\"\(reference())\")"
    case 9: return "sleep(\(choices.one(of: ["0", "0.5", "1", "1e9", "-1", "0/0", "\"x\""])))"
    case 10: return "progress(\(choices.one(of: ["0.5", "2", "0/0", "nil"])), \"half\")"
    case 11: return "app:\(choices.one(of: ["undo", "redo", "rebuild", "revalidate"]))()"
    case 12: return "app:press(\"\(choices.one(of: Self.strokes))\")"
    case 13: return "app:pick(\"\(choices.one(of: Self.ids))\")"
    case 14: return choices.one(of: ["focus", "modal"]) + "(\(named()))"
    case 15: return "kept.s = modal(\(named()), { dismissable = \(choices.one(of: ["true", "false"])) })"
    case 16: return "if kept.s then kept.s:close() end"
    case 17:
      return choices.one(of: [
        "if kept.h0 then kept.h0:remove() end", "if kept.l0 then kept.l0:remove() end",
        "if kept.d then kept.d:remove() end",
      ])
    case 18: return responder()
    case 19: return "\(find()):remove()"
    case 20:
      return
        "kept.d = \(find()):define(\"\(choices.one(of: Self.actions))\", { on = \(hook("self, ctx")), reentrant = \(choices.one(of: ["true", "false", "nil"])) })"
    case 21: return "\(find()):derive(\"D\(choices.below(3))\", { on = { a = \(hook("self, ctx")) } })"
    case 22: return behaviour()
    case 23:
      return
        "app:\(choices.one(of: ["menu", "item", "why", "chain", "context", "validate", "find", "windows", "jobs", "undo_stack", "plugins", "actions", "panel", "choose"]))(\(choices.one(of: ["", "\"a\"", "\"M/I\"", "\"r0\"", "ctx", "nil"])))"
    case 24: return "app:context_menu(\"\(choices.one(of: ["url", "k"]))\", \(expression()))"
    case 25:
      return
        "kept.menu = app:open_menu(\"\(choices.one(of: Self.ids))\") kept.menu:\(choices.one(of: ["close()", "pick(\"M/I\")", "pick(\"x\")"]))"
    case 26:
      return
        "app:\(choices.one(of: ["enter(\"active\")", "enter(\"background\")", "enter(\"inactive\")", "open_urls { \"u\", \"v\" }", "advance(1)"]))"
    case 27:
      return
        "kept.p = app:\(choices.one(of: ["load_plugin(\"fuzzed\")", "unload_plugin(\"fuzzed\")", "reload_plugin(\"fuzzed\")", "load_plugin(\"no\")"]))"
    case 28: return "try(\(function("")))"
    case 29: return "for i = 1, \(choices.one(of: ["2", "3", "math.huge"])) do \(block().withoutReturn) end"
    case 30: return "local co = coroutine.wrap(\(hook("..."))) try(co) try(co)"
    case 31...36: return anywhere()
    case 37: return timer()
    case 38: return outer()
    default: return hostile()
    }
  }

  /// Code that runs later, or never.
  private mutating func timer() -> String {
    switch choices.below(5) {
    case 0: return "if kept.t then kept.t:remove() end"
    case 1: return "for i = 1, 1001 do after(i, print) end"
    default:
      let seconds = choices.one(of: ["0", "0.1", "1", "0/0", "-1"])
      return "kept.t = \(choices.one(of: ["after", "every"]))(\(either(seconds)), \(hook("")))"
    }
  }

  /// Code that asks, stores or parses.
  private mutating func outer() -> String {
    switch choices.below(6) {
    case 0: return "app.store.\(choices.one(of: ["k", "l"])) = \(either(expression()))"
    case 1: return "kept.r = app.store.k"
    case 2: return "kept.r = json.read(\(either("json.write(\(expression()))")))"
    case 3: return "for line in ipairs(lines(\(either("\"a\\nb\"")))) do \(statement()) end"
    case 4:
      let options = [
        "line = \(hook("text"))", "input = \(either("\"a\""))", "folder = \(either("\".\""))",
        "env = \(either("{ A = 1 }"))", "terminal = \(choices.one(of: ["true", "nil"]))",
      ]
      return "exec(\"nothing\", { 1 }, { \(options.joined(separator: ", ")) })"
    default:
      return choices.one(of: [
        "notify(\"t\", \"x\")", "app.name = \"n\"", "app.allow = { \"exec=nothing\" }", "exec(\"$PAGER\")",
        "fs.list(\"$PWD\")",
      ])
    }
  }

  /// Code that spends a limit, or goes where it should not.
  private mutating func hostile() -> String {
    choices.one(of: [
      "while true do end", "local t = {} while true do t[#t + 1] = {} end", "kept.text = (\"x\"):rep(1e6)",
      "local function f() return 1 + f() end f()", "error(\(choices.one(of: ["\"oops\"", "kept", "nil", "ctx"])))",
      "kept.self = kept", "kept.list = { 1, 1 }", "kept.list = { 1, 2, 3, 4 }", "kept.ctx = ctx kept.list = kept.ctx.k",
      "local c = app:find(\"canary\") c.song = \"none\"", "local c = app:find(\"canary\") c.on.sing = function() end",
      "app:find(\"canary\"):remove()", "app:find(\"canary\").next = app", "app:find(\"canary\"):derive(\"D\", {})",
      "string.rep = nil", "getmetatable(\"\").__index = {}", "table.insert(app, 1)", "rawset(app, \"on\", 1)",
      "setmetatable(kept, { __index = function() error(\"index\") end, __eq = function() return true end })",
      "coroutine.yield(1)", "kept.job = app:perform(\"a\", nil, { wait = false }).job",
      "if kept.job then kept.job:cancel() end",
      "if kept.job then kept.o = kept.job:wait() end", "log(\"warn\", kept)", "print(kept, ctx)",
      "app.title = \(expression())",
    ])
  }

  private mutating func option() -> String {
    switch choices.below(10) {
    case 8: return "asks = true"
    case 9: return "asks = true, confirmed = \(choices.one(of: ["true", "false"]))"
    case 0: return "to = \(named())"
    case 1: return "from = \(named())"
    case 2: return "wait = false"
    case 3: return "skip_validation = true"
    case 4: return "info = { k = \(either(expression())) }"
    case 5: return "observe = \(hook("e"))"
    case 6: return "modifiers = { \"alt\" }, confirmed = true"
    default: return ""
    }
  }

  // MARK: Expressions

  mutating func reference() -> String {
    let action = choices.one(of: Self.actions + ["y.a", "late"])
    switch choices.below(6) {
    case 0: return "\(action)(k: \(choices.below(5)))"
    case 1: return "\(action)(k: [1, null], l: {n: x})"
    case 2: return "\(action)(skip_validation: true)"
    case 3: return choices.one(of: ["a(", "", "a.", "a(k:)"])
    default: return action
    }
  }

  mutating func find() -> String {
    let name = choices.one(of: Self.responders + ["self"])
    return name == "app" || name == "self" ? name : "app:find(\"\(name)\")"
  }

  mutating func named() -> String {
    choices.one(of: ["\"r0\"", "\"r1\"", "\"r2\"", "\"w0\"", "\"w1\"", "app", "self", "\"canary\"", "nil", "1"])
  }

  mutating func expression() -> String {
    switch choices.below(25) {
    case 0: return "\(choices.below(10))"
    case 1: return "ctx.\(choices.one(of: Self.keys))"
    case 2: return "ctx"
    case 3: return "self"
    case 4: return "kept"
    case 5: return "{ k = ctx.k, 1, \"two\" }"
    case 6: return depth < 4 && budget > 0 ? function("...") : "nil"
    case 7: return "app:find(\"\(choices.one(of: ["r0", "r1", "canary"]))\")"
    case 8: return "ctx:super()"
    case 9: return "ctx:forward()"
    case 10: return "ctx:each(\"l\")"
    case 11: return "ctx:\(choices.one(of: ["flag", "has"]))(\"k\")"
    case 12: return "ctx.args"
    case 13: return choices.one(of: ["0/0", "math.huge", "math.mininteger", "1 << 63", "-0.0"])
    case 14: return choices.one(of: ["null", "pass", "separator", "item \"I\" { \"a\" }", "label \"L\""])
    case 15: return choices.one(of: ["\"\\xff\"", "\"\\0\"", "(\"y\"):rep(300)", "\"é\"", "\"\\27[31m\""])
    case 16: return "kept.o"
    case 17: return "app:validate(\"\(reference())\").reason"
    case 18: return "self.field"
    case 19:
      return
        "setmetatable({}, { __index = \(choices.one(of: ["kept", "ctx", "self"])), __call = function(...) return ... end })"
    case 20: return "coroutine.create(function() end)"
    case 21: return "app.keep"
    case 22: return "tostring(\(choices.one(of: ["ctx", "self", "kept", "pass"])))"
    case 23: return native()
    default: return choices.one(of: ["true", "false", "nil", "\"text\""])
    }
  }

  /// A use of the program's own functions and objects.
  private mutating func native() -> String {
    let value = choices.one(of: [
      "1", "ctx", "self", "kept", "\"x\"", "-1", "1e300", "ctx.k", "kept.note", "function() end",
    ])
    return choices.one(of: [
      "prog.add(\(value), 2)", "prog.add { one = 1, other = \(value) }", "prog.words(\(value), 3)",
      "prog.words(\"w\", \(value))", "prog.fail(\(value))", "prog.keep(\(value))", "prog.kept()",
      "(function() kept.note = prog.\(choices.one(of: ["new", "note"]))() return kept.note end)()",
      "prog.close(kept.note)",
      "prog[\"do\"](\"\(reference())\")", "prog.later(\(value))", "prog.hold()", "kept.note:twice(\(value))",
      "kept.note.count", "(function() kept.note.count = \(value) end)()", "ctx:set(kept.note, \"count\", \(value))",
      "prog.\(choices.one(of: Self.keys))", "pcall(prog.keep, kept.note)",
    ])
  }
}

extension String {
  /// A block that other code may follow: an assignment replaces its return.
  fileprivate var withoutReturn: String { replacing("return ", with: "kept.r = ") }
}
