import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("References")
struct LuaReferenceTests {
  /// Every operation of a state on values of another state.
  static let uses: [(name: String, use: @Sendable (LuaState, LuaTable, LuaFunction) throws -> Void)] = [
    ("call", { lua, _, function in _ = try lua.call(function) }),
    ("an argument", { lua, table, _ in _ = try lua.call(lua.load("", name: "t"), 1, .table(table)) }),
    ("get", { lua, table, _ in _ = try lua.get("x", of: table) }),
    ("a key", { lua, _, function in try lua.rawSet(.function(function), 1, of: lua.newTable()) }),
    ("a value", { lua, table, _ in try lua.rawSet("x", .table(table), of: lua.newTable()) }),
    ("rawGet", { lua, table, _ in _ = try lua.rawGet("x", of: table) }),
    ("rawSet", { lua, table, _ in try lua.rawSet("x", 1, of: table) }),
    ("forEach", { lua, table, _ in try lua.forEach(in: table) { _, _ in true } }),
    ("rawCount", { lua, table, _ in _ = try lua.rawCount(of: table) }),
    ("tree", { lua, table, _ in _ = try lua.tree(.table(table)) }),
    ("describe", { lua, table, _ in _ = try lua.describe(.table(table)) }),
    ("an environment", { lua, table, _ in _ = try lua.load("", name: "t", environment: table) }),
  ]

  @Test("Every use of a value of another state, open or closed, is an error", arguments: [true, false])
  func foreign(open: Bool) throws {
    var other: LuaState? = try LuaState()
    let owner = try require(other)
    let function = try owner.load("return 1", name: "t")
    let table = owner.newTable()
    for (name, use) in Self.uses {
      if !open { other = nil }
      try withLua { lua in
        let error = try #require(throws: LuaError.self, "\(name)") { try use(lua, table, function) }
        expect(error.kind, is: .foreign, "\(name)")
      }
    }
    if open { try expect(owner.call(function).shown, is: "1") }
  }

  @Test("References outlive their state and know that it is closed")
  func outlive() throws {
    var lua: LuaState? = try LuaState()
    let table = try require(lua).newTable()
    let function = try require(lua).load("return 1", name: "t")
    expect(table.reference.isOpen && function.reference.isOpen)
    lua = nil
    expect(!table.reference.isOpen && !function.reference.isOpen)
  }

  @Test("A state can close while functions, objects and references to them are held")
  func closing() throws {
    let census = Census()
    var kept: [LuaValue] = []
    do {
      let lua = try LuaState()
      let table = lua.newTable()
      let function = lua.function { _ in .values([.table(table), .object(census.witness())]) }
      try lua.define("make") { .values(try $0.state.call(function)) }
      kept = try lua.run(
        "all = {}; for i = 1, 10 do all[i] = table.pack(make()) end; co = coroutine.wrap(make); return all, make, co")
      kept += [.function(function), .table(table)]
      expect(census.living, is: 10)
    }
    expect(census.living, is: 0)
    expect(kept.count, is: 5)
  }

  @Test("A state that is dropped by a function it runs closes after the call")
  func droppedWhileRunning() throws {
    final class Owner { var lua: LuaState? }
    let census = Census()
    let owner = Owner()
    owner.lua = try LuaState()
    try owner.lua?.rawSet("held", .object(census.witness()), of: try require(owner.lua).globals)
    try owner.lua?.define("drop") { _ in
      owner.lua = nil
      return .values([.integer(census.living)])
    }
    let function = try require(try owner.lua?.load("return drop(), #{}", name: "t"))
    try expect(owner.lua?.call(function).shown, is: "1, 0")
    expect(owner.lua == nil)
    expect(census.living, is: 0)
  }

  @Test("The state reuses the numbers of dropped references")
  func reused() throws {
    try withLua { lua in
      let before = LuaHoldings(lua).references
      for _ in 1...10_000 { _ = lua.newTable() }
      expect(clua_rawLength(lua.L, -1_001_000) < 100)
      expect(LuaHoldings(lua).references, is: before)
    }
  }
}
