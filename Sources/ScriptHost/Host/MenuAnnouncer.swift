/// Tells listeners of `menu` and `validation` what changed: before a snapshot is returned, or at the end of a turn.
///
/// A *turn* is one call from outside. However much happens in it, it ends with one validation pass, or with none if nobody listens.
final class MenuAnnouncer {
  private unowned let host: ScriptHost
  /// The snapshot up to which listeners were told; nil at first, and if nobody listens.
  private var announced: MenuElement?
  private var isTelling = false
  /// Whether something happened while listeners were being told.
  private var isOutdated = false

  /// How many rounds one turn may take if listeners themselves change the menus; after that, changes wait for the next turn.
  private static let rounds = 8

  init(_ host: ScriptHost) { self.host = host }

  /// Whether somebody listens.
  var isListened: Bool { host.isListened(.menu) || host.isListened(.validation) }

  /// Tells listeners how a snapshot differs from the one before. The first snapshot is no change.
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

  /// Ends a turn: validates the menus and tells listeners, again if a listener changed something.
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
  /// Ends the turn at the end of a call from outside, unless that is nested in another.
  func endTurn() {
    guard menuTrees.isWatched, dispatcher.depth.value == 0, !isLoading, !menuTrees.isBusy else { return }
    announcer.endTurn()
  }

  /// Turns notices of ended actions and moves of the focus on or off, as menus are listened for or not.
  func watchMenus() {
    menuTrees.isWatched = announcer.isListened
    dispatcher.moves.onSettled = menuTrees.isWatched ? { [unowned self] in endTurn() } : nil
  }
}
