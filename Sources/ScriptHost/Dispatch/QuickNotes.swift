/// An *outline* is the part of a trace that is the same for each perform of a plan.
///
/// It retains no handler, because a trace may be read when the host is gone.
final class TraceOutline {
  /// What the walk asks until it finds the candidate.
  let steps: [Witness.Step]
  let providers: [Provider]
  let responder: String
  let action: String
  /// The places of the candidate's functions.
  let on: Place?
  let can: Place?
  let hasCan: Bool

  /// A provider, as a trace tells of it.
  struct Provider {
    let name: String
    let place: Place?
    /// The keys that it may write; each has a bit in `QuickNotes.supplied`.
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

/// *Quick notes* are numbers noted in one run of a plan, and put into words only when a trace is read.
final class QuickNotes {
  let outline: TraceOutline
  /// What each provider supplied: a bit for each key that it may write.
  let supplied: UnsafeMutablePointer<UInt16>
  /// The providers that failed, and why.
  var failures: [(provider: Int, message: String)] = []
  var end = End.did

  /// How far the run came, and the answer that ended it.
  enum End {
    /// The allowance was spent while a provider ran; nobody else was asked.
    case stopped
    case lacks(String)
    /// The answer of `can`, if it isn't yes.
    case asked(Witness.Answer)
    case did
    /// The handler's reply in words, if it isn't a value.
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
