// Turns the end of a candidate's steps, or of the whole walk, into an outcome.

extension Perform {
  /// Turns a candidate's end into an outcome, the one place that does; nil if the candidate passes.
  func outcome(of end: End, _ candidate: Candidate) -> Outcome? {
    switch end {
    case .did(let result): return Outcome(handledBy: candidate.taker, result: result)
    case .passed(let byHandler):
      if byHandler, toldAction == nil { toldAction = candidate.action }
      return nil
    case .lacks(let reason): return disabled(reason, candidate)
    case .said(let verdict): return outcome(of: verdict, candidate)
    case .ended(let outcome): return outcome
    case .refused(let said): return disabled(candidate.refusal(said), candidate)
    case .stopped(let failure), .failed(let failure):
      let failure = travel(failure, from: candidate.responder, step: candidate.step(on: walk))
      return Outcome(Outcome.Status(failure), by: candidate.responder.name, via: candidate.via, error: failure)
    case .waits(let suspension): return dispatcher.wait(self, of: candidate, with: suspension)
    case .step, .hookAnswers: return nil
    }
  }

  private func disabled(_ reason: String?, _ candidate: Candidate) -> Outcome {
    Outcome(.disabled, by: candidate.responder.name, via: candidate.via, reason: reason)
  }

  /// The outcome if a verdict keeps the action from being done; nil if it doesn't.
  private func outcome(of verdict: Verdict, _ candidate: Candidate) -> Outcome? {
    var outcome = disabled(candidate.reason(of: verdict), candidate)
    switch verdict {
    case .yes, .pass: return nil
    // A delivered URL waits while the one before is being opened.
    case .running where options.isDelivery:
      dispatcher.waitToOpen(untilEndOf: candidate)
      return Outcome(.unhandled)
    case .no, .running: break
    case .unfit(let misfit):
      return Outcome(
        .disabled, by: candidate.responder.name, via: candidate.via, reason: outcome.reason, misfit: misfit)
    case .asks(var question):
      question.confirm = knownQuestion(candidate)
      return Outcome(.asks, by: candidate.responder.name, via: candidate.via, asks: question)
    case .failed(let failure):
      dispatcher.report(Diagnostic(failure))
      // A spent limit concerns the whole perform, so it is the outcome's error too.
      if failure.limit != nil { outcome.error = failure }
    }
    return outcome
  }

  /// Goes on with the reply of a handler that has waited, or that a plan has asked.
  func goOn(with reply: Reply, of candidate: Candidate) -> Outcome {
    leavePlan()
    asked = candidate
    if let outcome = outcome(of: End(reply), candidate) { return finished(outcome) }
    return goOn(after: candidate)
  }

  func travel(_ failure: Failure, from responder: Responder, step: Int) -> Failure {
    // The `failed` hooks are asked although the allowance is spent: a perform from outside gets as much again, once. Postponed reversals
    // run before.
    if failure.limit != nil, let engine = dispatcher.engine, dispatcher.depth.value == 1 || engine.isOutermost,
      engine.isSpent || dispatcher.isTakingBackNext
    {
      engine.renewAllowance()
    }
    return dispatcher.travel(failure, from: responder, along: walk.upward(from: step), sessionsAbove: lastSession)
  }

  func unhandled() -> Outcome {
    if options.isDelivery { return Outcome(.unhandled) }
    if isAsDrawn {
      return Outcome(.disabled, reason: dispatcher.nobody(reference, on: walk).reason)
    }
    return Outcome(.unhandled, reason: "nobody answers '\(reference.id)'\(dispatcher.hint(forUnanswered: reference))")
  }
}
