/// *Native questions* are quick questions that the embedding program answers, one after the other.
final class NativeQuestions: QuickQuestions {
  /// The `look` handler of each question, kept because finding it takes longer than asking it.
  private let looks: [Handler?]
  private let resolutions: [Resolution]
  private var verdicts: [Verdict]
  private var said: [Look]
  /// The failures of `look`, by the index of the question.
  private var failures: [Int: Failure] = [:]
  private var changed: [Bool]
  /// Whether any answer differs from the one in the pass before.
  private var isOther = true
  /// The index of the question that is being asked; -1 while none is.
  private var asked = -1

  /// Whether the candidate's `can` and `look` read the request in Swift.
  static func canAsk(_ question: Entry) -> Bool {
    let candidate = question.candidate
    return candidate.whySetAside == nil && candidate.takes == nil && candidate.can?.readsInSwift ?? true
      && candidate.look?.readsInSwift ?? true
  }

  init(_ questions: [Entry], along resolutions: [Resolution]) {
    self.resolutions = resolutions
    looks = questions.map(\.candidate.look)
    // `.pass` is the same as no answer, so the first answer always counts as changed.
    verdicts = Array(repeating: .pass, count: questions.count)
    said = Array(repeating: Look(), count: questions.count)
    changed = Array(repeating: true, count: questions.count)
    super.init(questions)
  }

  override var current: Entry? { asked < 0 ? nil : questions[asked] }

  override func hasChanged(_ range: Range<Int>) -> Bool { isOther && changed[range].contains(true) }

  override func answer(_ index: Int) -> Finding {
    Finding(verdict: verdicts[index], look: said[index], failure: failures[index])
  }

  // MARK: Asking

  /// Asks them all in a context.
  func ask(in context: Context, by dispatcher: Dispatcher) {
    isOther = false
    let failed = failures
    failures = [:]
    for index in questions.indices {
      asked = index
      putArguments(index, in: context)
      dispatcher.engine?.beginQuestion()
      let isSame = ask(index, in: context, by: dispatcher)
      dispatcher.engine?.endQuestion()
      changed[index] = !isSame || failures[index] != nil || failed[index] != nil || !areGatesOpen && hasOtherGate(index)
      if changed[index] { isOther = true }
    }
    asked = -1
    context.takeOff()
  }

  /// Makes a question's request readable in the context, in the place of the one before.
  private func putArguments(_ index: Int, in context: Context) {
    let request = questions[index].request
    let candidate = questions[index].candidate
    // The candidate that got this request last, in this pass or alone, may have another name.
    (request.action, request.prefix) = (candidate.action, candidate.prefix)
    _ = context.put(request, isHeld: true)
    if context.takerObject !== candidate.responder { context.takerObject = candidate.responder }
    context.resolutionObject = resolutions[index]
  }

  /// Asks one question. Returns whether the answer is the same as in the pass before.
  private func ask(_ index: Int, in context: Context, by dispatcher: Dispatcher) -> Bool {
    let candidate = questions[index].candidate
    var isSame = true
    if case .open = gate(index) {
      let verdict = dispatcher.verdict(candidate, in: context, witness: nil)
      if !verdict.isSame(as: verdicts[index]) { (verdicts[index], isSame) = (verdict, false) }
      if !verdict.isLookedAt { return isSame }
    }
    var look = Look()
    if let handler = looks[index] {
      switch dispatcher.asking(in: context, { handler.look(for: candidate.responder, in: context) }) {
      case .success(let answer): look = answer
      case .failure(let failure): failures[index] = failure
      }
    }
    if !look.isSame(as: said[index]) { (said[index], isSame) = (look, false) }
    return isSame
  }
}

extension Verdict {
  /// Whether `look` is asked after this verdict.
  fileprivate var isLookedAt: Bool {
    switch self {
    case .pass, .failed: false
    case .yes, .no, .unfit, .asks, .running: true
    }
  }

  /// Whether an item with either verdict is drawn the same. After a pass it may not be, because the next candidate may answer anything.
  fileprivate func isSame(as other: Verdict) -> Bool {
    switch (self, other) {
    case (.yes, .yes), (.running, .running): true
    case (.no(let one), .no(let other)): one.hasSameBytes(as: other)
    default: false
    }
  }
}

extension Look {
  /// Whether two looks are the same, to the byte.
  fileprivate func isSame(as other: Look) -> Bool {
    state == other.state && hidden == other.hidden && destructive == other.destructive
      && title.hasSameBytes(as: other.title) && subtitle.hasSameBytes(as: other.subtitle)
      && icon.hasSameBytes(as: other.icon)
  }
}

extension String? {
  fileprivate func hasSameBytes(as other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let one?, let other?): one.hasSameBytes(as: other)
    default: false
    }
  }
}
