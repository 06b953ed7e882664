import Glibc

// What whole processes cost: the tool, as it was built beside this program, against another program.

func processRows() -> [Row] { [startRow(), faceStartRow(), keyRow(), menuRow(), testsRow(), assistantRow()] }

/// The photo app's first frame in the face at a terminal, against loading and showing it.
private func faceStartRow() -> Row {
  let app = "scripts/photos/app.lua"
  return Row(
    name: "ui-start", bound: 1.3, opponent: .program("menuctl load"), iterations: 1, answer: { $0 }
  ) {
    let folder = try TemporaryFolder("ui-start")
    let tool = try tool(in: folder)
    return Sides(
      ours: { count in
        var shown = 0
        for _ in 0..<count where try tool.runAtTerminal(["ui", app, "--alone"], until: "The city") { shown += 1 }
        return withExtendedLifetime(folder) { shown }
      },
      floor: { count in
        var said = 0
        for _ in 0..<count where try tool.run(["load", app]).contains("chain:") { said += 1 }
        return withExtendedLifetime(folder) { said }
      }, clocks: (programTime, programTime))
  }
}

/// All that a move in a panel of 10,000 rows causes, each with a `look` and a `can`, against 100 rows; never more than 200 bytes.
private func keyRow() -> Row {
  terminalRow("ui-key", against: "ui-key in 100 rows", keys: [down], bytes: 200, of: 10_000, and: 100) { rows in
    """
    local list, rows = responder "list", {}
    for i = 1, \(rows) do rows[i] = i end
    panel { section "rows" { items = function() return rows end, id = function(r) return tostring(r) end,
      row = function(r) return item("Row " .. r) { "show(n: " .. r .. ")" } end } }
    function list.on:show(ctx) end
    function list.can:show(ctx) return ctx.n ~= 7 end
    function list.look:show(ctx) return { subtitle = "n" .. ctx.n } end
    focus(list)
    """
  }
}

/// All that it takes to open a menu of 50 items and to close it, in an app of 10,000 items against one of 50.
private func menuRow() -> Row {
  let keys: [[UInt8]] = [[0x1B, 0x66], [0x1B]]
  return terminalRow("ui-menu", against: "ui-menu among 50", keys: keys, bytes: 8192, of: 199, and: 0) { menus in
    """
    local items = {}
    for i = 1, 50 do items[i] = i end
    local function fifty(title)
      return menu(title) { section(title .. " all") { items = function() return items end,
        id = function(i) return title .. "-" .. i end,
        row = function(i) return item("Do " .. i) { "act(n: " .. i .. ")" } end } }
    end
    local bar = { fifty "First" }
    for m = 1, \(menus) do bar[1 + m] = fifty("Menu " .. m) end
    menubar(bar)
    panel { item "Row 1" { "act(n: 1)" } }
    function app.on:act(ctx) end
    function app.can:act(ctx) return ctx.n ~= 7 end
    """
  }
}

private let down = Array("\u{1B}[B".utf8)

/// Keys in the tool at a terminal, in an app that has much and in one that has less. What they answer is how many of the frames had no more bytes
/// than they may.
private func terminalRow(
  _ name: String, against other: String, keys: [[UInt8]], bytes most: Int, of much: Int, and little: Int,
  app: @escaping (Int) -> String
) -> Row {
  Row(name: name, bound: 1.2, opponent: .program(other), rounds: 5, iterations: 10, answer: { $0 }) {
    let folder = try TemporaryFolder(name)
    let tool = try tool(in: folder)
    func side(_ size: Int) throws -> (body: Body, clock: Clock) {
      let script = try folder.write("app\(size).lua", app(size))
      let run = try tool.atTerminal(["ui", script, "--alone"])
      guard run.reads("Row 1") else { throw BenchError("'\(name)' shows nothing") }
      _ = run.settle()
      // The first time everything is drawn that is not there yet.
      for key in keys { _ = run.type(key) }
      let body: Body = { count in
        var small = 0
        for index in 0..<count where run.type(keys[index % keys.count]) <= most { small += 1 }
        return withExtendedLifetime(folder) { small }
      }
      return (body, { run.time })
    }
    let (ours, theirs) = (try side(much), try side(little))
    return Sides(ours: ours.body, floor: theirs.body, clocks: (ours.clock, theirs.clock))
  }
}

/// The photo app loaded and shown, against Lua loading the same files where every word of ours does nothing.
private func startRow() -> Row {
  let app = "scripts/photos/app.lua"
  let standIns = """
    any_ = setmetatable({}, { __call = function() return any_ end, __index = function() return any_ end, __newindex = function() end,
      __add = function() return 0 end, __concat = function() return "" end, __len = function() return 0 end, __lt = function() return false end })
    print("chain:")
    setmetatable(_G, { __index = function() return any_ end })
    package.path = "scripts/photos/?.lua"
    dofile("\(app)")
    """
  return processRow("start", bound: 1.5, against: .lua, says: "chain:") { folder in
    (["load", app], [try folder.write("stand.lua", standIns)])
  }
}

/// A hundred trivial tests, against busted.
private func testsRow() -> Row {
  let ours = (1...100).map { "test(\"test \($0)\", function() expect(1 + 1):is(2) end)" }
  let theirs = (1...100).map { "it(\"test \($0)\", function() assert.are.equal(2, 1 + 1) end)" }
  return processRow("tests", bound: 0.5, rounds: 11, against: .busted, says: "100") { folder in
    _ = try folder.write("a_test.lua", ours.joined(separator: "\n"))
    let spec = "describe(\"all\", function()\n\(theirs.joined(separator: "\n"))\nend)"
    return (["test", folder.path], [try folder.write("a_spec.lua", spec)])
  }
}

/// A row of the tool and a peer, both run with what a body gives, which may be files in a folder that is made for each round;
/// what both print has a text in it.
private func processRow(
  _ name: String, bound: Double, rounds: Int = Row.usualRounds, against peer: Peer, says text: String,
  arguments: @escaping (TemporaryFolder) throws -> (ours: [String], theirs: [String])
) -> Row {
  Row(
    name: name, bound: bound, opponent: .program(peer.name), rounds: rounds, iterations: 1, answer: { $0 },
    missing: { peer.missing }
  ) {
    let folder = try TemporaryFolder(name)
    let arguments = try arguments(folder)
    func run(_ program: Program, _ arguments: [String]) -> Body {
      { count in
        var said = 0
        for _ in 0..<count where try program.run(arguments).contains(text) { said += 1 }
        return withExtendedLifetime(folder) { said }
      }
    }
    return Sides(
      ours: run(try tool(in: folder), arguments.ours), floor: run(try peer.program(), arguments.theirs),
      clocks: (programTime, programTime))
  }
}

/// The release build of the tool, which stands beside that of this program, as it is installed: what a linker has written a page at a time
/// is mapped a page at a time, as long as it is in memory.
func tool(in folder: TemporaryFolder) throws -> Program {
  let parts = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
  guard let index = parts.firstIndex(of: ".build") else { throw BenchError("this is not run from its .build") }
  return Program(at: try folder.copy((parts[...index] + ["release", "menuctl"]).joined(separator: "/"), as: "menuctl"))
}
