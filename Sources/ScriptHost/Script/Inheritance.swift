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
    script.store.map { $0.whyUnread == nil ? $0.written : nil } ?? script.storedBefore
  }

  /// Has the new version's copies follow what became of the old version's data.
  func follow(in new: ScriptOwner) {
    let following = Following(engine: engine)
    if let now = old.keep, let kept, let copy = new.keep { following.follow(now, since: kept, in: copy) }
    guard let store = old.store else { return }
    if let stored, let copy = new.store { following.follow(store.table, since: stored, in: copy.table) }
    if new.store == nil { new.storedBefore = Self.stored(by: old) }
  }
}
