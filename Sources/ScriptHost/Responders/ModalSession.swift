/// A *modal session* lets only some of the responders act, until it ends.
public final class ModalSession {
  /// The responder of the session. It may act, as may all that reach it by `next`. Nil for an open menu.
  public let responder: Responder?
  /// Whether the first action from outside closes it.
  let isDismissable: Bool
  /// The name for people: that of its responder or its menu.
  public let title: String
  /// The owner that opened it.
  public let owner: Owner
  /// The line of the script that opened it.
  public let place: Place?
  /// Whether it is still open.
  public internal(set) var isOpen = false
  /// Its number in its chain, counted from 1.
  var number = 0
  /// The focus before it opened.
  var memory: FocusMemory?
  /// The open menu; nil once it is closed.
  var menu: AnyObject?
  /// True while an item picked in its menu is performed, so that the session doesn't block the action.
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

  /// Closes it and the sessions above it, and restores the key window and the focus. A closed session stays closed.
  public func close() {
    if isOpen { end(self) }
  }

  /// Marks the session as closed, and releases its menu.
  func over() {
    isOpen = false
    menu = nil
  }

  /// Returns the reason why a responder outside of the session can't act now.
  func reason(for name: String) -> String {
    let what = responder == nil ? "the menu '\(title)' is open" : "a modal session on '\(title)' is open"
    let place = place.map { " (since \($0))" } ?? ""
    return "\(what)\(place), and '\(name)' is outside of it"
  }
}

// The open modal sessions, and the responders inside of them.

extension Chain {
  static let sessionLimit = 64

  /// Throws if too many sessions are open, to stop a script that opens them without end.
  func checkRoomForSession() throws(Misuse) {
    guard sessions.count >= Self.sessionLimit else { return }
    throw Misuse(.notNow, "modal sessions and open menus are stacked \(Self.sessionLimit) deep already")
  }

  /// Opens a session above the open sessions.
  func open(_ session: ModalSession) {
    session.memory = session.responder == nil ? nil : focusMemory
    session.isOpen = true
    lastSession += 1
    session.number = lastSession
    sessions.append(session)
  }

  /// Closes a session and those above it, and restores the focus from before it.
  func close(_ session: ModalSession) {
    guard let index = sessions.firstIndex(where: { $0 === session }) else { return }
    let ended = sessions[index...]
    sessions.removeSubrange(index...)
    for session in ended { session.over() }
    if let memory = ended.lazy.compactMap(\.memory).first { restore(memory) }
    // A program may retain an ended session. The session must not retain the windows of its focus memory.
    for session in ended { session.memory = nil }
  }

  /// Closes the lowest session for which a condition holds, and those above it.
  func closeSessions(where isOver: (ModalSession) -> Bool) {
    if let session = sessions.first(where: isOver) { close(session) }
  }

  /// Returns true if a responder is the session's responder, or reaches it by `next`.
  func isWithin(_ responder: Responder, _ session: ModalSession) -> Bool {
    guard let root = session.responder else { return false }
    var node: Responder? = responder
    while let known = node, known !== root { node = known.next }
    return node != nil
  }

  /// Returns true if a responder may act in the topmost session: it is within, or it or its window works in every
  /// session.
  func isInside(_ responder: Responder, _ session: ModalSession) -> Bool {
    isWithin(responder, session) || responder.worksWhenModal || window(of: responder)?.worksWhenModal ?? false
  }
}

extension Responder {
  /// True if it may act in every session.
  var worksWhenModal: Bool { hook(\.worksWhenModal) ?? false }

  /// True if digits before a stroke are a count while it is in the chain (K12).
  var counts: Bool { hook(\.counts) ?? false }
}

/// A *focus memory* is a saved focus of every window, with the history of key windows. Removed responders are deleted
/// from it.
struct FocusMemory {
  fileprivate var keyHistory: [Responder]
  fileprivate var loose: Responder?
  fileprivate var firsts: [(window: Responder, first: Responder?)]

  /// Deletes a removed responder. Its heir gets the focus here, as in the chain.
  mutating func forget(_ responder: Responder, heir: Responder?) {
    keyHistory.removeAll { $0 === responder }
    if loose === responder { loose = heir }
    firsts.removeAll { $0.window === responder }
    for index in firsts.indices where firsts[index].first === responder { firsts[index].first = heir }
  }
}

extension Chain {
  /// A memory of the present focus.
  var focusMemory: FocusMemory {
    FocusMemory(keyHistory: keyHistory, loose: loose, firsts: windows.map { ($0, $0.first) })
  }

  /// Restores a saved focus.
  func restore(_ memory: FocusMemory) {
    for (window, first) in memory.firsts { window.first = first }
    restoreFocus(keyHistory: memory.keyHistory, loose: memory.loose)
  }
}
