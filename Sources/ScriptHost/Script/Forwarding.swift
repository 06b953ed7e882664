/// A *forwarding* tries the candidates after the present handler, in turn, until one of them takes the action.
final class Forwarding {
  private unowned let dispatcher: Dispatcher
  private let context: Context
  /// Returns the context to the handler that forwards.
  private var giveBack: () -> Void = {}
  private var candidates: Candidates?
  /// The current candidate.
  private var asked: Candidate?
  private let forwarded: Forwarded
  /// The suspension of the waiting candidate.
  private(set) var suspension = Suspension()

  init(
    _ candidates: Candidates, in context: Context, _ dispatcher: Dispatcher,
    givingBack giveBack: @escaping () -> Void
  ) {
    self.dispatcher = dispatcher
    self.context = context
    self.giveBack = giveBack
    self.candidates = candidates
    forwarded = context.forwarded ?? Forwarded()
    context.forwarded = forwarded
    forwarded.last = nil
  }

  /// Creates a forwarding to a handler that was called already and waits. No candidate follows it.
  init(_ suspension: Suspension, in context: Context, _ dispatcher: Dispatcher) {
    self.dispatcher = dispatcher
    self.context = context
    self.suspension = suspension
    forwarded = Forwarded()
  }

  /// Tries the candidates. The value is null if none takes the action. A refusal ends it.
  func ask() -> Reply { finished(next()) }

  private func next() -> Reply {
    while let candidate = candidates?.next(nil) {
      if candidate.isCatchAll || forwarded.hasPassed(candidate) { continue }
      asked = candidate
      if let reply = noted(reply(of: candidate)) { return reply }
    }
    return .value(.null)
  }

  /// Asks a candidate, and performs its action if it may be done.
  private func reply(of candidate: Candidate) -> Reply {
    if let session = dispatcher.session(blocking: candidate) {
      return .refused(session.reason(for: candidate.responder.name))
    }
    context.takeOut()
    context.aim(at: candidate.responder, action: candidate.action, prefix: candidate.prefix)
    let verdict = dispatcher.verdict(candidate, in: context, witness: dispatcher.tracing.current?.witness)
    if case .pass = verdict { return .pass }
    if case .failed(let failure, _) = verdict { return .failed(failure) }
    if let reason = candidate.reason(of: verdict) { return .refused(reason) }
    return perform(candidate)
  }

  private func perform(_ candidate: Candidate) -> Reply {
    candidate.handler.hasRun = true
    guard let trace = dispatcher.tracing.current else {
      return candidate.handler.perform(for: candidate.responder, in: context)
    }
    let step = trace.begins("forward", candidate.action, of: candidate.responder, place: candidate.handler.place)
    let reply = candidate.handler.perform(for: candidate.responder, in: context)
    trace.ends(step, reply)
    return reply
  }

  /// Resumes the waiting candidate, and tries the next if it passes.
  func resume() -> Reply { finished(noted(suspension.resume()) ?? next()) }

  /// Unwinds the waiting candidate.
  func unwind() {
    suspension.unwind()
    context.takeOut()
    giveBack()
  }

  /// Returns the context to the forwarding handler, unless a waiting candidate keeps it. The candidates had their own
  /// view of the context, with their defaults and conversions over the arguments.
  private func finished(_ reply: Reply) -> Reply {
    if case .waiting = reply { return reply }
    context.takeOut()
    giveBack()
    return reply
  }

  /// Returns the reply of the asked candidate, unless it is `pass`. If it waits, its suspension is stored. If it passes
  /// after it has forwarded the action, its forwarding has the reply.
  private func noted(_ reply: Reply) -> Reply? {
    if case .waiting(let suspension) = reply { self.suspension = suspension }
    guard let asked else { return reply }
    switch reply {
    case .waiting: break
    case .pass:
      forwarded.notePass(of: asked)
      return forwarded.last?.reply
    default: forwarded.last = (asked, reply)
    }
    return reply
  }
}
