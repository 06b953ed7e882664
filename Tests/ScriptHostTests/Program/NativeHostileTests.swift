import Expectations
import Testing

@_spi(Measuring) @testable import ScriptHost

@Suite("Hostile scripts and functions of the embedding program")
struct NativeHostileTests {
  /// A host whose functions keep their arguments.
  private final class Keeper {
    let host = ScriptHost(limits: HostLimits(memory: 8 << 20))
    var kept: [Value] = []

    init() {
      host.function("keep.it", "value") { [unowned self] (value: Value) in kept.append(value) }
      host.function("keep.last") { [unowned self] in kept.last ?? .null }
      host.function("keep.add", "one", "other", reads: true) { (one: Int, other: Int) in one &+ other }
      host.function("keep.less", "one", "other", reads: true) { (one: Int, other: Int) in one < other }
      host.function("keep.text", "text", reads: true) { (text: String) in text.uppercased() }
    }
  }

  @Test("N1: A table that is too deep, too large, in itself or no list is refused at the script's line")
  func tables() {
    let keeper = Keeper()
    let table: [(String, String)] = [
      ("local t = {} for i = 1, 100 do t = { t } end keep.it(t)", "a table for the program can be 64 deep at most"),
      ("local t = {} t[1] = t keep.it(t)", "a table for the program can be 64 deep at most"),
      ("local t = { a = {} } t.a.b = t keep.it(t)", "a table for the program can be 64 deep at most"),
      (
        "local t = {} for i = 1, 60000 do t[i] = i end keep.it { t, t }",
        "a table for the program can have 100000 values at most"
      ),
      ("keep.it { [1.5] = 1 }", "a table for the program has names or places as keys, not a number"),
      ("keep.it { [print] = 1 }", "a table for the program has names or places as keys, not a function"),
      ("keep.it { 1, nil, 3 }", "a list for the program must have no gaps: place 2 is nil"),
      ("keep.it { 1, a = 2 }", "a table for the program must be a list or have names, not both"),
    ]
    for (line, message) in table { expect(keeper.host.done("local n = 1\n\(line)"), is: "2: \(message)", "\(line)") }
    expect(keeper.kept.isEmpty)
    expect(keeper.host.done("keep.it { [math.mininteger] = 1 }").contains("no gaps"))
  }

  @Test("N1: Large texts spend the script's memory, even if a script mentions one text often")
  func texts() {
    let keeper = Keeper()
    let lines = "local s, t = ('x'):rep(1000000), {} for i = 1, 200 do t[i] = s end keep.it(t)"
    expect(keeper.host.done(lines).contains("the scripts' memory limit of"))
    expect(keeper.host.done("return keep.add(1, 2)"), is: "3")
    keeper.host.function("keep.long", "count") { (count: Int) in String(repeating: "x", count: count) }
    keeper.host.function("keep.many") { [String](repeating: String(repeating: "x", count: 1_000_000), count: 100) }
    expect(
      keeper.host.done("return keep.long(10000000)"),
      is: "1: 'keep.long' returned a text of 10000000 bytes, and a text can have 1048512")
    expect(keeper.host.done("return #keep.long(1000000)"), is: "1000000")
    expect(keeper.host.done("return keep.many()").contains("the scripts' memory limit of"))
    expect(keeper.host.done("return keep.add(1, 2)"), is: "3")
  }

  @Test("N1: A function accepts itself, its table, the globals, the app and the context as arguments")
  func itself() {
    let keeper = Keeper()
    for value in ["keep", "keep.it", "_G", "app", "ctx", "app.on", "coroutine.create(print)", "null"] {
      _ = keeper.host.done("keep.it(\(value)) keep.it { \(value), \(value) } return keep.last()")
    }
    expect(keeper.host.done("keep.it(keep.it) return keep.last() == keep.it"), is: "true")
    expect(keeper.host.done("keep.it(app) return keep.last() == app"), is: "true")
    expect(
      keeper.host.done("keep.add(keep, keep)") == "1: 'one' of 'keep.add' must be an integer, not a table"
        || keeper.host.done("keep.add(keep, keep)").hasPrefix("1: 'one' of 'keep.add' must be an integer"))
    expect(keeper.host.done("return keep.add(2, 3)"), is: "5")
  }

  @Test("N1: Values that the program keeps outlive the host, and mean nothing to another host")
  func kept() {
    var kept: [Value] = []
    do {
      let keeper = Keeper()
      expect(
        keeper.host.done("keep.it(function() end) keep.it { f = function() end } keep.it(coroutine.create(print))"),
        is: "null")
      kept = keeper.kept
    }
    let other = ScriptHost()
    other.function("kept.at", "place") { (place: Int) in kept[place] }
    expect(kept.count, is: 3)
    expect(other.done("return kept.at(0)"), is: "null")
    expect(other.done("return type(kept.at(1)) .. type(kept.at(1).f)"), is: "tablenil")
  }

