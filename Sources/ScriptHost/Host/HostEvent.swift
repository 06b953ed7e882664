/// What happens to a host, for those who watch it.
public enum HostEvent {
  case phase(new: Phase, old: Phase)
  case focus(new: Responder, old: Responder)
  case unhandled(ActionEvent, near: [String])
  /// What was declared changed, or its order.
  case menu([MenuChange])
  /// What those who take the actions say of items changed.
  case validation([MenuChange])
  /// A script was loaded anew; or it was not, and the old one goes on.
  case reload(ok: Bool)

  /// What can be listened for.
  public enum Kind: String, Sendable, CaseIterable {
    case phase, focus, unhandled, menu, validation, reload
  }

  /// What happened, without its details.
  public var kind: Kind {
    switch self {
    case .phase: .phase
    case .focus: .focus
    case .unhandled: .unhandled
    case .menu: .menu
    case .validation: .validation
    case .reload: .reload
    }
  }
}

/// One who watches the host.
final class Listener {
  let owner: Owner
  let notify: (HostEvent) -> Failure?

  init(owner: Owner, notify: @escaping (HostEvent) -> Failure?) {
    self.owner = owner
    self.notify = notify
  }
}
