/// The *candidates* of one perform, one after the other. Each is found when it is asked for, because the one before may have changed what
/// follows.
struct Candidates {
  private(set) var resolution: Resolution
  private var index = 0
  /// The last one.
  private var last: Candidate?

  /// The candidates of a resolution. A witness hears of each question, so for it the resolution is made anew: a kept one has asked already.
  init(_ resolution: Resolution, witness: Witness? = nil) {
    self.resolution = witness == nil ? resolution : resolution.anew()
  }

  /// The candidates after a responder that does an action, even if it is no candidate any more. There are none after a catch-all that was
  /// asked last.
  init(
    _ resolution: Resolution, behind responder: Responder, doing action: String, byCatchAll isCatchAll: Bool
  ) {
    self.init(resolution.anew())
    while let candidate = next(nil) {
      if candidate.responder === responder, candidate.action.hasSameBytes(as: action) { return }
    }
    // The responder or its handler was removed meanwhile: the walk goes on from its place.
    let queries = resolution.queries
    guard !isCatchAll, let place = resolution.walk.places[responder.number],
      let query = queries.firstIndex(where: { $0.action.hasSameBytes(as: action) })
    else { return }
    goOn(from: WalkPosition(query: query, node: place + 1))
  }

  /// The hook that failed while a candidate was looked for; nil if none did.
  var hookFailure: Resolution.HookFailure? { resolution.hookFailure }

  mutating func next(_ witness: Witness?) -> Candidate? {
    // A candidate that passed may have changed which one is next.
    if index > 0 && !resolution.isCurrent { goOn(from: last?.after) }
    var candidate = resolution.candidate(index, witness: witness)
    if resolution.isStuck && candidate == nil {
      goOn(from: last?.after)
      candidate = resolution.candidate(0, witness: witness)
    }
    index += 1
    if candidate != nil { last = candidate }
    return candidate
  }

  private mutating func goOn(from position: WalkPosition?) {
    resolution = resolution.anew(from: position ?? WalkPosition())
    index = 0
  }
}
