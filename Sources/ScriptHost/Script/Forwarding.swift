/// A *forwarding* asks those who come behind whoever does an action, one after the other, until one of them takes it.
final class Forwarding {
  private unowned let dispatcher: Dispatcher
  private let context: Context
  /// Lends the context to who is asked, and gives it back to who forwards.
  private var lend: (Candidate) -> Void = { _ in }
  private var giveBack: () -> Void = {}
  private var candidates: Candidates?
  /// Whoever waits of those who were asked.
  private(set) var suspension = Suspension()

  init(
    _ candidates: Candidates, in context: Context, _ dispatcher: Dispatcher,
    lending lend: @escaping (Candidate) -> Void, givingBack giveBack: @escaping () -> Void
  ) {
    self.dispatcher = dispatcher
    self.context = context
    self.lend = lend
    self.giveBack = giveBack
    self.candidates = candidates
  }

  /// One who was asked already and waits; nobody is asked after it.
  init(_ suspension: Suspension, in context: Context, _ dispatcher: Dispatcher) {
    self.dispatcher = dispatcher
    self.context = context
    self.suspension = suspension
  }

  /// Asks on: nothing where nobody takes it, a refusal where one says no.
  func ask() -> Reply { finished(next()) }

  private func next() -> Reply {
    while let candidate = candidates?.next(nil) {
      if candidate.isCatchAll { continue }
      if let session = dispatcher.session(blocking: candidate) {
        return .refused(session.reason(for: candidate.responder.name))
      }
      context.takeOut()
      lend(candidate)
      let verdict = dispatcher.verdict(candidate, in: context, witness: dispatcher.tracing.current?.witness)
      if case .pass = verdict { continue }
      if case .failed(let failure) = verdict { return .failed(failure) }
      if let reason = candidate.reason(of: verdict) { return .refused(reason) }
      if let reply = noted(perform(candidate)) { return reply }
    }
    return .value(.null)
  }

  private func perform(_ candidate: Candidate) -> Reply {
    guard let trace = dispatcher.tracing.current else {
      return candidate.handler.perform(for: candidate.responder, in: context)
    }
    let step = trace.begins("forward", candidate.action, of: candidate.responder, place: candidate.handler.place)
    let reply = candidate.handler.perform(for: candidate.responder, in: context)
    trace.ends(step, reply)
    return reply
  }

  /// Goes on with whoever waits.
  func resume() -> Reply { finished(noted(suspension.resume()) ?? next()) }

  /// Unwinds whoever waits.
  func unwind() {
    suspension.unwind()
    context.takeOut()
    giveBack()
  }

  /// Gives the context back to who goes on with it, unless who was asked waits, and has it until then: others were shown what it holds, and
  /// took what was not given to who forwards.
  private func finished(_ reply: Reply) -> Reply {
    if case .waiting = reply { return reply }
    context.takeOut()
    giveBack()
    return reply
  }

  /// A reply that is no pass; keeps what waits.
  private func noted(_ reply: Reply) -> Reply? {
    if case .waiting(let suspension) = reply { self.suspension = suspension }
    if case .pass = reply { return nil }
    return reply
  }
}
