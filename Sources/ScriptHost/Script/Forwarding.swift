/// A *forwarding* asks the candidates behind the one that does an action, one after the other, until one takes it.
final class Forwarding {
  private unowned let dispatcher: Dispatcher
  private let context: Context
  /// Returns the context to the handler that forwards.
  private var giveBack: () -> Void = {}
  private var candidates: Candidates?
  /// The suspension of the candidate that waits.
  private(set) var suspension = Suspension()

  init(
    _ candidates: Candidates, in context: Context, _ dispatcher: Dispatcher,
    givingBack giveBack: @escaping () -> Void
  ) {
    self.dispatcher = dispatcher
    self.context = context
    self.giveBack = giveBack
    self.candidates = candidates
  }

  /// A forwarding to a handler that was called already and waits; nobody is asked after it.
  init(_ suspension: Suspension, in context: Context, _ dispatcher: Dispatcher) {
    self.dispatcher = dispatcher
    self.context = context
    self.suspension = suspension
  }

  /// Asks the candidates. The value is null where none takes the action; a refusal ends it.
  func ask() -> Reply { finished(next()) }

  private func next() -> Reply {
    while let candidate = candidates?.next(nil) {
      if candidate.isCatchAll { continue }
      if let session = dispatcher.session(blocking: candidate) {
        return .refused(session.reason(for: candidate.responder.name))
      }
      context.takeOut()
      context.aim(at: candidate.responder, action: candidate.action, prefix: candidate.prefix)
      let verdict = dispatcher.verdict(candidate, in: context, witness: dispatcher.tracing.current?.witness)
      if case .pass = verdict { continue }
      if case .failed(let failure, _) = verdict { return .failed(failure) }
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

  /// Resumes the candidate that waits, and goes on to the next if that passes.
  func resume() -> Reply { finished(noted(suspension.resume()) ?? next()) }

  /// Unwinds the candidate that waits.
  func unwind() {
    suspension.unwind()
    context.takeOut()
    giveBack()
  }

  /// Gives the context back to the handler that forwards, unless the candidate waits and keeps it until then: the candidates were shown the context
  /// as they may see it, and defaults and conversions of their own were put over the arguments.
  private func finished(_ reply: Reply) -> Reply {
    if case .waiting = reply { return reply }
    context.takeOut()
    giveBack()
    return reply
  }

  /// The reply, unless it is `pass`. If it waits, its suspension is kept.
  private func noted(_ reply: Reply) -> Reply? {
    if case .waiting(let suspension) = reply { self.suspension = suspension }
    if case .pass = reply { return nil }
    return reply
  }
}
