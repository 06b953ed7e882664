extension Dispatcher {
  /// The gate of a candidate, as it is drawn.
  func gate(_ candidate: Candidate) -> Gate {
    if let session = session(blocking: candidate, whileDrawing: true) { return .blocked(session) }
    return isRunning(candidate) ? .running : .open
  }

  /// The gates of questions; empty if all are open. Consecutive items often have the same candidate, so the last one is
  /// reused.
  private func gates(_ questions: QuickQuestions) -> [Gate] {
    guard state.value.isModal || scheduler.waiting != 0 else { return [] }
    var last: (candidate: Candidate, gate: Gate)?
    return questions.questions.map { question in
      if let last, last.candidate === question.candidate { return last.gate }
      let gate = gate(question.candidate)
      last = (question.candidate, gate)
      return gate
    }
  }

  /// Asks quick questions, with the options that were given for them.
  func ask(_ questions: QuickQuestions, _ options: PerformOptions, _ ask: () -> Void) {
    questions.close(gates(questions))
    let outer = quickQuestions
    quickQuestions = (questions, options)
    defer { quickQuestions = outer }
    whileAsking(ask)
  }
}
