// Modal sessions: which are open, and who is inside.

extension Chain {
  static let sessionLimit = 64

  /// Sessions are for people: whoever opens one in another without an end is stopped.
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

  /// Ends a session and those above it, and puts the focus where it was before them.
  func close(_ session: ModalSession) {
    guard let index = sessions.firstIndex(where: { $0 === session }) else { return }
    let ended = sessions[index...]
    sessions.removeSubrange(index...)
    for session in ended { session.over() }
    if let memory = ended.lazy.compactMap(\.memory).first { restore(memory) }
    // Whoever still holds one doesn't hold the windows of then.
    for session in ended { session.memory = nil }
  }

  /// Ends the lowest session of which something is true, and so all above it.
  func closeSessions(where isOver: (ModalSession) -> Bool) {
    if let session = sessions.first(where: isOver) { close(session) }
  }

  /// Whether a responder is what a session is open on, or reaches that by `next`.
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
  /// Whether it may act whatever session is open.
  var worksWhenModal: Bool { hook(\.worksWhenModal) ?? false }
}
