import CLua

// A plugin that spends its limits again and again is set aside: its items say so, and nothing of it is asked until it is reloaded.

extension ScriptEngine {
  /// How often a plugin may spend a limit.
  private static let patience = 3

  /// Notes that a function of an owner's spent a limit, and returns the owner who did. Functions that are refused afterwards, because the limit is
  /// spent, have done nothing: the same owner is returned for them.
  func noteViolation(by owner: Owner, of limit: LuaLimit? = nil) -> Owner {
    let spent = clua_counters(lua.L).instructions
    if spent == lastViolation, let violator { return violator }
    if limit == .memory, let holder = holder() {
      lastViolation = spent
      violator = holder.owner
      countViolation(by: holder.owner)
      if holder.owner.trouble != nil { empty(holder) }
      return holder.owner
    }
    // Being called again and again is not the function's fault; its caller is noted when that one ends.
    guard clua_isBlamed(lua.L) else { return owner }
    lastViolation = spent
    let spender = spender(besides: owner)
    violator = spender ?? owner
    if spender == nil { countViolation(by: owner) }
    return spender ?? owner
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
    guard owner.trouble == nil, plugins.contains(where: { $0.owner === owner }) else { return }
    owner.violations += 1
    guard owner.violations >= Self.patience else { return }
    let reason = "'\(owner.name)' is set aside: it spent its limits \(owner.violations) times, reload it to try again"
    owner.trouble = reason
    chain.changeAll()
    host.menuTrees.invalidate()
    report(Diagnostic(.error, "set-aside", reason))
    dispatcher.postponed.append(.settingAside(owner))
  }
}
