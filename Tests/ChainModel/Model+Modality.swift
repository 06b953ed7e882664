// F0 to F6 and F8: who may have the focus, and what sessions let through.

extension Model {
  /// Where the focus is.
  struct Focus: Equatable {
    var keyHistory: [Int]
    var loose: Int?
    var firsts: [Int: Int?]
  }

  struct Session {
    let node: Int
    let isDismissable: Bool
    let number: Int
    var before: Focus
  }

  private var focus: Focus {
    let windows = nodes.indices.filter { nodes[$0].isWindow && !nodes[$0].isRemoved }
    return Focus(
      keyHistory: keyHistory, loose: loose,
      firsts: Dictionary(uniqueKeysWithValues: windows.map { ($0, nodes[$0].first) }))
  }

  /// F1: resign, become; false refuses. A session opens between the two.
  @discardableResult
  mutating func focus(_ node: Int, opening isDismissable: Bool? = nil) -> Bool {
    let old = focused
    if old != node {
      guard nodes[node].accepts, nodes[old].resigns else { return false }
    }
    if let isDismissable {
      opened += 1
      sessions.append(Session(node: node, isDismissable: isDismissable, number: opened, before: focus))
    }
    setFocus(node)
    if old != node, !nodes[node].becomes { setFocus(window(of: node) ?? Model.app) }
    return focused == node
  }

  func window(of node: Int) -> Int? {
    var window: Int? = node
    while let known = window, !nodes[known].isWindow { window = nodes[known].next }
    return window
  }

  private mutating func setFocus(_ node: Int) {
    if let window = window(of: node) {
      nodes[window].first = node
      makeKey(window)
    } else {
      // Without windows nobody but the app is left anyway.
      loose = node == Model.app && key == nil ? nil : node
    }
  }

  mutating func makeKey(_ window: Int) {
    keyHistory.removeAll { $0 == window }
    keyHistory.append(window)
    loose = nil
  }

  // MARK: Sessions

  mutating func modal(_ node: Int, _ isDismissable: Bool) -> Bool {
    let count = sessions.count
    focus(node, opening: isDismissable)
    guard sessions.count > count else { return false }
    if !isWithin(focused, node) { close(count) }
    return sessions.count > count
  }

  /// F4: closing one closes those above it, and everything is as it was before the lowest.
  mutating func close(_ index: Int) {
    let before = sessions[index].before
    sessions.removeSubrange(index...)
    for (window, first) in before.firsts { nodes[window].first = first }
    // F0: where there was no window, the first one made since is key.
    let first = nodes.indices.filter { nodes[$0].isWindow && !nodes[$0].isRemoved }.prefix(1)
    keyHistory = before.keyHistory.isEmpty ? Array(first) : before.keyHistory
    loose = before.loose
  }

  /// F2, for what is restored later as for what counts now.
  mutating func forgetInSessions(_ node: Int, heir: Int?) {
    for index in sessions.indices {
      sessions[index].before.keyHistory.removeAll { $0 == node }
      if sessions[index].before.loose == node { sessions[index].before.loose = heir }
      sessions[index].before.firsts[node] = nil
      for (window, first) in sessions[index].before.firsts where first == node {
        sessions[index].before.firsts[window] = .some(heir)
      }
    }
  }

  func isWithin(_ node: Int, _ root: Int) -> Bool {
    var known: Int? = node
    while let further = known, further != root { known = nodes[further].next }
    return known != nil
  }

  // MARK: The gate

  /// F3: what keeps a taker from it; nil when nothing does.
  func blocked(_ taker: Int) -> String? {
    guard let top = sessions.last, !isWithin(taker, top.node) else { return nil }
    let works = [taker, window(of: taker)].contains { $0.flatMap { look($0, \.worksWhenModal) } ?? false }
    return works ? nil : reason(name(taker))
  }

  /// F3: of what the embedding program does, only undo and redo are let through.
  func blockedNative(_ action: String) -> String? {
    sessions.isEmpty || action == "undo" || action == "redo" ? nil : reason("host")
  }

  private func reason(_ taker: String) -> String {
    "a modal session on '\(name(sessions.last!.node))' is open, and '\(taker)' is outside of it"
  }

  /// F6: a dismissable session is closed by what it blocks.
  mutating func block(_ reason: String) -> Answer {
    guard sessions.last!.isDismissable else { return Answer(status: "blocked", reason: reason) }
    close(sessions.count - 1)
    return Answer(status: "blocked", reason: "dismissed")
  }

  /// F5: an error ends the sessions in which it rose, and those that were opened on the way to it.
  mutating func endSessions(afterFailureOf node: Int?, openedSince number: Int) {
    let over = sessions.firstIndex { session in
      session.number > number || node.map { isWithin($0, session.node) } ?? false
    }
    if let over { close(over) }
  }
}
