import CLua

// A plugin that spends its limits again and again is set aside: its items say so, and nothing of it is asked until it is reloaded.

extension ScriptEngine {
  /// How often a plugin may spend a limit.
  private static let patience = 3

  /// Notes that a limit, or that of one block (nil), was spent while a function of an owner's ran, and returns the owner who did it. Functions that
  /// are refused afterwards, because the limit is spent, have done nothing: the same owner is returned for them.
  func noteViolation(by owner: Owner, of limit: LuaLimit?) -> Owner {
    let known = clua_violator(lua.L)
    if limit != nil, known != CLUA_NONE { return script(Int(known))?.owner ?? owner }
    if limit == .memory, let holder = holder() {
      note(holder.owner)
      countViolation(by: holder.owner)
      if holder.owner.whySetAside != nil { empty(holder) }
      return holder.owner
    }
    // Being called again and again is not the function's fault; its caller is noted when that one ends.
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

  /// The plugin, if it is another one, whose function spent a limit while an owner's was called: by a metamethod, say, of a value that it had handed
  /// over. The failure names it, but counts for neither, because the caller may have called it again and again.
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
    let reason = "'\(owner.name)' is set aside: it spent its limits \(owner.violations) times, reload it to try again"
    owner.whySetAside = reason
    chain.changeAll()
    host.menuTrees.invalidate()
    report(Diagnostic(.error, "set-aside", reason))
    dispatcher.postponed.append(.settingAside(owner))
  }
}

// Finds the owner that holds most of the memory that scripts share, once it is spent. The owner that runs at that moment need not be to blame: what
// one holds for good, all others lack.

extension ScriptEngine {
  /// The owner that holds more than half of the memory limit, if hardly any is left; nil without plugins, since then there is only one.
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

  /// Releases what an owner that was set aside holds, to make room for the others. What it keeps for a reload is released only if that isn't enough.
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

  /// Pushes a table of all owners' tables of globals, each with its owner's index; the tables that owners keep are in it only if asked for.
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
