/// Tells those who listen for `menu` and `validation` what changed: before a snapshot is given out, or at the end of a turn.
///
/// A *turn* is one call from outside. However much happens in it, it ends with one pass, and with none where nobody listens.
final class MenuAnnouncer {
  private unowned let host: ScriptHost
  /// What was told of last.
  private var announced: MenuElement?
  private var isTelling = false
  /// Whether something happened while it was told.
  private var isOutdated = false

  /// How often listeners may bring about what they are told of, until that waits for the next turn.
  private static let rounds = 8

  init(_ host: ScriptHost) { self.host = host }

  /// Whether somebody listens.
  var isListened: Bool { host.isListened(.menu) || host.isListened(.validation) }

  /// Tells how a snapshot differs from the one before. The first is not a change.
  func announce(_ snapshot: MenuElement) {
    guard !isTelling else { return isOutdated = true }
    guard isListened else { return announced = nil }
    guard let before = announced else { return announced = snapshot }
    announced = snapshot
    let changes = MenuChanges(from: before, to: snapshot)
    guard !changes.isEmpty else { return }
    isTelling = true
    defer { isTelling = false }
    if !changes.declared.isEmpty { host.tell(.menu(changes.declared)) }
    if !changes.validated.isEmpty { host.tell(.validation(changes.validated)) }
  }

  /// A turn is over: makes the pass that was not made yet.
  func endTurn() {
    guard isListened else { return }
    guard !isTelling else { return isOutdated = true }
    for _ in 0..<Self.rounds {
      isOutdated = false
      announce(host.menuTrees.snapshot())
      if !isOutdated { return }
    }
    host.report(
      Diagnostic(
        .warning, "restless-menus", "those who listen for menus change them again each time that they are told"))
  }
}

extension ScriptHost {
  /// Ends a call from outside, unless it is within another.
  func endTurn() {
    guard menuTrees.isWatched, dispatcher.depth.value == 0, !isLoading, !menuTrees.isBusy else { return }
    announcer.endTurn()
  }

  /// Has the menus say when actions end and the focus when it has moved, as long as somebody wants to know.
  func watchMenus() {
    menuTrees.isWatched = announcer.isListened
    dispatcher.moves.onSettled = menuTrees.isWatched ? { [unowned self] in endTurn() } : nil
  }
}
