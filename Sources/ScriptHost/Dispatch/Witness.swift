/// A *witness* notes what a walk asks and hears. It changes nothing: whoever explains, traces or records watches the same walk.
final class Witness {
  enum Question: String, Sendable {
    case on, resolve, redirect, claims, running, needs, can, look, unknown, native, modal
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

  func asked(
    _ responder: Responder, _ question: Question, _ query: Query, answer: Answer, place: Place? = nil
  ) {
    asked(responder.name, question, query.action, answer: answer, place: place)
  }

  func asked(_ name: String, _ question: Question, _ action: String, answer: Answer, place: Place?) {
    steps.append(Step(responder: name, question: question, action: action, answer: answer, place: place))
  }

  func read(_ key: String) {
    if !keys.contains(where: { $0.hasSameBytes(as: key) }) { keys.append(key) }
  }
}
