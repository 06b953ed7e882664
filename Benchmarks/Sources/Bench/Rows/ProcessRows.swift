import Glibc

// What whole processes cost: the tool, as it was built beside this program, against another program.

func processRows() -> [Row] { [startRow(), faceStartRow(), testsRow()] }

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
        for _ in 0..<count where try tool.runAtTerminal(["ui", app, "--alone"], until: "Gulls") { shown += 1 }
        return withExtendedLifetime(folder) { shown }
      },
      floor: { count in
        var said = 0
        for _ in 0..<count where try tool.run(["load", app]).contains("chain:") { said += 1 }
        return withExtendedLifetime(folder) { said }
      }, clocks: (programTime, programTime))
  }
}

/// The photo app loaded and shown, against Lua loading the same file where every word of ours does nothing.
private func startRow() -> Row {
  let app = "scripts/photos/app.lua"
  let standIns = """
    any_ = setmetatable({}, { __call = function() return any_ end, __index = function() return any_ end, __newindex = function() end,
      __add = function() return 0 end, __concat = function() return "" end, __len = function() return 0 end, __lt = function() return false end })
    print("chain:")
    setmetatable(_G, { __index = function() return any_ end })
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
private func tool(in folder: TemporaryFolder) throws -> Program {
  let parts = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
  guard let index = parts.firstIndex(of: ".build") else { throw BenchError("this is not run from its .build") }
  return Program(at: try folder.copy((parts[...index] + ["release", "menuctl"]).joined(separator: "/"), as: "menuctl"))
}
