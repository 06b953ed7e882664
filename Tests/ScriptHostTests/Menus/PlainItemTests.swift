import CInside
import CLua
import CScript
import Testing

@testable import ScriptHost

@Suite("Items that are nothing special")
struct PlainItemTests {
  @Test(
    "An item is the same, and what is wrong with it is told the same way, called with its fields alone or with one value more",
    arguments: 1...40)
  func equivalence(seed: UInt64) throws {
    var random = Chance(seed: seed)
    for _ in 0..<25 {
      let (title, fields) = (random.title(), random.fields())
      let (quick, general) = ("item(\(title))(\(fields))", "item(\(title))(\(fields), nil)")
      // Of several mistakes the first is told, and in one interpreter two equal tables have the same first.
      let both = Declared(
        "local function try(f) local ok, e = pcall(f) print(not ok and e or '') return ok and e end "
          + "menubar { menu 'M' { try(function() return \(quick) end) }, menu 'M' { try(function() return \(general) end) } }"
      )
      #expect(both.printed.count == 2 && both.printed.first == both.printed.last, "\(quick)")
      #expect(both.items.first == both.items.last, "\(quick)")
      guard both.printed.first == "" else { continue }
      let (one, other) = (
        Declared("menubar { menu 'M' { \(quick) } }"), Declared("menubar { menu 'M' { \(general) } }")
      )
      #expect(one == other, "\(quick)")
    }
  }

  @Test("A text that is known at first sight to be a reference is one, and its arguments have no names of the host's")
  func references() throws {
    let lua = try LuaState(above: clua_above())
    for name in HostNames.all {
      lua.push(text: name, on: lua.L)
      clua_addHostName(lua.L, clua_reference(lua.L), HostNames.fields.contains(name))
    }
    func looksPlain(_ text: String) -> Bool {
      text.utf8CString.withUnsafeBufferPointer { inside_looksPlain(lua.L, $0.baseAddress, $0.count - 1) }
    }
    var random = Chance(seed: 7)
    var plain = 0
    for _ in 0..<200_000 {
      let text = random.reference()
      guard looksPlain(text) else { continue }
      plain += 1
      let reference = try #require(try? Reference.parse(text), "\(text)")
      #expect(!(reference.arguments?.members ?? []).contains { HostNames.contains($0.key) }, "\(text)")
    }
    #expect(plain > 1000)
    for text in ["x", "a.b.c", "act(n: 12)", "export(format: jpeg, q: \"a b)\", v: -3)", "x()", "a-b_1( k :true )"] {
      #expect(looksPlain(text), "\(text)")
    }
  }

  @Test("They cost no object of the host's until somebody wants to know something of them")
  func objects() throws {
    let stage = try ScriptStage(
      """
      list = {}
      for i = 1, 1000 do list[i] = item("i" .. i) { "x(n: " .. i .. ")", subtitle = "s", args = { a = i } } end
      menubar { menu "M" (list) }
      function app.on:x(ctx) return ctx.n + ctx.a end
      function app.on:read() return list[7].title .. tostring(list[8]) .. list[9].action end
      """)
    let lua = try stage.host.scriptEngine().lua
    let before = clua_counters(lua.L).objects
    #expect(before < 500)
    #expect(stage.host.pick("M/i5").result.shownInteger == 10)
    #expect(stage.host.perform("read").result.shownText == "i7item 'i8'x(n: 9)")
    #expect((before + 3..<before + 50).contains(clua_counters(lua.L).objects))
    #expect(stage.host.menus().children[0].children.map(\.title) == (1...1000).map { "i\($0)" })
  }

  @Test("An element is the same value whether its object was needed or not")
  func identity() throws {
    try expect(
      """
      local plain, named = item "p" { "x", id = "p" }, item "n"
      local box = { plain }
      function app.on:x(ctx) return ctx.e end
      function app.on:go()
        print(app:perform("x", { e = plain }).result.title, app:perform("x", { e = named }).result.title)
        print(box[1] == plain, plain.id, plain.kind, plain.action, named.title, tostring(named))
        print(pcall(function() plain.title = "q" end))
        print(pcall(function() return plain { "y" } end))
        print(named { "y" } == named, named.action)
        print(getmetatable(plain), pcall(function() return plain + 1 end))
      end
      """,
      prints: """
        p\tn
        true\tp\titem\tx\tn\titem 'n'
        false\tapp.lua:7: item 'p' can't be changed: declare it as it should be
        false\tapp.lua:8: this calls item 'p', which is complete: is a comma missing behind it?
        true\ty
        false\tfalse\tapp.lua:10: attempt to perform arithmetic on a menu element value (upvalue 'plain')
        """)
  }

  @Test("A plugin that is gone makes no more items")
  func gone() throws {
    let stage = try ScriptStage("")
    let engine = try stage.host.scriptEngine()
    defer { withExtendedLifetime(stage) {} }
    func itemOfGone() throws -> LuaFunction? {
      let script = try engine.addOwner(Owner(name: "other"))
      guard case .function(let item) = try engine.scriptName("item", of: script) else { return nil }
      #expect(try engine.lua.call(item, "t").count == 1)
      engine.forget(script)
      return item
    }
    let item = try #require(try itemOfGone())
    let error = try #require(throws: LuaError.self) { try engine.lua.call(item, "t") }
    #expect("\(error)".contains("the script of 'other' is gone"))
  }

