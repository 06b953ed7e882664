/// An *outline* is what there is to tell of each perform of a plan, as far as it is the same each time.
///
/// It holds no handler: a trace may be read when the host is gone.
final class TraceOutline {
  /// What the walk asks until it finds who takes the action.
  let steps: [Witness.Step]
  let providers: [Provider]
  let responder: String
  let action: String
  /// Where the functions of the one who takes it are written.
  let on: Place?
  let can: Place?
  let hasCan: Bool

  /// One who supplies context.
  struct Provider {
    let name: String
    let place: Place?
    /// The keys that it may write; a bit of what is noted stands for each.
    let keys: [String]
  }

  init(_ candidate: Candidate, steps: [Witness.Step], providers: [Provider]) {
    self.steps = steps
    self.providers = providers
    responder = candidate.responder.name
    action = candidate.action
    on = candidate.handler.place
    can = candidate.can?.place
    hasCan = candidate.can != nil
  }
}

/// Notes on one run of a plan: numbers, which are put into words only when somebody reads them.
final class QuickNotes {
  let outline: TraceOutline
  /// What each provider supplied: a bit for each key that it may write.
  let supplied: UnsafeMutablePointer<UInt16>
  /// The providers that failed, and why.
  var failures: [(provider: Int, message: String)] = []
  var end = End.did

  /// How far the run came, and what was said there.
  enum End {
    /// A limit was spent while a provider ran; nobody else was asked.
    case stopped
    case lacks(String)
    /// What `can` said that is no yes.
    case asked(Witness.Answer)
    case did
    /// What the handler said otherwise.
    case replied(String)
  }

  init(_ outline: TraceOutline) {
    self.outline = outline
    supplied = .allocate(capacity: outline.providers.count)
    supplied.initialize(repeating: 0, count: outline.providers.count)
  }

  deinit { supplied.deallocate() }

  /// What was asked and answered, in order.
  var steps: [Trace.Step] {
    outline.steps.map { Trace.Step($0) } + providing + ending
  }

  private var providing: [Trace.Step] {
    var last = outline.providers.count
    if case .stopped = end, let stopped = failures.last { last = stopped.provider + 1 }
    return outline.providers[..<last].enumerated().map { index, provider in
      let bits = supplied[index]
      let keys = provider.keys.enumerated().filter { bits & (1 << UInt16($0.offset)) != 0 }.map(\.element)
      let failure = failures.first { $0.provider == index }?.message
      return Trace.Step(node: provider.name, supplied: keys, unheard: [], failure: failure, place: provider.place)
    }
  }

  private var ending: [Trace.Step] {
    switch end {
    case .stopped: []
    case .lacks(let reason): [asked(.needs, .no(reason), nil)]
    case .asked(let answer): [asked(.can, answer, outline.can)]
    case .did: allowed + [done("done")]
    case .replied(let words): allowed + [done(words)]
    }
  }

  private var allowed: [Trace.Step] { outline.hasCan ? [asked(.can, .yes, outline.can)] : [] }

  private func asked(_ question: Witness.Question, _ answer: Witness.Answer, _ place: Place?) -> Trace.Step {
    Trace.Step(
      Witness.Step(
        responder: outline.responder, question: question, action: outline.action, answer: answer, place: place))
  }

  private func done(_ answer: String) -> Trace.Step {
    Trace.Step(node: outline.responder, asked: "do \(outline.action)", answer: answer, place: outline.on)
  }
}

extension QuickNotes.End {
  init(_ end: End) {
    switch end {
    case .did, .step, .hookAnswers, .said(.asks), .ended: self = .did
    case .said(let verdict): self = .asked(verdict.answer)
    case .passed(let byHandler): self = byHandler ? .replied(Reply.pass.words) : .asked(.passes)
    case .lacks(let reason): self = .lacks(reason)
    case .refused(let said): self = .replied(Reply.refused(said).words)
    case .stopped: self = .stopped
    case .failed(let failure): self = .replied(Reply.failed(failure).words)
    case .waits: self = .replied("waits")
    }
  }
}
