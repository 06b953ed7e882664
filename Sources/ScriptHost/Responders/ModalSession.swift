/// A *modal session* lets only a part of the responders act, until it ends.
public final class ModalSession {
  /// The responder it is open on, which may act, as may those that reach it by `next`. Nil for an open menu.
  public let responder: Responder?
  /// Whether the first action from outside closes it.
  let isDismissable: Bool
  /// What people know it by: the name of its responder, or of its menu.
  public let title: String
  /// Who opened it.
  public let owner: Owner
  /// Where a script opened it.
  public let place: Place?
  /// Whether it goes on.
  public internal(set) var isOpen = false
  /// Its number among those that its chain ever opened.
  var number = 0
  /// The focus from before it opened.
  var memory: FocusMemory?
  /// The menu that is open, as long as it is.
  var menu: AnyObject?
  /// Whether the present perform was picked in its menu, so that the session doesn't block it.
  var isPicking = false
  private let end: (ModalSession) -> Void

  init(
    on responder: Responder?, title: String, isDismissable: Bool, owner: Owner, place: Place?,
    end: @escaping (ModalSession) -> Void
  ) {
    self.responder = responder
    self.title = title
    self.isDismissable = isDismissable
    self.owner = owner
    self.place = place
    self.end = end
  }

  /// Closes it and those above it, and restores key window and focus. A closed session stays as it is.
  public func close() {
    if isOpen { end(self) }
  }

  /// Marks the session as closed, and releases its menu.
  func over() {
    isOpen = false
    menu = nil
  }

  /// Why somebody can't act now.
  func reason(for name: String) -> String {
    let what = responder == nil ? "the menu '\(title)' is open" : "a modal session on '\(title)' is open"
    let place = place.map { " (since \($0))" } ?? ""
    return "\(what)\(place), and '\(name)' is outside of it"
  }
}
