import LiveHost
import ScriptHost

// The questions of running actions (A10): a form or a question over everything else, one after the other.

extension Face {
  /// Queues a job's question. Null withdraws the job's former question.
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

  /// Closes the question of a job that is over, or whose question another client has answered.
  func withdrawQuestion(ofJob number: Int) {
    questions.removeAll { $0.job == number }
    over.removeAll { $0.job == number }
  }

  /// Shows the oldest waiting question, unless one is open.
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

  /// Handles the app's reply to the person's answer.
  func came(ofAnswer deed: FaceDeed, _ json: JSON) {
    if json["answered"]?.bool == true { return showNextQuestion() }
    guard let reason = json["reason"]?.text else { return refuse("\(deed.title): another client has answered already") }
    let misfit = json["argument"]?.text.map {
      Misfit(argument: $0, expected: json["expected"]?.text ?? "", reason: reason)
    }
    reopen(deed, Outcome(.disabled, reason: reason, misfit: misfit))
  }

  /// Refuses, or leaves a form without sending it.
  func sayNo(_ deed: FaceDeed, _ sentence: String) {
    say(.note(sentence))
    guard case .answer(let job) = deed.kind else { return }
    ask("answer", [("job", .integer(job)), ("confirmed", .bool(false))], for: .nothing)
    showNextQuestion()
  }
}

extension Overlay {
  /// The job that asks the overlay's question; nil for any other overlay.
  fileprivate var job: Int? {
    guard let deed = (self as? PromptOverlay)?.deed ?? (self as? Question)?.deed, case .answer(let job) = deed.kind
    else { return nil }
    return job
  }
}
