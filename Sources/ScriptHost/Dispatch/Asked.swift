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

  var taker: Outcome.Taker { Outcome.Taker(name: responder.name, via: via) }

  init(lastResort handler: Handler, of responder: Responder, action: String, node: Int) {
    self.handler = handler
    self.responder = responder
    self.action = action
    via = .unknown
    step = node + 1
    isCatchAll = true
    lastResort = node
  }

  init(_ candidate: Candidate, on walk: Walk) {
    handler = candidate.handler
    responder = candidate.responder
    action = candidate.action
    via = candidate.via
    step = candidate.step(on: walk)
    isCatchAll = candidate.isCatchAll
    lastResort = candidate.isLastResort ? candidate.after.node - 1 : nil
  }
}
