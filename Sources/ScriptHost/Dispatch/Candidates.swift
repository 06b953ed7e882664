/// The *candidates* of one perform, one after the other. Each is found when it is asked for, because the one before may have changed what
/// follows.
struct Candidates {
  private let reference: Reference
  private let raw: String
  private let walk: Walk
  private unowned let dispatcher: any Asker
  private(set) var resolution: Resolution
  private var index = 0
  /// Where the walk goes on after the last candidate that passed.
  private var position = WalkPosition()

  init(
    _ reference: Reference, raw: String, index: Int?, on walk: Walk, dispatcher: any Asker, witness: Witness?
  ) {
    self.reference = reference
    self.raw = raw
    self.walk = walk
    self.dispatcher = dispatcher
    resolution =
      witness == nil
      ? dispatcher.resolution(reference, raw: raw, index: index, on: walk)
      : Resolution(reference, raw: raw, on: walk, dispatcher: dispatcher, isKept: false)
  }

  /// The candidates of a resolution that a perform has begun with.
  init(_ resolution: Resolution, dispatcher: any Asker) {
    reference = resolution.reference
    raw = resolution.raw
    walk = resolution.walk
    self.dispatcher = dispatcher
    self.resolution = resolution
  }

  /// The candidates after the first one of a resolution, which was asked already.
  init(_ resolution: Resolution, after first: Candidate, dispatcher: any Asker, witness: Witness?) {
    self.init(resolution, dispatcher: dispatcher)
    if first.isLastResort {
      // Only catch-alls are left: hooks were asked before this one.
      position = WalkPosition(query: resolution.queries.count)
      if resolution.isStuck { goOnAlone() }
    } else {
      index = 1
      position = first.after
      // A witness would not hear of the candidates that a kept resolution has found already.
      if witness != nil { goOnAlone() }
    }
  }

  /// The candidates after a responder that does an action, even if it is no candidate any more. There are none after a catch-all that was
  /// asked last.
  init(
    _ resolution: Resolution, behind responder: Responder, doing action: String, byCatchAll isCatchAll: Bool,
    dispatcher: any Asker
  ) {
    self.init(
      resolution.reference, raw: resolution.raw, index: nil, on: resolution.walk, dispatcher: dispatcher, witness: nil)
    while let candidate = next(nil) {
      if candidate.responder === responder, candidate.action.hasSameBytes(as: action) { return }
    }
    // The responder or its handler was removed meanwhile: the walk goes on from its place.
    let queries = resolution.queries
    guard !isCatchAll, let place = walk.places[responder.number],
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
    resolution = Resolution(reference, raw: raw, on: walk, dispatcher: dispatcher, from: position, isKept: false)
    index = 0
  }
}
