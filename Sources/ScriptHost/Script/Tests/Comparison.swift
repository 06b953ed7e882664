import CLua

/// Compares two values of Lua's with everything in them, and finds in which parts they differ.
///
/// Tables are the same when what is in them is, be they with metatables or without; a table that holds itself is the
/// same as one that does so in the same place. Objects of the host's are the same when Lua says so, functions and
/// coroutines when they are the same one. Numbers are the same as in Lua, but nan is nan.
struct Comparison {
  private static let mostParts = 100_000
  private static let deepest = 64
  private static let mostShown = 10

  private struct Pair: Hashable {
    let expected: UnsafeRawPointer
    let found: UnsafeRawPointer
  }

  private let engine: ScriptEngine
  private var lua: LuaState { engine.lua }
  private var parts = 0
  private var depth = 0
  private var under: Set<Pair> = []
  /// The first few parts in which they differ.
  private(set) var differences: [ScriptTestDifference] = []
  /// How many other parts differ.
  private(set) var more = 0

  init(_ engine: ScriptEngine) { self.engine = engine }

  /// What differs, in one sentence; nil where nothing does.
  var sentence: String? {
    guard let first = differences.first else { return nil }
    let place = first.path.isEmpty ? "" : "at \(first.path): "
    let others = differences.count - 1 + more
    let rest = others == 0 ? "" : " (and \(others) more \(others == 1 ? "difference" : "differences"))"
    return "\(place)expected \(first.expected), found \(first.found)\(rest)"
  }

  mutating func compare(_ expected: LuaValue, _ found: LuaValue) throws { try compare(expected, found, at: "") }

  private mutating func compare(_ expected: LuaValue, _ found: LuaValue, at path: String) throws {
    parts += 1
    if parts > Self.mostParts { throw LuaMisuse("values of more than \(Self.mostParts) parts are not compared") }
    if try isSame(expected, found) { return }
    if case .table(let left) = expected, case .table(let right) = found,
      try !engine.isHostTable(left), try !engine.isHostTable(right)
    {
      return try compare(tables: left, right, at: path)
    }
    note(expected, found, at: path)
  }

  private mutating func note(_ expected: LuaValue, _ found: LuaValue, at path: String) {
    guard differences.count < Self.mostShown else {
      more += 1
      return
    }
    let texts = ValueText(engine).of(expected, besides: found)
    differences.append(ScriptTestDifference(path: path, expected: texts.expected, found: texts.found))
  }

  // MARK: Tables

  private mutating func compare(tables expected: LuaTable, _ found: LuaTable, at path: String) throws {
    let pair = Pair(expected: try lua.identity(of: expected), found: try lua.identity(of: found))
    guard under.insert(pair).inserted else { return }
    defer { under.remove(pair) }
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest {
      throw LuaMisuse("values that are nested more than \(Self.deepest) deep are not compared")
    }
    for (key, left) in try entries(of: expected) {
      try compare(left, try lua.rawGet(key, of: found), at: path + ValueText.path(key))
    }
    for (key, right) in try entries(of: found) {
      if case .nil = try lua.rawGet(key, of: expected) { try compare(.nil, right, at: path + ValueText.path(key)) }
    }
  }

  /// Lua has no fixed order, and the first difference must always be the same.
  private func entries(of table: LuaTable) throws -> [(LuaValue, LuaValue)] {
    var entries: [(LuaValue, LuaValue)] = []
    try lua.forEach(in: table) { key, value in
      entries.append((key, value))
      if entries.count > Self.mostParts {
        throw LuaMisuse("values of more than \(Self.mostParts) parts are not compared")
      }
      return true
    }
    return ValueText.sorted(entries)
  }

  // MARK: Parts

  private func isSame(_ left: LuaValue, _ right: LuaValue) throws -> Bool {
    switch (left, right) {
    case (.nil, .nil): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.integer(let left), .integer(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right || left.isNaN && right.isNaN
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      return Int(exactly: number) == integer
    case (.text(let left), .text(let right)): return left.hasSameBytes(as: right)
    case (.bytes(let left), .bytes(let right)): return left == right
    case (.object(let left), .object(let right)) where left === right: return true
    case (.table(let mine), .table(let other)):
      if try engine.isHostTable(mine), try engine.isHostTable(other) { return try isEqualToLua(left, right) }
      return try isSameOne(left, right)
    case (.function, .function), (.thread, .thread), (.object, .object): return try isSameOne(left, right)
    default: return false
    }
  }

  private func isSameOne(_ left: LuaValue, _ right: LuaValue) throws -> Bool {
    let top = clua_top(lua.L)
    defer { clua_setTop(lua.L, top) }
    try lua.push(left, on: lua.L)
    try lua.push(right, on: lua.L)
    return clua_rawEqual(lua.L, -1, -2)
  }

  /// The result of `==`: two tables of the host's may stand for the same object.
  private func isEqualToLua(_ left: LuaValue, _ right: LuaValue) throws -> Bool {
    if try isSameOne(left, right) { return true }
    let equal = try lua.load(own: "local a, b = ... return a == b", name: "comparison")
    return try lua.call(equal, left, right).first?.isTrue ?? false
  }
}
