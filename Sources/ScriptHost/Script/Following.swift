/// Has one copy of plain data follow what became of another, key by key, but for what was changed in the copy itself.
struct Following {
  let engine: ScriptEngine

  /// Changes a copy as a table changed since an earlier moment.
  ///
  /// - Parameters:
  ///   - now: the table.
  ///   - before: what the table, and the copy, held at that moment.
  func follow(_ now: LuaTable, since before: LuaTable, in copy: LuaTable) {
    for key in keys(of: before) + keys(of: now) {
      // What isn't plain data any more stays as it is.
      try? follow(key, now, since: before, in: copy)
    }
  }

  private func follow(_ key: LuaValue, _ now: LuaTable, since before: LuaTable, in copy: LuaTable) throws {
    let lua = engine.lua
    let (was, value, mine) = (
      try lua.rawGet(key, of: before), try lua.rawGet(key, of: now), try lua.rawGet(key, of: copy)
    )
    if try isSame(was, value) { return }
    // A script may hold a table that it has got, so that one is changed and not replaced.
    if case .table(let was) = was, case .table(let value) = value, case .table(let mine) = mine {
      return follow(value, since: was, in: mine)
    }
    if try isSame(was, mine) { try lua.rawSet(key, engine.copyOfPlain(value), of: copy) }
  }

  private func keys(of table: LuaTable) -> [LuaValue] {
    var keys: [LuaValue] = []
    try? engine.lua.forEach(in: table) { key, _ in
      keys.append(key)
      return true
    }
    return keys
  }

  /// Whether two values hold the same plain data; one of them is a copy, and so no table in it holds itself.
  private func isSame(_ one: LuaValue, _ other: LuaValue) throws -> Bool {
    switch (one, other) {
    case (.nil, .nil): return true
    case (.bool(let one), .bool(let other)): return one == other
    case (.integer(let one), .integer(let other)): return one == other
    case (.number(let one), .number(let other)): return one == other || one.isNaN && other.isNaN
    case (.text(let one), .text(let other)): return one.hasSameBytes(as: other)
    case (.bytes(let one), .bytes(let other)): return one == other
    case (.object(let one), .object(let other)): return one === other
    case (.table(let one), .table(let other)):
      let all = keys(of: one)
      guard all.count == keys(of: other).count else { return false }
      return try all.allSatisfy { try isSame(engine.lua.rawGet($0, of: one), engine.lua.rawGet($0, of: other)) }
    default: return false
    }
  }
}
