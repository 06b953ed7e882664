/// Who is *asked* to do an action in a perform, and where that goes on when it passes or fails.
struct Asked {
  let handler: Handler
  let responder: Responder
  /// The action, as the one who does it calls it.
  let action: String
  let via: Outcome.Via
  /// Where the walk goes on after it.
  let step: Int
  /// Whether it takes by its catch-all what it claims.
  let isCatchAll: Bool
  /// The node of one that is asked because nobody takes the action.
  let lastResort: Int?

  init(
    _ handler: Handler, of responder: Responder, action: String, via: Outcome.Via, step: Int, lastResort: Int
  ) {
    self.handler = handler
    self.responder = responder
    self.action = action
    self.via = via
    self.step = step
    self.lastResort = lastResort
    isCatchAll = true
  }

  init(_ candidate: Candidate, step: Int) {
    handler = candidate.handler
    responder = candidate.responder
    action = candidate.action
    via = candidate.via
    self.step = step
    isCatchAll = candidate.isCatchAll
    lastResort = nil
  }

  init(_ taker: QuickTaker) {
    handler = taker.handler
    responder = taker.responder
    action = taker.action
    via = taker.via
    step = taker.step
    isCatchAll = taker.isCatchAll
    lastResort = taker.isLastResort ? taker.step - 1 : nil
  }
}