  @Test("M4, M6: Where rows are made again of the same, their elements stay, and so does the tree where nothing moved")
  func rows() throws {
    let stage = try ScriptStage(
      """
      list = {}
      for i = 1, 20 do list[i] = { name = "n" .. i, id = i } end
      menubar { menu "M" { section "s" { items = function() return list end, id = function(v) return v.id end,
        row = function(v) return item(v.name) { "x", args = { to = v.id } } end } } }
      function app.on:x(ctx) return ctx.to end
      function app.on:keep() end
      function app.on:move() table.insert(list, 12, table.remove(list, 3)) end
      function app.on:rename() list[5].name = "new" end
      function app.on:cut() for i = 1, 7 do table.remove(list, 1) end end
      function app.on:odd() list[4].name = "a\\tb" end
      """)
    func rows() -> [MenuNode] { stage.host.menuTrees.snapshotTree().root.children[0].children[0].children }
    func elements() -> [ObjectIdentifier] { rows().map { ObjectIdentifier($0.element) } }
    let (tree, first) = (stage.host.menuTrees.snapshotTree(), rows())
    _ = stage.perform("keep")
    #expect(stage.host.menuTrees.snapshotTree() === tree)
    _ = stage.perform("move")
    #expect(stage.host.menuTrees.snapshotTree() === tree)
    #expect(rows().map(\.id) == ([1, 2] + Array(4...12) + [3] + Array(13...20)).map { "\($0)" })
    #expect(elements().count { id in first.contains { ObjectIdentifier($0.element) == id } } == 19)
    let moved = elements()
    _ = stage.perform("rename")
    #expect(zip(moved, elements()).count { $0 != $1 } == 1)
    #expect(rows()[4].element.title == "new" && stage.host.pick("6").result.shownInteger == 6)
    _ = stage.perform("cut")
    #expect(rows().map(\.id) == ([9, 10, 11, 12, 3] + Array(13...20)).map { "\($0)" })
    _ = stage.perform("odd")
    #expect(rows().map(\.element.title).prefix(5) == ["n9", "n10", "n11", "a\u{FFFD}b", "n3"])
    _ = stage.perform("keep")
    #expect(rows().map(\.element.title).prefix(5) == ["n9", "n10", "n11", "a\u{FFFD}b", "n3"])
    #expect(stage.host.pick("12").result.shownInteger == 12 && stage.host.pick("3").result.shownInteger == 3)
  }

  @Test("M5: Rows that come, go and move in a tree that stands give what a tree made anew is", arguments: 1...12)
  func adjusting(seed: UInt64) throws {
    let script = """
      local a, b = {}, {}
      local function rows(of)
        return { header = "H", footer = "F", empty = "E", items = of, id = function(v) return v.id end,
          row = function(v) return item(v.t) { "x", subtitle = v.t } end }
      end
      menubar { menu "M" { item "T" { "x" }, item "T" { "x" }, section "s" (rows(function() return a end)),
        menu "N" { item "T" { "x" }, section "t" (rows(function() return b end)) }, item "T" { "x" } } }
      function app.on:x() end
      function app.on:set(ctx) a, b = ctx.a, ctx.b end
      """
    var random = Chance(seed: seed)
    let paths = ["M/T", "M/T#2", "M/T#3", "s/header", "t/footer", "s/empty", "M/N/T"]
    var lists: [[(id: String, title: String)]] = [[], []]
    let stage = try ScriptStage(script)
    var tree = stage.host.menuTrees.snapshotTree()
    var stayed = 0
    for _ in 0..<40 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let which = Int.random(in: 0...1, using: &random)
        let id = random.once(in: 12) ? random.pick(paths) : "r\(Int.random(in: 0..<30, using: &random))"
        if let index = lists[which].indices.randomElement(using: &random), random.once(in: 2) {
          let row = lists[which].remove(at: index)
          if random.once(in: 3) { lists[which].insert((row.id, "n"), at: index) }
          if random.once(in: 2) { lists[which].append(row) }
        } else if !lists.joined().contains(where: { $0.id == id }) {
          lists[which].insert((id, "t"), at: Int.random(in: 0...lists[which].count, using: &random))
        }
        for index in lists.indices {
          var met: Set<String> = []
          lists[index].removeAll { !met.insert($0.id).inserted }
        }
      }
      let texts = lists.map { list in list.map { #"{"id": "\#($0.id)", "t": "\#($0.title)"}"# }.joined(separator: ", ")
      }
      let reference = "set(a: [\(texts[0])], b: [\(texts[1])])"
      #expect(stage.perform(reference) == "handled by app via on")
      let fresh = try ScriptStage(script)
      _ = fresh.perform(reference)
      #expect(stage.host.menus() == fresh.host.menus(), "\(reference)")
      #expect(stage.host.menuTrees.snapshotTree().count == fresh.host.menuTrees.snapshotTree().count)
      let now = stage.host.menuTrees.snapshotTree()
      if now === tree { stayed += 1 }
      tree = now
    }
    #expect(stayed > 0)
    #expect(stage.takeMessages() == [])
  }
}

