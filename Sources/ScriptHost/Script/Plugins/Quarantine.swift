import CLua

// A plugin that exceeds its limits repeatedly is set aside: its items are disabled and its code doesn't run until a
// reload.

extension ScriptEngine {
  /// How often a plugin may exceed a limit.
  private static let patience = 3

  /// Notes that a limit, or that of a block (nil), was exceeded while a function of an owner ran. Returns the owner to
  /// blame. Later functions fail because the limit is spent already, so the same owner is returned for them.
  func noteViolation(by owner: Owner, of limit: LuaLimit?) -> Owner {
    let known = clua_violator(lua.L)
    if limit != nil, known != CLUA_NONE { return script(Int(known))?.owner ?? owner }
    if limit == .memory, let holder = holder() {
      note(holder.owner)
      countViolation(by: holder.owner)
      if holder.owner.whySetAside != nil { empty(holder) }
      return holder.owner
    }
    // A function that is called repeatedly is not to blame. Its caller is noted when the caller ends.
    guard clua_isBlamed(lua.L) else { return owner }
    if let spender = spender(besides: owner) {
      note(spender)
      return spender
    }
    note(owner)
    countViolation(by: owner)
    return owner
  }

  private func note(_ violator: Owner) {
    clua_setViolator(lua.L, Int32(script(of: violator)?.index ?? Int(CLUA_NOBODY)))
  }

  /// Returns another plugin whose function exceeded a limit inside an owner's call, as a metamethod does. The failure
  /// names it, but counts for neither, because the caller may have called it repeatedly.
  private func spender(besides owner: Owner) -> Owner? {
    guard let spender = script(Int(clua_spender(lua.L))), spender.plugin != nil, spender.owner !== owner else {
      return nil
    }
    return spender.owner
  }

  private func countViolation(by owner: Owner) {
    let isOfApp = !plugins.contains { $0.owner === owner } && owner !== chain.keymap?.owner
    guard owner.whySetAside == nil, !isOfApp else { return }
    owner.violations += 1
    guard owner.violations >= Self.patience else { return }
    let reason = "'\(owner.name)' is set aside: it spent its limits \(owner.violations) times; reload it to try again"
    owner.whySetAside = reason
    chain.changeAll()
    host.menuTrees.invalidate()
    report(Diagnostic(.error, "set-aside", reason))
    dispatcher.postponed.append(.settingAside(owner))
  }
}

// Finds the owner that holds most of the shared memory, once it is full. The running owner need not be to blame:
// another may hold the memory for good.

extension ScriptEngine {
  /// Returns the owner that holds over half of the memory limit, if little is left; nil without plugins.
  func holder() -> ScriptOwner? {
    guard !plugins.isEmpty else { return nil }
    lua.collect()
    guard isCrowded else { return nil }
    let scripts = Array(owners.dropFirst())
    var bytes = [Int](repeating: 0, count: scripts.count)
    pushOwners(withKept: true)
    clua_weigh(lua.L, scripts.map { Int32($0.index) }, &bytes, Int32(scripts.count))
    return zip(scripts, bytes).first { $1 > lua.limits.memory / 2 }?.0
  }

  private var isCrowded: Bool { lua.memory > lua.limits.memory / 4 * 3 }

  /// Releases the values of an owner that was set aside, to make room. Values for a reload go only if needed.
  func empty(_ script: ScriptOwner) {
    dispatcher.undo.removeAll(of: script.owner, from: chain.responders.values)
    pushOwners(withKept: false)
    clua_empty(lua.L, Int32(script.index))
    script.modules = [:]
    lua.collect()
    guard isCrowded else { return }
    script.keep = nil
    lua.collect()
  }

  /// Pushes a table of all owners' tables of globals, each with its owner's index; `withKept` adds `app.keep`.
  private func pushOwners(withKept: Bool) {
    let L = lua.L
    clua_newTable(L, 0, Int32(2 * owners.count))
    for script in owners.dropFirst() {
      for table in script.environments + [script.lineGlobals, withKept ? script.keep : nil].compactMap({ $0 }) {
        guard (try? lua.push(table.reference, on: L)) != nil else { continue }
        clua_pushInteger(L, Int64(script.index))
        _ = clua_rawSet(L, -3)
      }
    }
  }
}
