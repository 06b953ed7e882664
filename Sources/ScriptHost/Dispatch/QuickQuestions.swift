/// *Quick questions* are what the items of a menu ask as long as nothing changes, prepared so that an engine asks them in one go.
///
/// What is said to them is what the general way would come to. It is told of each question whether something else was said than in the
/// pass before, so that what was drawn then can be used again.
class QuickQuestions {
  /// One item's question: who takes its action first, and what it is asked with.
  struct Entry {
    let candidate: Candidate
    let request: Request
  }

  /// What the first candidate said.
  struct Finding {
    var verdict: Verdict
    var look = Look()
    /// Why it could not be said how it looks.
    var failure: Failure?
  }

  let questions: [Entry]
  /// What keeps each from being done, whatever its `needs` and `can` would say; none where nothing does.
  private(set) var gates: [Gate] = []
  /// Those of the pass before.
  private var lastGates: [Gate] = []

  init(_ questions: [Entry]) { self.questions = questions }

  /// Asks them all in a context.
  func ask(in context: Context) {}

  /// Takes note of what keeps questions from being done in the pass that begins.
  final func close(_ gates: [Gate]) {
    lastGates = self.gates
    self.gates = gates
  }

  final func gate(_ index: Int) -> Gate { gates.isEmpty ? .open : gates[index] }

  /// Whether something else keeps a question from being done than in the pass before.
  final func hasOtherGate(_ index: Int) -> Bool {
    let last = lastGates.isEmpty ? .open : lastGates[index]
    return !gate(index).isSame(as: last)
  }

  /// Whether gates were as they are, as mostly, because there were none.
  final var areGatesOpen: Bool { gates.isEmpty && lastGates.isEmpty }

  /// Whether something else was said to some of these than in the pass before.
  func hasChanged(_ range: Range<Int>) -> Bool { true }

  func answer(_ index: Int) -> Finding { Finding(verdict: .pass) }

  /// The question that is being asked; nil while none is.
  var current: Entry? { nil }
}

/// What may bar a candidate from its action, before anything is asked.
enum Gate {
  case open
  /// It waits, and can't be done again meanwhile.
  case running
  case blocked(ModalSession)

  func isSame(as other: Gate) -> Bool {
    switch (self, other) {
    case (.open, .open), (.running, .running): true
    case (.blocked(let one), .blocked(let other)): one === other
    default: false
    }
  }
}
