/// Something that happened to a host, for its listeners.
public enum HostEvent {
  case phase(new: Phase, old: Phase)
  case focus(new: Responder, old: Responder)
  case unhandled(ActionEvent, near: [String])
  /// The declared parts of menus changed, or their order.
  case menu([MenuChange])
  /// What validation says of items changed.
  case validation([MenuChange])
  /// A script was reloaded; or that failed, and the old version goes on.
  case reload(ok: Bool)

  /// The kinds of events that can be listened for.
  public enum Kind: String, Sendable, CaseIterable {
    case phase, focus, unhandled, menu, validation, reload
  }

  /// The kind of this event.
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

/// A listener of the host's events.
final class Listener {
  let owner: Owner
  let notify: (HostEvent) -> Failure?

  init(owner: Owner, notify: @escaping (HostEvent) -> Failure?) {
    self.owner = owner
    self.notify = notify
  }
}
