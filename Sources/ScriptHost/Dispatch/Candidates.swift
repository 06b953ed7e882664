/// The candidates of one perform, in order. Each is found only when needed, because the previous one may change the
/// rest.
struct Candidates {
  private(set) var resolution: Resolution
  private var index = 0
  /// The candidate returned most recently.
  private var last: Candidate?

  /// Creates the candidates of a resolution. A witness must see each question, so with one the resolution starts again.
  init(_ resolution: Resolution, witness: Witness? = nil) {
    self.resolution = witness == nil ? resolution : resolution.anew()
  }

  /// Creates the candidates after a responder that does an action, even if it has since been removed. After a
  /// last-resort catch-all there are none.
  init(
    _ resolution: Resolution, behind responder: Responder, doing action: String, byCatchAll isCatchAll: Bool
  ) {
    self.init(resolution.anew())
    while let candidate = next(nil) {
      if candidate.responder === responder, candidate.action.hasSameBytes(as: action) { return }
    }
    // The responder or its handler was removed meanwhile, so the walk continues from its place.
    let queries = resolution.queries
    guard !isCatchAll, let place = resolution.walk.places[responder.number],
      let query = queries.firstIndex(where: { $0.action.hasSameBytes(as: action) })
    else { return }
    goOn(from: WalkPosition(query: query, node: place + 1))
  }

  /// The hook that failed during the search for a candidate; nil if none did.
  var hookFailure: Resolution.HookFailure? { resolution.hookFailure }

  mutating func next(_ witness: Witness?) -> Candidate? {
    // The candidate that passed may have changed the next one.
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
