/// The *candidates* of one perform or one validation, one after the other, as things stand when each is asked for.
struct Candidates {
  private(set) var resolution: Resolution
  private var index = 0
  /// Where the walk goes on after the one that passed.
  private var position: Resolution.Position

  init(_ resolution: Resolution) {
    self.resolution = resolution
    position = resolution.start
  }

  init(_ reference: Reference, raw: String, index: Int?, on walk: Walk, dispatcher: Dispatcher, witness: Witness?) {
    self.init(
      witness == nil
        ? dispatcher.resolution(reference, raw: raw, index: index, on: walk)
        : Resolution(dispatcher.queries(for: reference), raw: raw, on: walk, dispatcher: dispatcher, isKept: false))
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
    resolution = resolution.goingOn(from: position)
    index = 0
  }
}
