/// The *candidates* of one perform, one after the other. Each is found when it is asked for, because the one before may have changed what
/// follows.
struct Candidates {
  private unowned let dispatcher: any Asker
  private(set) var resolution: Resolution
  private var index = 0
  /// Where the walk goes on after the last candidate that passed.
  private var position = WalkPosition()

  /// The candidates of a resolution. A witness hears of each question, so for it the resolution is made anew: a kept one has asked already.
  init(_ resolution: Resolution, witness: Witness? = nil, dispatcher: any Asker) {
    self.dispatcher = dispatcher
    self.resolution = resolution
    if witness != nil { goOnAlone() }
  }

  /// The candidates after a responder that does an action, even if it is no candidate any more. There are none after a catch-all that was
  /// asked last.
  init(
    _ resolution: Resolution, behind responder: Responder, doing action: String, byCatchAll isCatchAll: Bool,
    dispatcher: any Asker
  ) {
    let anew = Resolution(
      resolution.reference, raw: resolution.raw, on: resolution.walk, dispatcher: dispatcher, isKept: false)
    self.init(anew, dispatcher: dispatcher)
    while let candidate = next(nil) {
      if candidate.responder === responder, candidate.action.hasSameBytes(as: action) { return }
    }
    // The responder or its handler was removed meanwhile: the walk goes on from its place.
    let queries = resolution.queries
    guard !isCatchAll, let place = resolution.walk.places[responder.number],
      let query = queries.firstIndex(where: { $0.action.hasSameBytes(as: action) })
    else { return }
    position = WalkPosition(query: query, node: place + 1)
    goOnAlone()
  }

  /// The hook that failed while a candidate was looked for; nil if none did.
  var hookFailure: Resolution.HookFailure? { resolution.hookFailure }

  mutating func next(_ witness: Witness?) -> Candidate? {
    // A candidate that passed may have changed which one is next.
    if index > 0 && !resolution.isCurrent { goOnAlone() }
    var candidate = resolution.candidate(index, witness: witness)
    if resolution.isStuck && candidate == nil {
      goOnAlone()
      candidate = resolution.candidate(0, witness: witness)
    }
    index += 1
    if let candidate { position = candidate.after }
    return candidate
  }

  private mutating func goOnAlone() {
    resolution = Resolution(
      resolution.reference, raw: resolution.raw, on: resolution.walk, dispatcher: dispatcher, from: position,
      isKept: false)
    index = 0
  }
}
