/// What a new version of a script is given of the old one's data, `app.keep` and `app.store`.
///
/// The old version's waiting actions are cancelled only once the new one is loaded, and what they did to the data is taken back then. The new
/// version's copies follow that, key by key, but for what it has written itself.
struct Inheritance {
  private let engine: ScriptEngine
  private let old: ScriptOwner
  private let kept: LuaTable?
  private let stored: LuaTable?

  init(_ engine: ScriptEngine, from old: ScriptOwner, to new: ScriptOwner) throws {
    self.engine = engine
    self.old = old
    new.keep = try engine.copyOfKept(by: old)
    new.storedBefore = Self.stored(by: old)
    // The new version writes to its own copies.
    kept = try engine.copyOfKept(by: old)
    stored = try new.storedBefore.map { try engine.stored($0) }
  }

  /// What lies on the disk, as far as it is known; what can't be read there is looked for anew.
  private static func stored(by script: ScriptOwner) -> Literal? {
    script.store.map { $0.isUnreadable ? nil : $0.written } ?? script.storedBefore
  }

  /// Has the new version's copies follow what became of the old version's data.
  func follow(in new: ScriptOwner) {
    if let now = old.keep, let kept, let copy = new.keep { follow(now, since: kept, in: copy) }
    guard let store = old.store else { return }
    if let stored, let copy = new.store { follow(store.table, since: stored, in: copy.table) }
    if new.store == nil { new.storedBefore = Self.stored(by: old) }
  }

  private func follow(_ now: LuaTable, since before: LuaTable, in copy: LuaTable) {
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
    // The new version may hold a table that it has got, so that one is changed and not replaced.
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
