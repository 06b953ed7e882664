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
    new.storedBefore = old.store?.written ?? old.storedBefore
    // The new version writes to its own copies.
    kept = try engine.copyOfKept(by: old)
    stored = try new.storedBefore.map { try engine.stored($0) }
  }

  /// Has the new version's copies follow what became of the old version's data.
  func follow(in new: ScriptOwner) throws {
    if let now = old.keep, let kept, let copy = new.keep { try follow(now, since: kept, in: copy) }
    guard let store = old.store, let stored else { return }
    if let copy = new.store {
      try follow(store.table, since: stored, in: copy.table)
    } else {
      new.storedBefore = try engine.literal(of: store.table)
    }
  }

  private func follow(_ now: LuaTable, since before: LuaTable, in copy: LuaTable) throws {
    var keys: [LuaValue] = []
    for table in [before, now] {
      try engine.lua.forEach(in: table) { key, _ in
        keys.append(key)
        return true
      }
    }
    for key in keys {
      let (was, value) = (try engine.lua.rawGet(key, of: before), try engine.lua.rawGet(key, of: now))
      if try isSame(was, value) { continue }
      if try isSame(was, engine.lua.rawGet(key, of: copy)) {
        try engine.lua.rawSet(key, engine.copyOfPlain(value), of: copy)
      }
    }
  }

  private func isSame(_ one: LuaValue, _ other: LuaValue) throws -> Bool {
    if case .nil = one { if case .nil = other { return true } else { return false } }
    if case .nil = other { return false }
    var plain = PlainLiteral(engine.lua, limit: .max, rule: "it is no plain data", hasPairs: true)
    return try plain.literal(one, "it") == plain.literal(other, "it")
  }
}
