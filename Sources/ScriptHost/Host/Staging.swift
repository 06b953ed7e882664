/// A *staging* loads a new version of an owner's script while the old one is set aside; at the end one of the two is removed.
final class Staging {
  private unowned let host: ScriptHost
  let old: Owner
  let new: Owner
  private let backup: ChainBackup
  private let declarations: [MenuDeclaration]
  private var chain: Chain { host.chain }

  /// Sets the old version aside: from here on the host is as if it had never been loaded.
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

  /// Puts the old version back; nothing is left of the new one.
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

  /// Replaces the old version by the new one. If this throws, the new one is removed and the old one stays, without its
  /// waiting actions.
  func finish() throws(Misuse) -> Replaced {
    let holdings = chain.holdings(of: new)
    let declared = host.menuTrees.declarations.filter { $0.owner === new }
    putBack()
    host.stop(old)
    // Read before sessions close, since closing them moves the focus. Nobody is told of moves until all is over.
    let focused = chain.focused
    // While the old version is still there, so that what its waiting actions did is taken back.
    host.dispatcher.cancelJobs(of: old)
    do throws(Misuse) {
      // Taking back what they did may have run any code, which may have taken names or ids meanwhile.
      try chain.checkRoom(for: holdings, insteadOf: old)
      try host.menuTrees.checkRoom(for: declared, insteadOf: old)
    } catch {
      old.isLeaving = false
      holdings.responders.forEach { $0.isRemoved = true }
      host.removeAll(of: new)
      host.dispatcher.moves.isHeld = false
      throw error
    }
    // Puts the focus back where it was before these sessions.
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

/// The responders that a reload replaced, each with the new one of the same name; and which one had the focus before.
struct Replaced {
  let pairs: [(old: Responder, new: Responder)]
  let focused: Responder
}
