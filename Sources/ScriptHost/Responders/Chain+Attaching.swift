// Responders that are asked before others, wherever a walk gets there.

extension Chain {
  /// Has a responder asked before another, which is its next from now on. Of several the latest loaded is asked first.
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

  /// Has a responder asked in its own place only; who is its next stays so.
  func detach(_ responder: Responder) {
    responder.lostBefore = nil
    guard let known = responder.before else { return }
    known.attached.removeAll { $0 === responder }
    responder.before = nil
    changeShape()
  }
}
