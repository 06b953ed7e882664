import CLua

// `app.keep`: a table for each owner, of plain data, which survives a reload of its script.

extension ScriptEngine {
  private static let keptName = "app.keep"
  private static let keptDepth = 64
  private static let keptLimit = 100_000

  /// What an owner keeps, made when it is first asked for.
  func kept(by script: ScriptOwner) -> LuaTable {
    if let known = script.keep { return known }
    let made = lua.newTable()
    script.keep = made
    return made
  }

  /// A copy of what an owner keeps, for the next version of its script.
  func copyOfKept(by script: ScriptOwner) throws -> LuaTable? {
    guard let keep = script.keep else { return nil }
    var copying = KeepCopy(lua: lua, depthLimit: Self.keptDepth, sizeLimit: Self.keptLimit)
    return try copying.copy(keep, Self.keptName)
  }

  func copyOfPlain(_ value: LuaValue) throws -> LuaValue {
    var copying = KeepCopy(lua: lua, depthLimit: Self.keptDepth, sizeLimit: Self.keptLimit)
    return try copying.copy(of: value, Self.keptName)
  }

  /// Makes what an owner keeps a copy of a table of plain data.
  func setKept(_ value: LuaValue, by script: ScriptOwner) throws {
    switch value {
    case .nil: script.keep = nil
    case .table(let table):
      var copying = KeepCopy(lua: lua, depthLimit: Self.keptDepth, sizeLimit: Self.keptLimit)
      script.keep = try copying.copy(table, Self.keptName)
    default: throw LuaMisuse("'keep' must be a table of plain data, not \(value.described)")
    }
  }
}

/// The state of copying plain data: the tables that it is inside of, and how much it has copied.
private struct KeepCopy {
  let lua: LuaState
  let depthLimit: Int
  let sizeLimit: Int
  private var inside: [UnsafeRawPointer] = []
  private var size = 0

  init(lua: LuaState, depthLimit: Int, sizeLimit: Int) {
    self.lua = lua
    self.depthLimit = depthLimit
    self.sizeLimit = sizeLimit
  }

  mutating func copy(_ table: LuaTable, _ path: String) throws -> LuaTable {
    try checkPlain(table, path)
    let identity = try lua.identity(of: table)
    if inside.contains(identity) { throw LuaMisuse("\(path) holds itself: only plain data can be kept") }
    if inside.count == depthLimit { throw LuaMisuse("\(path) is nested more than \(depthLimit) deep") }
    inside.append(identity)
    defer { inside.removeLast() }
    let made = lua.newTable()
    try lua.forEach(in: table) { key, value in
      size += 1
      if size > sizeLimit { throw LuaMisuse("app.keep has more than \(sizeLimit) values") }
      let path = try Self.path(key, in: path)
      try lua.rawSet(key, try copy(of: value, path), of: made)
      return true
    }
    return made
  }

  mutating func copy(of value: LuaValue, _ path: String) throws -> LuaValue {
    switch value {
    case .nil, .bool, .integer, .number, .text, .bytes: return value
    case .table(let table): return .table(try copy(table, path))
    case .object(let object) where object is LuaSentinel: return value
    case .function, .thread, .object:
      throw LuaMisuse("\(path) is \(value.described): only plain data can be kept")
    }
  }

  private func checkPlain(_ table: LuaTable, _ path: String) throws {
    try lua.push(table.reference, on: lua.L)
    defer { clua_pop(lua.L, 1) }
    if clua_hostNumber(lua.L, -1) >= 0 {
      throw LuaMisuse("\(path) is an object of the host's: only plain data can be kept, its name for example")
    }
    if clua_metatable(lua.L, -1) {
      clua_pop(lua.L, 1)
      let what = try lua.isContext(table) ? PlainLiteral.context : "has a metatable"
      throw LuaMisuse("\(path) \(what): only plain data can be kept")
    }
  }

  /// The path of the value at a key, as a script would write it.
  private static func path(_ key: LuaValue, in path: String) throws -> String {
    switch key {
    case .text, .integer, .number, .bool, .bytes: PlainLiteral.path(key, in: path)
    default: throw LuaMisuse("\(path) has \(key.described) for a key: only plain data can be kept")
    }
  }
}
