/// A *staging* loads a new version of a script while the old version is set aside. At the end one of the two is
/// removed.
final class Staging {
  private unowned let host: ScriptHost
  let old: Owner
  let new: Owner
  private let backup: ChainBackup
  private let declarations: [MenuDeclaration]
  private var chain: Chain { host.chain }

  /// Sets the old version aside. From now on the host acts as if it had never been loaded.
  init(_ host: ScriptHost, replacing old: Owner, by new: Owner) {
    self.host = host
    self.old = old
    self.new = new
    backup = host.chain.backup
    declarations = host.menuTrees.declarations
    host.dispatcher.moves.isHeld = true
    chain.setAside(old)
    host.menuTrees.setDeclarations(declarations.filter { $0.owner !== old })
    chain.loading = new
  }

  /// Restores the old version, and removes everything of the new version.
  func giveUp() {
    host.removeAll(of: new)
    putBack()
    host.dispatcher.moves.isHeld = false
  }

  private func putBack() {
    chain.loading = nil
    chain.restore(backup, without: new)
    host.menuTrees.setDeclarations(declarations)
  }

  /// Replaces the old version by the new version. If this throws, the new version is removed, and the old version stays
  /// without its waiting actions.
  func finish() throws(Misuse) -> Replaced {
    let holdings = chain.holdings(of: new)
    let declared = host.menuTrees.declarations.filter { $0.owner === new }
    putBack()
    host.stop(old)
    // This comes before sessions close, because closing them moves the focus. Notifications of moves wait until the
    // end.
    let focused = chain.focused
    // The old version is still there, so that the effects of its waiting actions are undone.
    host.dispatcher.cancelJobs(of: old)
    do throws(Misuse) {
      // The reversals may have run any code, which may have taken names or ids meanwhile.
      try chain.checkRoom(for: holdings, insteadOf: old)
      try host.menuTrees.checkRoom(for: declared, insteadOf: old)
    } catch {
      old.isLeaving = false
      holdings.responders.forEach { $0.isRemoved = true }
      host.removeAll(of: new)
      host.dispatcher.moves.isHeld = false
      throw error
    }
    // Restores the focus from before these sessions.
    host.dispatcher.closeSessions { [old] in $0.owner === old || $0.responder?.owner === old }
    let pairs = swap(holdings, declared)
    host.ownKeys.clear()
    host.dispatcher.moves.isHeld = false
    return Replaced(pairs: pairs, focused: focused)
  }

  private func swap(
    _ holdings: Holdings, _ declared: [MenuDeclaration]
  ) -> [(old: Responder, new: Responder)] {
    let names = chain.focusNames
    let links = chain.links(to: old)
    let gone = chain.responders.values.filter { $0.owner === old && $0 !== chain.app }
    let position = host.menuTrees.declarations.firstIndex { $0.owner === old }
    host.takeOut(old)
    chain.take(holdings)
    host.menuTrees.insert(declared, at: position)
    let pairs = chain.adopt(gone)
    chain.restore(names)
    for misuse in chain.restore(links) { host.report(Diagnostic(.warning, misuse.code.rawValue, misuse.message)) }
    return pairs
  }
}

/// The responders that a reload replaced, each with its new responder of the same name, and the earlier focus.
struct Replaced {
  let pairs: [(old: Responder, new: Responder)]
  let focused: Responder
}