/// What came of declaring something: the items as they stand in the tree, what was printed, and what was told.
private struct Declared: Equatable {
  var items: [String] = []
  var printed: [String] = []
  var told: [String] = []

  init(_ script: String) {
    let host = ScriptHost()
    var printed: [String] = []
    host.onPrint = { printed.append($0) }
    do {
      try host.load(text: script, name: "app.lua")
    } catch {
      told.append("\(error)")
    }
    self.printed = printed
    for menu in host.menuTrees.snapshotTree().root.children { items.append(menu.children.first?.line ?? "") }
    told += host.takeDiagnostics().map { "\($0.place?.description ?? ""): \($0.message) \($0.help ?? "")" }.sorted()
  }
}

extension MenuNode {
  fileprivate var line: String {
    let facts = element.facts
    return [
      "\(facts.kind)", facts.title, facts.action, facts.key ?? "-", "\(facts.state) \(facts.isStated)",
      "\(facts.hidden)",
      "\(facts.destructive)", "\(facts.keepsOpen)", "\(String(describing: facts.details))", element.id ?? "-",
      element.disabled.map { "\($0) \(element.saysWhy)" } ?? "-", element.place.map { "\($0)" } ?? "-",
      element.action.map { "\($0.raw) \($0.reference) \($0.own) \($0.arguments) \($0.skipsValidation)" } ?? "-",
    ].joined(separator: " | ")
  }
}

extension Chance {
  fileprivate mutating func title() -> String {
    pick(["'T'", "'★ é'", "''", "'a/b'", "'a\\1b'", "'\\xff'", "('x'):rep(5000)", "'\\u{a0}'", "'\\u{85}'", "5", "nil"])
  }

  private mutating func text() -> String {
    pick([
      "'s'", "''", "'ü'", "'a\\nb'", "'\\xc3'", "('y'):rep(3000)", "true", "5", "print", "{}", "nil", "'on'", "'mixed'",
    ])
  }

  private mutating func action() -> String {
    pick([
      "'x'", "'a.b'", "'x(n: 1)'", "'x(n: 1, to: \"a\")'", "'x(sender: 1)'", "'x(n: 1, n: 2)'", "'x('", "'é'", "''",
      "5",
      "'x(skip_validation: true)'", "'x(a: [1])'", "'x(n: 1.50)'", "'x(n: 99999999999999999999)'", "print", "false",
      "'x()'",
    ])
  }

  private mutating func arguments() -> String {
    let names = ["a", "b", "to", "n", "sender", "['ü']", "skip_validation", "['\\xff']", "[1]", "['x y']"]
    let values = [
      "1", "1.5", "0/0", "'t'", "true", "false", "'\\xff'", "'a\\0b'", "{}", "print", "null", "-0.0", "app",
    ]
    let count = Int.random(in: 0...10, using: &self)
    return "{ " + (0..<count).map { _ in "\(pick(names)) = \(pick(values))" }.joined(separator: ", ") + " }"
  }

  /// The table of an item's fields, most of them right.
  fileprivate mutating func fields() -> String {
    var parts: [String] = Bool.random(using: &self) ? [action()] : ["'x'"]
    for _ in 0..<Int.random(in: 0...4, using: &self) {
      switch Int.random(in: 0..<14, using: &self) {
      case 0...2: parts.append("\(pick(["subtitle", "icon", "confirm", "id"])) = \(text())")
      case 3...4: parts.append("args = \(Int.random(in: 0..<8, using: &self) == 0 ? text() : arguments())")
      case 5...7:
        parts.append(
          "\(pick(["hidden", "destructive", "keeps_open", "enabled", "state"])) = \(pick(["true", "false"]))")
      case 8: parts.append("state = \(text())")
      case 9: parts.append("\(pick(["hidden", "enabled", "destructive"])) = \(text())")
      case 10: parts.append("key = \(pick(["'ctrl+k'", "'K'", "'nokey+'", "5"]))")
      case 11: parts.append("\(pick(["sub", "keepsopen", "['\\xff']", "[2]", "[1.5]", "[true]"])) = \(text())")
      case 12: parts.append("alternates = { alt = item 'O' { 'y' } }")
      default: parts.append("id = 'i'")
      }
    }
    return "{ " + parts.joined(separator: ", ") + " }"
  }

  /// A text that is a reference, or nearly one.
  fileprivate mutating func reference() -> String {
    let pieces = [
      "a", "act", "x.y", ".", "(", ")", "(", ")", "n", ":", ": ", ",", ", ", " ", "1", "-", "07", "0", "true", "null",
      "\"", "\"s\"", "\\", "é",
      "sender", "args", "_", "9", "1e9", "[", "{", "n: 1", "to: a", "(k: v)", "\t", "123456789012345678",
    ]
    return (0..<Int.random(in: 1...9, using: &self)).map { _ in pick(pieces) }.joined()
  }
}