  @Test("N1: Coroutines, the library and metamethods call functions like any other")
  func everywhere() {
    let host = Keeper().host
    let keeper = Keeper()
    _ = host
    let table: [(String, String)] = [
      ("return coroutine.wrap(function() return keep.add(1, 2) end)()", "3"),
      ("local t = { 3, 1, 2 } table.sort(t, keep.less) return t[1] .. t[3]", "13"),
      ("return (('ab'):gsub('.', keep.text))", "AB"),
      ("return setmetatable({}, { __index = function(_, k) return keep.add(k, 1) end })[4]", "5"),
      ("return select('#', pcall(keep.add, 1, 'x'))", "2"),
      ("return (pcall(keep.add, 1, 'x'))", "false"),
      ("return keep.add(math.maxinteger, 1) == math.mininteger", "true"),
      ("return load('return keep.add(20, 3)')()", "23"),
    ]
    for (line, result) in table { expect(keeper.host.done(line), is: result, "\(line)") }
    expect(keeper.host.done("return setmetatable({}, { __gc = keep.it })").contains("null"), is: false)
    expect(keeper.kept.isEmpty)
  }

  @Test("N1: A loop of calls spends the script's limits, and a function that performs itself ends at the nesting limit")
  func endless() throws {
    let keeper = Keeper()
    expect(keeper.host.done("while true do keep.add(1, 2) end").contains("spent"))
    expect(keeper.host.done("while true do pcall(keep.add, 1, 'x') end").contains("spent"))
    let host = ScriptHost()
    var depth = 0
    host.function("again.run") { [unowned host] in
      depth += 1
      return host.perform("run").status.rawValue
    }
    expect(host.done("return again.run()"), is: "handled")
    expect(depth > 1 && depth < 1000)
  }

  @Test("N4: A script can't call a function that only another script may use")
  func handedOn() throws {
    var kept = Value.null
    let stage = try PluginStage([
      "app.lua": """
      app.allow = { "library.write" }
      function app.on:give() keep.it(library.import) return library.import() end
      """,
      "plugin.lua": """
      plugin { name = "thief", version = "1" }
      function app.on:steal() return keep.last()() end
      """,
    ])
    let host = stage.host
    host.function("keep.it", "value") { (value: Value) in kept = value }
    host.function("keep.last") { kept }
    host.function("library.import", needs: "library.write") { 7 }
    host.granted = [host.capability("library.write", "change your photo library")]
    try host.load(path: "\(stage.path)/app.lua")
    try host.load(plugins: ["\(stage.path)/plugin.lua"])
    expect(host.perform("give").result.shown, is: "7")
    expect(
      host.perform("steal").error?.message,
      is:
        "'library.import' is not granted to 'thief': it takes the capability 'library.write'; add it to 'allow' of its manifest"
    )
  }

  @Test("N2: A method can close its object, and a function can remove itself during a listing")
  func midst() throws {
    let host = ScriptHost()
    let picture = Picture("Pier")
    host["photo"] = .opaque(picture)
    host.type(Picture.self, name: "Photo") { photo in
      photo.property("name", \.name)
      photo.method("close") { [unowned host] photo in host.close(photo) }
    }
    expect(host.done("ctx.photo:close() return ctx.photo.name"), is: "1: this photo is closed")
    var handle: Registration?
    var count = 0
    handle = host.function("list.swap") { [unowned host] in
      count += 1
      handle?.remove()
      host.function("list.other\(count)") { 1 }
    }
    _ = host.done("for name, f in pairs(list) do f() end")
    expect(count, is: 1)
    expect(host.names(behind: ["list"]), is: ["other1"])
  }

  @Test("N1: Many calls of every kind leave nothing in the interpreter")
  func leftovers() throws {
    let keeper = Keeper()
    keeper.host.type(Picture.self, name: "Photo") { photo in
      photo.property("name", \.name)
      photo.method("same", reads: true) { $0 }
    }
    keeper.host.function("photos.new") { Picture("x") }
    let lines = """
      for i = 1, 100 do
        local p = photos.new()
        assert(p:same() == p and p.name == 'x')
        pcall(keep.add, {}, p)
        keep.text(p.name)
      end
      """
    expect(keeper.host.done(lines), is: "null")
    let before = try keeper.host.held()
    for _ in 0..<20 { keeper.host.perform("run") }
    let after = try keeper.host.held()
    expect(after.references == before.references && after.objects == before.objects)
  }
}
