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

// The modal sessions that are open, and the responders inside of them.

extension Chain {
  static let sessionLimit = 64

  /// Throws if too many sessions are open: sessions are for people, so a script that opens one in another without end is stopped.
  func checkRoomForSession() throws(Misuse) {
    guard sessions.count >= Self.sessionLimit else { return }
    throw Misuse(.notNow, "modal sessions and open menus are stacked \(Self.sessionLimit) deep already")
  }

  /// Opens a session above those that are open.
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
    // A program may retain an ended session; that must not retain the windows of its focus memory.
    for session in ended { session.memory = nil }
  }

  /// Closes the lowest session for which a condition holds, and those above it.
  func closeSessions(where isOver: (ModalSession) -> Bool) {
    if let session = sessions.first(where: isOver) { close(session) }
  }

  /// Whether a responder is a session's own, or reaches that by `next`.
  func isWithin(_ responder: Responder, _ session: ModalSession) -> Bool {
    guard let root = session.responder else { return false }
    var node: Responder? = responder
    while let known = node, known !== root { node = known.next }
    return node != nil
  }

  /// Whether a responder may act while a session is the topmost: it is within, or it or its window works in every session.
  func isInside(_ responder: Responder, _ session: ModalSession) -> Bool {
    isWithin(responder, session) || responder.worksWhenModal || window(of: responder)?.worksWhenModal ?? false
  }
}

extension Responder {
  /// Whether it may act whichever session is open.
  var worksWhenModal: Bool { hook(\.worksWhenModal) ?? false }

  /// Whether digits before a stroke are a count while it is in the chain (K12).
  var counts: Bool { hook(\.counts) ?? false }
}

/// A *focus memory* is a saved focus: of every window, and which windows were key. Responders removed since are taken
/// out of it.
struct FocusMemory {
  fileprivate var keyHistory: [Responder]
  fileprivate var loose: Responder?
  fileprivate var firsts: [(window: Responder, first: Responder?)]

  /// Takes a removed responder out; its heir gets its focus here, as in the chain.
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
