/// *Native questions* are what the items of a menu ask whom the embedding program, not a script, has answer: they are asked one after the
/// other, and it is noted whether something else was said than in the pass before.
final class NativeQuestions: QuickQuestions {
  /// Who says of each how it looks: to find that out takes longer than to ask.
  private let looks: [Handler?]
  private let resolutions: [Resolution]
  private var verdicts: [Verdict]
  private var said: [Look]
  /// Why it could not be said of some how they look.
  private var failures: [Int: Failure] = [:]
  private var changed: [Bool]
  /// Whether something else was said to any of them.
  private var isOther = true
  /// The one that is being asked; -1 while none is.
  private var asked = -1

  /// Whether all whom a question asks read in Swift what it asks with.
  static func canAsk(_ question: Entry) -> Bool {
    let candidate = question.candidate
    return candidate.trouble == nil && candidate.takes == nil && candidate.can?.readsInSwift ?? true
      && candidate.look?.readsInSwift ?? true
  }

  init(_ questions: [Entry], along resolutions: [Resolution]) {
    self.resolutions = resolutions
    looks = questions.map(\.candidate.look)
    // What nobody says: whatever is said first is something else.
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

  /// Has what a question asks with read where it lies, in the place of what the one before did.
  private func putArguments(_ index: Int, in context: Context) {
    let request = questions[index].request
    let candidate = questions[index].candidate
    // Whoever was asked with it last, in this pass or alone, may go by another name.
    (request.action, request.prefix) = (candidate.action, candidate.prefix)
    _ = context.put(request, isHeld: true)
    if context.takerObject !== candidate.responder { context.takerObject = candidate.responder }
    context.resolutionObject = resolutions[index]
  }

  /// Asks one; whether the same was said in the pass before.
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
  /// Whether how its item looks is asked too.
  fileprivate var isLookedAt: Bool {
    switch self {
    case .pass, .failed: false
    case .yes, .no, .unfit, .asks, .running: true
    }
  }

  /// Whether an item of which both are said is drawn the same. Where somebody passes, who is asked next may say something else.
  fileprivate func isSame(as other: Verdict) -> Bool {
    switch (self, other) {
    case (.yes, .yes), (.running, .running): true
    case (.no(let one), .no(let other)): one.hasSameBytes(as: other)
    default: false
    }
  }
}

extension Look {
  /// Whether both say the same, to the byte.
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
