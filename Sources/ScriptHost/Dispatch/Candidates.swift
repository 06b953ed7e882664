/// The *candidates* of one perform or one validation, one after the other, as things stand when each is asked for.
struct Candidates {
  private let reference: Reference
  private let raw: String
  private let walk: Walk
  private unowned let dispatcher: any Asker
  private(set) var resolution: Resolution
  private var index = 0
  /// Where the walk goes on after the one that passed.
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

  /// The candidates after the first of a resolution, who was asked already.
  init(_ resolution: Resolution, after first: Candidate, dispatcher: any Asker, witness: Witness?) {
    self.init(resolution, dispatcher: dispatcher)
    if first.isLastResort {
      // Nobody else is left: functions that have a say were asked before.
      position = WalkPosition(query: resolution.queries.count)
      if resolution.isStuck { goOnAlone() }
    } else {
      index = 1
      position = first.after
      // Of whom a kept one has found already a witness would not hear.
      if witness != nil { goOnAlone() }
    }
  }

  /// The candidates behind a responder that does an action, be it one of them or none any more; none behind one that was asked last of all.
  init(
    _ resolution: Resolution, behind responder: Responder, doing action: String, byCatchAll isCatchAll: Bool,
    dispatcher: any Asker
  ) {
    self.init(
      resolution.reference, raw: resolution.raw, index: nil, on: resolution.walk, dispatcher: dispatcher, witness: nil)
    while let candidate = next(nil) {
      if candidate.responder === responder, candidate.action.hasSameBytes(as: action) { return }
    }
    // Its handler, or itself, was taken out meanwhile: the walk goes on where it stood.
    let queries = resolution.queries
    guard !isCatchAll, let place = walk.places[responder.number],
      let query = queries.firstIndex(where: { $0.action.hasSameBytes(as: action) })
    else { return }
    position = WalkPosition(query: query, node: place + 1)
    goOnAlone()
  }

  /// What asking came to when it is not nobody.
  var trouble: Resolution.Trouble? { resolution.trouble }

  mutating func next(_ witness: Witness?) -> Candidate? {
    // Whoever passed may have changed who comes next.
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
