/// *Quick questions* are those that a menu's items ask, prepared once, so that an engine answers them all in one call.
///
/// The answers are those that validating each item would give. It also tells which answers changed since the last pass, so that the other
/// items can be drawn as before.
class QuickQuestions {
  /// One item's question: the first candidate for its action, and the request.
  struct Entry {
    let candidate: Candidate
    let request: Request
  }

  /// The answer of the first candidate.
  struct Finding {
    var verdict: Verdict
    var look = Look()
    /// The failure of `look`, if it failed.
    var failure: Failure?
  }

  let questions: [Entry]
  /// The gate of each question, whatever `needs` and `can` would say; empty if all are open.
  private(set) var gates: [Gate] = []
  /// The gates in the pass before.
  private var lastGates: [Gate] = []

  init(_ questions: [Entry]) { self.questions = questions }

  /// Asks them all in a context.
  func ask(in context: Context) {}

  /// Sets the gates for the validation pass that begins.
  final func close(_ gates: [Gate]) {
    lastGates = self.gates
    self.gates = gates
  }

  final func gate(_ index: Int) -> Gate { gates.isEmpty ? .open : gates[index] }

  /// Whether a question's gate differs from the one in the pass before.
  final func hasOtherGate(_ index: Int) -> Bool {
    let last = lastGates.isEmpty ? .open : lastGates[index]
    return !gate(index).isSame(as: last)
  }

  /// Whether all gates are open now and were in the pass before, as they mostly are.
  final var areGatesOpen: Bool { gates.isEmpty && lastGates.isEmpty }

  /// Whether an answer in a range differs from the one in the pass before.
  func hasChanged(_ range: Range<Int>) -> Bool { true }

  func answer(_ index: Int) -> Finding { Finding(verdict: .pass) }

  /// The question that is being asked; nil while none is.
  var current: Entry? { nil }
}

/// A *gate* is what may keep a candidate from its action before any function is asked.
enum Gate {
  case open
  /// The action waits, and can't be done again meanwhile.
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
