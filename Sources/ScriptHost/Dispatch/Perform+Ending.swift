// What the steps of a candidate come to, and what comes of the perform where nobody is left.

extension Perform {
  /// The outcome of the steps' end, the one place where that is told; nil when a candidate passes.
  func outcome(of end: End, _ candidate: Candidate) -> Outcome? {
    func disabled(_ reason: String) -> Outcome {
      Outcome(.disabled, by: candidate.responder.name, via: candidate.via, reason: reason)
    }
    switch end {
    case .did(let result): return Outcome(handledBy: candidate.taker, result: result)
    case .passed(let byHandler):
      if byHandler, toldAction == nil { toldAction = candidate.action }
      return nil
    case .lacks(let reason): return disabled(reason)
    case .no(let said): return disabled(candidate.reason(said))
    // A URL is taken once, and waits as long as the one before is being opened.
    case .running:
      guard options.isDelivery else { return disabled(Dispatcher.running) }
      dispatcher.waitToOpen(untilEndOf: candidate)
      return Outcome(.unhandled)
    case .unfit(let misfit):
      return Outcome(
        .disabled, by: candidate.responder.name, via: candidate.via, reason: misfit.reason, misfit: misfit)
    case .asks(var question):
      question.confirm = knownQuestion(candidate)
      return Outcome(.asks, by: candidate.responder.name, via: candidate.via, asks: question)
    case .ended(let outcome): return outcome
    case .canFailed(let failure):
      dispatcher.report(Diagnostic(failure))
      var outcome = disabled(failure.asReason)
      // That it spent what it may is a fact of the perform, not of what was asked.
      if failure.limit != nil { outcome.error = failure }
      return outcome
    case .refused(let said): return disabled(candidate.refusal(said))
    case .stopped(let failure), .failed(let failure):
      let failure = travel(failure, from: candidate.responder, step: candidate.step(on: walk))
      let status: Outcome.Status = failure.code == .cancelled ? .cancelled : .failed
      return Outcome(status, by: candidate.responder.name, via: candidate.via, error: failure)
    case .waits(let suspension): return dispatcher.wait(self, of: candidate, with: suspension)
    case .step, .hookAnswers: return nil
    }
  }

  /// Goes on with the reply of a handler that waited, or was asked before this began.
  func goOn(with reply: Reply, of candidate: Candidate) -> Outcome {
    leavePlan()
    asked = candidate
    if let outcome = outcome(of: End(reply), candidate) { return finished(outcome) }
    return goOn(after: candidate)
  }

  func travel(_ failure: Failure, from responder: Responder, step: Int) -> Failure {
    dispatcher.travel(failure, from: responder, along: walk.upward(from: step), sessionsAbove: lastSession)
  }

  func unhandled() -> Outcome {
    if options.isDelivery { return Outcome(.unhandled) }
    if options.isOfItem, toldAction == nil, !skipsValidation {
      return Outcome(.disabled, reason: dispatcher.nobody(reference.name, on: walk))
    }
    let hint = dispatcher.hint(forUnanswered: reference.name)
    return Outcome(.unhandled, reason: "nobody answers '\(reference.name)'\(hint)")
  }
}
