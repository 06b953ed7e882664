/// Handles the host's action `quit`, if nobody else does: ends the face that asked, or else the session.
final class QuitAction: Handler {
  static let name = "quit"
  /// The dispatcher retains this handler.
  private unowned let dispatcher: Dispatcher

  init(dispatcher: Dispatcher, owner: Owner) {
    self.dispatcher = dispatcher
    super.init(owner: owner)
  }

  override var isOfProgram: Bool { true }

  override func perform(for responder: Responder, in context: Context) -> Reply {
    guard let quit = dispatcher.onQuit else { return .refused(Self.whyNot) }
    quit()
    return .value(.null)
  }

  /// Says no if nothing is open, or if a responder's `can.quit` does. A responder with `can.quit` needs no handler for `quit`.
  override func can(for responder: Responder, in context: Context) -> Verdict {
    if dispatcher.onQuit == nil { return .no(Self.whyNot) }
    guard let name = dispatcher.names.name(of: Self.name) else { return .yes }
    let walk = context.resolution?.walk ?? dispatcher.defaultWalk()
    for node in walk.nodes {
      guard let can = node.entry(.can, name)?.entry.content, can.owner.whySetAside == nil else { continue }
      switch can.can(for: node, in: context) {
      case .yes, .pass: continue
      case .no(let said):
        let isSaid = said.map { !$0.isEmpty } ?? false
        return .no(isSaid ? said : "'\(node.name)' refuses '\(Self.name)'")
      case let verdict: return verdict
      }
    }
    return .yes
  }

  private static let whyNot = "there is no terminal UI and no session to end"
}

extension Dispatcher {
  /// Registers the action `quit` on a responder.
  func addQuitAction(to responder: Responder, _ owner: Owner) {
    let action = QuitAction(dispatcher: self, owner: owner)
    let number = chain.newEntryNumber()
    let name = names.intern(QuitAction.name)
    for table in [Behaviour.Table.on, .can] {
      _ = responder.layers[0].set(table, name, action, number: number)
    }
  }
}

/// A script's request to the face that began its action.
public enum FaceWish: Sendable, Equatable {
  /// Opens the list in which a person finds actions by typing.
  case palette
  /// Opens the menu with an id.
  case menu(String)
  /// Opens the form of a reference, which asks for its arguments.
  case form(String)
}
