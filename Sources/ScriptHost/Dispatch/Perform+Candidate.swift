// Takes a candidate's steps one after the other: those of a plan that an engine leaves to Swift, or all of them.

extension Perform {
  /// Takes a candidate's steps, from where a run of its plan stopped; nil if it passes.
  func offer(_ candidate: Candidate, after begun: End? = nil) -> Outcome? {
    if begun == nil, let session = dispatcher.session(blocking: candidate) { return block(candidate, by: session) }
    asked = candidate
    var end = begun ?? firstEnd(candidate)
    while case .step(let step) = end { end = take(step, candidate) ?? .step(step + 1) }
    if plan != nil, let notes = trace?.quick { notes.end = QuickNotes.End(end) }
    if case .passed = end { _ = contextWithArguments(candidate) }
    leavePlan()
    return outcome(of: end, candidate)
  }

  func block(_ candidate: Candidate, by session: ModalSession) -> Outcome {
    dispatcher.block(candidate.responder.name, via: candidate.via, by: session, options)
  }

  func leavePlan() {
    if slot != 0 { plan?.leave(slot) }
    slot = 0
    plan = nil
  }

  func firstEnd(_ candidate: Candidate) -> End {
    guard let context else { return .step(providers.count + Step.arguments) }
    context.takeOut()
    context.aim(at: candidate.responder, action: candidate.action, prefix: candidate.prefix)
    context.resolution = candidates?.resolution ?? resolution
    return .step(providers.count + Step.ask)
  }

  /// Takes one step; nil if the next one may follow.
  func take(_ step: Int, _ candidate: Candidate) -> End? {
    let count = providers.count
    switch step - count {
    case ..<Step.arguments:
      return dispatcher.provide(providers[step], at: step, into: suppliedContext, witness).map { .stopped($0) }
    case Step.arguments:
      putArguments(candidate)
      // `undo` and `redo` need nothing of the context, so a spent allowance doesn't stop them.
      return candidate.handler is UndoAction ? nil : ended
    case Step.ask:
      if let reason = drawnDisabled(candidate) { return .ended(Outcome(.disabled, reason: reason)) }
      let context = contextWithArguments(candidate)
      let verdict = dispatcher.verdict(candidate, in: context, witness: witness, skipping: skipsValidation)
      return drawn(End(verdict), candidate, in: context)
    case Step.tell:
      if let outcome = unconfirmed(candidate) { return .ended(outcome) }
      let handler = candidate.handler
      options.beginning?()
      tellWill(by: candidate.responder)
      // An observer may have replaced the handler; the new one is asked only the next time.
      if !candidate.isDone(by: handler) {
        replaced = handler
        return .step(count + Step.act)
      }
    default: return End(reply(of: replaced ?? candidate.handler, of: candidate, in: contextWithArguments(candidate)))
    }
    return nil
  }

  /// Why an item is disabled although a catch-all would do its action: the catch-all doesn't claim it, so the item is drawn disabled.
  func drawnDisabled(_ candidate: Candidate) -> String? {
    guard isAsDrawn, candidate.isLastResort else { return nil }
    return dispatcher.nobody(reference, on: walk).reason
  }

  /// The end of the `ask` step; an item whose `look` fails is disabled, as it is drawn.
  func drawn(_ end: End?, _ candidate: Candidate, in context: Context) -> End? {
    guard isAsDrawn, let look = candidate.look else { return end }
    switch end {
    case nil, .said(.asks):
      guard case .failure(let failure) = dispatcher.look(look, candidate, in: context, witness) else { return end }
      return .ended(Outcome(.disabled, by: candidate.responder.name, reason: failure.asReason))
    default: return end
    }
  }

  func reply(of handler: Handler, of candidate: Candidate, in context: Context) -> Reply {
    guard let trace else { return dispatcher.reply(of: handler, for: candidate.responder, in: context) }
    let step = trace.begins("do", candidate.action, of: candidate.responder, place: handler.place)
    let reply = dispatcher.reply(of: handler, for: candidate.responder, in: context)
    trace.ends(step, reply)
    return reply
  }
}
