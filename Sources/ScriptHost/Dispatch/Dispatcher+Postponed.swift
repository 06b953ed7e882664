// What has to wait until scripts can be run again. Whenever an allowance ends, or an action that may have had one, it is done.

extension Dispatcher {
  /// Does what is postponed, as soon as scripts can be run and nothing else is amid a question, a load or something that is reversed.
  @inline(__always)
  func doPostponed() { if state.value.hasPostponed { doPostponedNow() } }

  @inline(never)
  private func doPostponedNow() {
    guard !isDoingPostponed else { return }
    isDoingPostponed = true
    defer { isDoingPostponed = false }
    // The owners of what spent all that it may as it was taken back. Where that goes on, what is theirs is hurried.
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
        // It is a part of the action, which others find being performed.
        guard beginAction(action) else { return postponed.insert(.takingBack(entries, of: action), at: 0) }
        let owners = Set(entries.map { ObjectIdentifier($0.reversal.owner) })
        let isHurried = owners.contains { owner in spenders.count { $0 == owner } >= 3 }
        if takeBack(entries, isHurried: isHurried) { spenders += owners }
        endAction()
      }
    }
  }

  /// Whether those who watch a perform are told of its end when its allowance has ended, because it spent that. What somebody performs who is
  /// told so ends without: there might be no end of it.
  func postpones(_ event: ActionEvent, by perform: Perform) -> Bool {
    guard engine?.isSpent == true, !isDoingPostponed else { return false }
    untold.append((event, perform))
    return true
  }

  /// Tells them on one allowance, however many they are.
  private func tellUntold() {
    let told = untold
    untold = []
    allowing { for (event, perform) in told { perform.tell(event) } }
  }

  /// Whether there is something that is taken back as soon as an allowance ends.
  var isTakingBackNext: Bool {
    mayDoPostponed && postponed.contains { if case .takingBack = $0 { true } else { false } }
  }

  private var mayDoPostponed: Bool {
    !isAsking && !isLoading && !undo.isReversing && !(engine?.isSpent ?? false)
  }

  /// Ends what an owner has under way that is set aside, and drops what it would have taken back.
  private func endAll(of owner: Owner) {
    undo.removeDone(by: owner, from: chain.responders.values)
    closeSessions { $0.owner === owner || $0.responder?.owner === owner }
    cancelStrays()
  }
}
