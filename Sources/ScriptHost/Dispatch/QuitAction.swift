/// The handler of the host's action `quit`, asked if nobody else handles it: it ends the face that asked, else the session.
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

  /// Says no where nothing is open that could end, or where a responder's `can.quit` does, which needs no handler of its own.
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
        return .no(isSaid ? said : "'\(node.name)' says no to '\(Self.name)'")
      case let verdict: return verdict
      }
    }
    return .yes
  }

  private static let whyNot = "there is no face and no session to end"
}

extension Dispatcher {
  /// Gives a responder the action `quit`.
  func addQuitAction(to responder: Responder, _ owner: Owner) {
    let action = QuitAction(dispatcher: self, owner: owner)
    let number = chain.newEntryNumber()
    let name = names.intern(QuitAction.name)
    for table in [Behaviour.Table.on, .can] {
      _ = responder.layers[0].set(table, name, action, number: number)
    }
  }
}

/// A request of a script to the face that began its action: open something.
public enum FaceWish: Sendable, Equatable {
  /// The list in which a person finds an action by typing.
  case palette
  /// The menu with an id.
  case menu(String)
  /// The form of a reference, which asks for its arguments.
  case form(String)
}
