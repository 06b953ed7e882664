// Work postponed because the script allowance was spent; done when an allowance or an action ends.

extension Dispatcher {
  /// Does postponed work, unless the allowance is spent, or a question, a load or a reversal is under way.
  @inline(__always)
  func doPostponed() { if state.value.hasPostponed { doPostponedNow() } }

  @inline(never)
  private func doPostponedNow() {
    guard !isDoingPostponed else { return }
    isDoingPostponed = true
    defer { isDoingPostponed = false }
    // The owners whose reversals spent their allowance. Further reversals of an owner that has spent three get a small one.
    var spenders: [ObjectIdentifier] = []
    while mayDoPostponed {
      if postponed.isEmpty {
        if untold.isEmpty { return }
        tellUntold()
        continue
      }
      switch postponed.removeFirst() {
      case .settingAside(let owner): endAll(of: owner)
      case .takingBack(let entries, let action):
        // It counts as a part of the action, which must be found among those being performed.
        guard beginAction(action) else { return postponed.insert(.takingBack(entries, of: action), at: 0) }
        let owners = Set(entries.map { ObjectIdentifier($0.reversal.owner) })
        let isHurried = owners.contains { owner in spenders.count { $0 == owner } >= 3 }
        if takeBack(entries, isHurried: isHurried) { spenders += owners }
        endAction()
      }
    }
  }

  /// Whether to postpone telling observers of a failure because its perform spent the allowance. An action that an observer performs when
  /// told so is not postponed again, as that might never end.
  func postpones(_ event: ActionEvent, by perform: Perform) -> Bool {
    guard engine?.isSpent == true, !isDoingPostponed else { return false }
    untold.append((event, perform))
    return true
  }

  /// Tells all of them with one allowance, however many they are.
  private func tellUntold() {
    let told = untold
    untold = []
    allowing { for (event, perform) in told { perform.tell(event) } }
  }

  /// Whether a postponed reversal is done as soon as an allowance ends.
  var isTakingBackNext: Bool {
    mayDoPostponed && postponed.contains { if case .takingBack = $0 { true } else { false } }
  }

  private var mayDoPostponed: Bool {
    !isAsking && !isLoading && !undo.isReversing && !(engine?.isSpent ?? false)
  }

  /// Cancels the jobs and closes the sessions of an owner that was set aside, and drops its reversals.
  private func endAll(of owner: Owner) {
    undo.removeDone(by: owner, from: chain.responders.values)
    closeSessions { $0.owner === owner || $0.responder?.owner === owner }
    cancelStrays()
  }
}
