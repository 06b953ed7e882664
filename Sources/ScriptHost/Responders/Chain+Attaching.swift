// Attaching: a responder is asked before another, wherever a walk comes to that one.

extension Chain {
  /// Makes a responder asked before another, which becomes its next. Of several, the one loaded last is asked first.
  func attach(_ responder: Responder, before other: Responder) throws(Misuse) {
    if responder.kind != .responder {
      throw Misuse(
        .wrongType, "only a responder can be asked before another, and '\(responder.name)' is a \(responder.kindWord)")
    }
    let known = responder.before
    detach(responder)
    do throws(Misuse) {
      try setNext(other, of: responder)
    } catch {
      if let known { insert(responder, before: known) }
      throw error
    }
    insert(responder, before: other)
    changeShape()
  }

  private func insert(_ responder: Responder, before other: Responder) {
    responder.before = other
    responder.lostBefore = nil
    let position = other.attached.firstIndex { $0.owner.number <= responder.owner.number }
    other.attached.insert(responder, at: position ?? other.attached.count)
  }

  /// Detaches a responder, so that it is asked at its own place only; its next stays.
  func detach(_ responder: Responder) {
    responder.lostBefore = nil
    guard let known = responder.before else { return }
    known.attached.removeAll { $0 === responder }
    responder.before = nil
    changeShape()
  }
}
