// Asks a person to confirm an action, and decides whether anybody is told before it is done.

extension Perform {
  var skipsValidation: Bool {
    if options.isValidated { return resolution.leavesOut }
    return options.skipValidation || options.arguments.skipsValidation ?? resolution.leavesOut
  }

  /// Whether what keeps the item that asks drawn disabled keeps this from being done: no handler was asked yet.
  var isAsDrawn: Bool { options.isOfItem && toldAction == nil && !skipsValidation }

  /// Whether an observer is to be told before a candidate's handler is asked, or a person has to confirm it.
  func tells(_ candidate: Candidate) -> Bool {
    toldAction == nil && (!observers.isEmpty || !options.isUnwatched(for: candidate))
  }

  /// The question that a person has to confirm, if it is known without asking a function.
  func knownQuestion(_ candidate: Candidate) -> String? {
    guard options.asks, options.confirmed == nil else { return nil }
    return options.question ?? (candidate.confirm as? SaidConfirmation)?.text
  }

  /// The outcome if a person still has to confirm the action, or did not; else nil.
  func unconfirmed(_ candidate: Candidate) -> Outcome? {
    guard options.mayAskToConfirm(candidate) else { return nil }
    let name = candidate.responder.name
    let question: String
    switch options.question.map({ .success($0) })
      ?? dispatcher.confirmation(candidate, in: contextWithArguments(candidate))
    {
    case .success(nil): return nil
    case .success(let text?): question = text
    case .failure(let failure): return outcome(of: .said(.failed(failure)), candidate)
    }
    if options.confirmed == false {
      return Outcome(.cancelled, reason: "'\(options.drawnTitle ?? title)' was not confirmed")
    }
    return Outcome(.asks, by: name, via: candidate.via, asks: Outcome.Question(confirm: question))
  }
}
