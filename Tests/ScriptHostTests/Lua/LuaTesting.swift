import CInside
import CLua
import Expectations
import Glibc
import Testing

@testable import ScriptHost

/// Counts the living Swift objects that a test made.
final class Census {
  fileprivate(set) var living = 0

  func witness(_ name: String = "") -> Witness { Witness(name, in: self) }
}

/// An object whose release the test notices.
final class Witness {
  let name: String
  private let census: Census

  fileprivate init(_ name: String, in census: Census) {
    self.name = name
    self.census = census
    census.living += 1
  }

  deinit { census.living -= 1 }
}

/// An error that is an object, so that tests can tell two errors apart and notice their release.
final class WitnessError: Error, CustomStringConvertible, @unchecked Sendable {
  let description: String
  private let witness: Witness

  init(_ description: String, in census: Census) {
    self.description = description
    witness = census.witness()
  }
}

/// The values that a test could have left in a state.
struct LuaHoldings: Equatable {
  var top: Int32
  var hostDepth: Int32
  var objects: Int32
  var references: Int

  /// Counts after collecting all unreachable values.
  init(_ lua: LuaState) {
    lua.collect()
    let counters = clua_counters(lua.L)
    top = clua_top(lua.L)
    hostDepth = counters.hostDepth
    objects = counters.objects
    references = lua.referenceCount
  }
}

/// Runs a test in a new state and checks that it leaves nothing: on the stack, in the registry, in Lua's hands.
func withLua(
  limits: LuaLimits = LuaLimits(), at location: SourceLocation = #_sourceLocation,
  _ body: (LuaState, Census) throws -> Void
) throws {
  let census = Census()
  let lua = try LuaState(limits: limits)
  let library = try lua.globalNames()
  let before = LuaHoldings(lua)
  try body(lua, census)
  try lua.removeGlobals(except: library)
  let after = LuaHoldings(lua)
  expect(before.hostDepth, is: 1, sourceLocation: location)
  expect(after, is: before, "what a test made is gone after it", sourceLocation: location)
  expect(census.living, is: 0, "every object that Lua held is released", sourceLocation: location)
}

func withLua(
  limits: LuaLimits = LuaLimits(), at location: SourceLocation = #_sourceLocation, _ body: (LuaState) throws -> Void
) throws {
  try withLua(limits: limits, at: location) { lua, _ in try body(lua) }
}

extension LuaState {
  /// A fresh table of globals: the whole library, and nothing else.
  func newEnvironment() -> LuaTable {
    inside_newEnvironment(L)
    return LuaTable(reference: takeReference())
  }

  /// Runs a body within an allowance like the host's.
  func within<Result>(_ allowance: Allowance, _ body: () throws -> Result) throws -> Result {
    try within(nanoseconds: allowance.nanoseconds, instructions: allowance.instructions, body)
  }

  /// Compiles a script of the first owner.
  func load(_ text: String, name: String, environment: LuaTable? = nil) throws(LuaError) -> LuaFunction {
    try load(bytes: Array(text.utf8), name: name, environment: environment)
  }

  /// Loads a chunk and calls it.
  @discardableResult
  func run(_ text: String, _ arguments: LuaValue..., name: String = "test.lua") throws -> [LuaValue] {
    try call(load(text, name: name), arguments: arguments)
  }

  /// Makes a Swift function a global of the scripts.
  func define(_ name: String, _ body: @escaping (LuaCall) throws -> LuaReturn) throws {
    try rawSet(.text(name), .function(function(body)), of: globals)
  }

  /// The error that a chunk ends with.
  func error(of text: String, name: String = "test.lua") throws -> LuaError {
    try #require(throws: LuaError.self) { _ = try self.run(text, name: name) }
  }

  fileprivate func globalNames() throws -> Set<String> {
    var names: Set<String> = []
    try forEach(in: globals) { key, _ in
      if case .text(let name) = key { names.insert(name) }
      return true
    }
    return names
  }

  fileprivate func removeGlobals(except kept: Set<String>) throws {
    for name in try globalNames().subtracting(kept) { try rawSet(.text(name), .nil, of: globals) }
  }
}

extension LuaValue {
  /// The value as a test writes it: `"text"`, `1`, `1.0`, `<ff>` for bytes, the type for a reference.
  var shown: String {
    switch self {
    case .nil: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): "\"\(value)\""
    case .bytes(let value): "<" + value.map { String($0, radix: 16) }.joined(separator: " ") + ">"
    default: typeName
    }
  }
}

extension [LuaValue] {
  var shown: String { map(\.shown).joined(separator: ", ") }
}

/// The payload of a value. A test requires it, so that another value is a failure and not a silent end.
extension LuaValue {
  var function: LuaFunction? { if case .function(let function) = self { function } else { nil } }
  var table: LuaTable? { if case .table(let table) = self { table } else { nil } }
}
