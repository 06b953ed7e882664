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
}
