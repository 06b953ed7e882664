// What a person confirms first, and who is told that it will be done.

extension Perform {
  var skipsValidation: Bool {
    if options.isValidated { return resolution.leavesOut }
    return options.skipValidation || options.arguments.skipsValidation ?? resolution.leavesOut
  }

  /// Whether somebody wants to be told before a candidate's handler is asked, or has to confirm it.
  func tells(_ candidate: Candidate) -> Bool {
    toldAction == nil && (!observers.isEmpty || !options.isUnwatched(for: candidate))
  }

  /// What a person is to confirm, as far as it is known without asking anybody.
  func knownQuestion(_ candidate: Candidate) -> String? {
    guard options.asks, options.confirmed == nil else { return nil }
    return options.question ?? (candidate.confirm as? SaidConfirmation)?.text
  }

  /// The outcome for lack of a person's yes; else nil.
  func unconfirmed(_ candidate: Candidate) -> Outcome? {
    guard options.asks, options.confirmed != true, options.question != nil || candidate.confirm != nil else {
      return nil
    }
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
