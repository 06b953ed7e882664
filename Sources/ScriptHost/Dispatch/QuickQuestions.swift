/// *Quick questions* are what the items of a menu ask as long as nothing changes, laid out so that an engine asks them in one go.
///
/// What is said to them is what the general way would come to. It is told of each question whether something else was said than in the
/// pass before, so that what was drawn then can be used again.
class QuickQuestions {
  /// One item's: who takes its action first, and what it is asked with.
  struct Question {
    let candidate: Candidate
    let request: Request
  }

  /// What the first candidate said.
  struct Answer {
    var verdict: Verdict
    var look = Look()
    /// Why it could not be said how it looks.
    var failure: Failure?
  }

  let questions: [Question]

  init(_ questions: [Question]) { self.questions = questions }

  /// Asks them all in a context.
  func ask(in context: Context) {}

  /// Whether something else was said to some of these than in the pass before.
  func hasChanged(_ range: Range<Int>) -> Bool { true }

  func answer(_ index: Int) -> Answer { Answer(verdict: .pass) }

  /// The question that is being asked; nil while none is.
  var current: Question? { nil }
}

extension Dispatcher {
  /// Whether nothing keeps questions from being asked in one go: no session, and nothing that waits.
  var mayAskInOneGo: Bool { !state.value.isModal && scheduler.waiting == 0 }

  /// Asks quick questions in a context that options were given for.
  func ask(_ questions: QuickQuestions, in context: Context, _ options: PerformOptions) {
    let outer = quickQuestions
    quickQuestions = (questions, options)
    defer { quickQuestions = outer }
    whileAsking { questions.ask(in: context) }
  }
}
