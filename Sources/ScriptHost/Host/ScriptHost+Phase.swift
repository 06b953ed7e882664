extension ScriptHost {
  /// Changes the phase, and tells listeners if it is another. In the background no modal session and no menu stays open.
  public func enter(_ phase: Phase) throws(Misuse) {
    try checkNotAsking("the phase can't change")
    let old = self.phase
    guard old != phase else { return }
    self.phase = phase
    if phase == .background { dispatcher.closeSessions { _ in true } }
    tell(.phase(new: phase, old: old))
    menuTrees.invalidate()
    endTurn()
  }
}
