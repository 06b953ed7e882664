import Expectations
import Testing

@testable import ScriptHost

@Suite("Rows that are made again from the same values")
struct SameRowsTests {
  @Test("An element is the same value wherever a script finds it")
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
        false\tapp.lua:7: item 'p' can't be changed: set its fields where you declare it
        false\tapp.lua:8: item 'p' is called like a function; put a comma after it
        true\ty
        false\tfalse\tapp.lua:10: attempt to perform arithmetic on a menu element value (upvalue 'plain')
        """)
  }

  @Test("An unloaded plugin can't make items")
  func gone() throws {
    let stage = try ScriptStage("")
    let engine = try stage.host.scriptEngine()
    defer { withExtendedLifetime(stage) {} }
    func itemOfGone() throws -> LuaFunction? {
      let script = try engine.addOwner(Owner(name: "other"))
      guard case .function(let item) = try engine.scriptName("item", of: script) else { return nil }
      try expect(engine.lua.call(item, "t").count, is: 1)
      engine.forget(script)
      return item
    }
    let item = try require(try itemOfGone())
    let error = try #require(throws: LuaError.self) { try engine.lua.call(item, "t") }
    expect("\(error)".contains("the script of 'other' is gone"))
  }

  @Test("M4: If all rows stay the same, the tree stays")
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
    let tree = stage.host.menuTrees.snapshotTree()
    _ = stage.perform("keep")
    expect(stage.host.menuTrees.snapshotTree() === tree)
    _ = stage.perform("move")
    expect(rows().map(\.id), is: ([1, 2] + Array(4...12) + [3] + Array(13...20)).map { "\($0)" })
    _ = stage.perform("rename")
    expect(rows()[4].element.title == "new" && stage.host.pick("6").result.shownInteger == 6)
    _ = stage.perform("cut")
    expect(rows().map(\.id), is: ([9, 10, 11, 12, 3] + Array(13...20)).map { "\($0)" })
    _ = stage.perform("odd")
    expect(rows().map(\.element.title).prefix(5), is: ["n9", "n10", "n11", "a\u{FFFD}b", "n3"])
    _ = stage.perform("keep")
    expect(rows().map(\.element.title).prefix(5), is: ["n9", "n10", "n11", "a\u{FFFD}b", "n3"])
    expect(stage.host.pick("12").result.shownInteger == 12 && stage.host.pick("3").result.shownInteger == 3)
  }

  @Test("M5: Rows that come, go and move give the same tree as a new build", arguments: 1...12)
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
      expect(stage.perform(reference), is: "handled by app via on")
      let fresh = try ScriptStage(script)
      _ = fresh.perform(reference)
      expect(stage.host.menus(), is: fresh.host.menus(), "\(reference)")
      expect(stage.host.menuTrees.snapshotTree().count, is: fresh.host.menuTrees.snapshotTree().count)
      let now = stage.host.menuTrees.snapshotTree()
      if now === tree { stayed += 1 }
      tree = now
    }
    expect(stayed > 0)
    expect(stage.takeMessages(), is: [])
  }
}
