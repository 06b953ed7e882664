import LiveHost
import ScriptHost

// What actions ask in the middle of their work (A10): a form or a question over whatever is open, one after the other.

extension Face {
  /// Takes what a job asks; null if it doesn't ask that any more.
  func take(question json: JSON, ofJob number: Int) {
    withdrawQuestion(ofJob: number)
    let job = jobs.firstIndex { $0.number == number }
    if let question = JobQuestion(number, json, called: job.map { jobs[$0].named } ?? "An action") {
      questions.append(question)
      job.map { jobs[$0].isAsking = true }
    } else {
      job.map { jobs[$0].isAsking = false }
    }
    showNextQuestion()
  }

  /// Closes the question of a job that is over, or whose question somebody else has answered.
  func withdrawQuestion(ofJob number: Int) {
    questions.removeAll { $0.job == number }
    over.removeAll { $0.job == number }
  }

  /// Shows the question that waits longest, unless one is open.
  func showNextQuestion() {
    guard let next = questions.first, over.allSatisfy({ $0.job == nil }) else { return }
    questions.removeFirst()
    bar.open = []
    var deed = FaceDeed(kind: .answer(job: next.job), title: next.title)
    let (question, help) = (next.asked.question, next.asked.help)
    if !question.arguments.isEmpty {
      let prompt = Prompt(title: deed.title, help: help, question.arguments)
      over.append(PromptOverlay(prompt, deed, confirm: question.confirm))
    } else if settings.confirms {
      carryOut(deed)
    } else {
      let text = [question.confirm ?? deed.title, help].compactMap { $0 }.joined(separator: "\n")
      deed.asked = question.confirm
      over.append(Question(text, deed))
    }
  }

  /// Takes the answer of the app to the person's answer.
  func came(ofAnswer deed: FaceDeed, _ json: JSON) {
    if json["answered"]?.bool == true { return showNextQuestion() }
    guard let reason = json["reason"]?.text else { return refuse("\(deed.title): somebody else has answered already") }
    let misfit = json["argument"]?.text.map {
      Misfit(argument: $0, expected: json["expected"]?.text ?? "", reason: reason)
    }
    reopen(deed, Outcome(.disabled, reason: reason, misfit: misfit))
  }

  /// Says no, or leaves a form.
  func sayNo(_ deed: FaceDeed, _ sentence: String) {
    say(.note(sentence))
    guard case .answer(let job) = deed.kind else { return }
    ask("answer", [("job", .integer(job)), ("confirmed", .bool(false))], for: .nothing)
    showNextQuestion()
  }
}

extension Overlay {
  /// The job whose question it is; nil for everything else.
  fileprivate var job: Int? {
    guard let deed = (self as? PromptOverlay)?.deed ?? (self as? Question)?.deed, case .answer(let job) = deed.kind
    else { return nil }
    return job
  }
}
