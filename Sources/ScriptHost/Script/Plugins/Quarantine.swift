import CLua

// A plugin that spends its limits again and again is set aside: its items say so, and nothing of it is asked until it is reloaded.

extension ScriptEngine {
  /// How often a plugin may spend a limit.
  private static let patience = 3

  /// Notes that a function of an owner's spent a limit, and tells who did. Those who are not let in afterwards, because it is spent,
  /// have done nothing: it is who spent it.
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
    // To be called again and again is nobody's fault: who calls is noted when that ends.
    guard clua_isBlamed(lua.L) else { return owner }
    lastViolation = spent
    let spender = spender(besides: owner)
    violator = spender ?? owner
    if spender == nil { countViolation(by: owner) }
    return spender ?? owner
  }

  /// The other plugin, if it was one, whose function spent a limit where an owner's was called: by a metamethod, say, of what it had handed
  /// over. It is named, and counted is it for neither: who called may have done so again and again.
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
