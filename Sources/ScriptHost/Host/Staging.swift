/// A *staging* loads a new version of an owner's script beside the old one, which is set aside meanwhile; then one of the two goes.
final class Staging {
  private unowned let host: ScriptHost
  let old: Owner
  let new: Owner
  private let backup: ChainBackup
  private let declarations: [MenuTrees.Declaration]
  private var chain: Chain { host.chain }

  /// Begins it: from here on the host is as if the old version had never been loaded.
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

  /// Puts the new version in the place of the old one, which goes. Up to where nothing can fail any more, the old one is what it was.
  func finish() throws(Misuse) -> Replaced {
    let holdings = chain.holdings(of: new)
    let declared = host.menuTrees.declarations.filter { $0.owner === new }
    putBack()
    // What closes its sessions moves the focus too, and is told to nobody before all is over.
    let focused = chain.focused
    // As long as the old one is there, so that what its actions did that wait is taken back.
    host.dispatcher.cancelJobs(of: old)
    do throws(Misuse) {
      // What was cancelled may have had others do whatever they liked.
      try chain.checkRoom(for: holdings, insteadOf: old)
      try host.menuTrees.checkRoom(for: declared, insteadOf: old)
    } catch {
      old.isLeaving = false
      holdings.responders.forEach { $0.isRemoved = true }
      host.removeAll(of: new)
      host.dispatcher.moves.isHeld = false
      throw error
    }
    // So that the focus is where it was before them.
    host.dispatcher.closeSessions { [old] in $0.owner === old || $0.responder?.owner === old }
    let pairs = swap(holdings, declared)
    host.ownKeys.begun = nil
    host.dispatcher.moves.isHeld = false
    return Replaced(pairs: pairs, focused: focused)
  }

  private func swap(
    _ holdings: Holdings, _ declared: [MenuTrees.Declaration]
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

/// Who stands in whose place after a reload, by name, and who had the focus before it.
struct Replaced {
  let pairs: [(old: Responder, new: Responder)]
  let focused: Responder
}
