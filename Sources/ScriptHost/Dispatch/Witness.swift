/// A *witness* notes what a walk asks and what is answered, for explanations and traces. It changes nothing.
final class Witness {
  enum Question: String, Sendable {
    case on, resolve, redirect, claims, running, needs, takes, can, look, unknown, native, modal
  }

  enum Answer: Equatable {
    case nothing
    case takes
    case yes
    case no(String)
    case passes
    case redirects(String)
    case fails(String)
  }

  struct Step {
    let responder: String
    let question: Question
    let action: String
    let answer: Answer
    let place: Place?
  }

  private(set) var steps: [Step] = []
  /// The keys that were read, in the order of the first reading.
  private(set) var keys: [String] = []
  let suppliers = Suppliers()
  /// Told of each step as it is noted.
  var onStep: ((Step) -> Void)?

  func asked(
    _ responder: Responder, _ question: Question, _ query: Query, answer: Answer, place: Place? = nil
  ) {
    asked(responder.name, question, query.action, answer: answer, place: place)
  }

  func asked(_ name: String, _ question: Question, _ action: String, answer: Answer, place: Place?) {
    let step = Step(responder: name, question: question, action: action, answer: answer, place: place)
    steps.append(step)
    onStep?(step)
  }

  func read(_ key: String) {
    if !keys.contains(where: { $0.hasSameBytes(as: key) }) { keys.append(key) }
  }
}

extension Witness.Answer {
  /// The answer in words.
  var words: String {
    switch self {
    case .nothing: "doesn't answer"
    case .takes: "takes it"
    case .yes: "yes"
    case .no(let reason): reason.isEmpty ? "no" : "no: \(reason)"
    case .passes: "passes"
    case .redirects(let name): "hands it to '\(name)'"
    case .fails(let message): "fails: \(message)"
    }
  }
}
