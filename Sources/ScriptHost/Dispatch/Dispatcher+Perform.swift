extension Dispatcher {
  /// Performs the action that a text refers to. There is always exactly one outcome.
  func perform(_ text: String, _ options: PerformOptions = PerformOptions()) -> Outcome {
    if let misuse = stranger(options) { return Outcome(.failed, error: Failure(.misuse, misuse.message)) }
    if state.value.isWatched { deliverWaitingURLs() }
    let resolution: Resolution
    do {
      resolution = try self.resolution(of: text, on: walk(options))
    } catch {
      var failure = Failure(error)
      if chain.hasSecrets { failure.text = failure.text.map(Self.maskedUnreadable) }
      return Outcome(.failed, error: failure)
    }
    return perform(resolution, options)
  }

  private func perform(_ resolution: Resolution, _ options: PerformOptions) -> Outcome {
    if let misuse = whileAskingMisuse("'\(resolution.reference.id)' can't be performed") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    if state.value.isWatched { tellSecrets(of: resolution.reference, options.arguments) }
    guard beginAction(resolution.reference.id) else { return nestedTooDeep(resolution.reference.id) }
    defer { endAction() }
    engine?.beginPerform()
    let trace = tracing.deliver == nil ? nil : beginTrace(masked(resolution.raw, resolution.reference), options)
    let perform = Perform(
      Candidates(resolution, witness: trace?.witness), options, self, trace: trace, observers: observers)
    var outcome = perform.run()
    endAllowance()
    // An observer that was told after the allowance had ended may have registered something.
    if hasRecorded, outcome.status != .running { outcome = settled(outcome, perform.title) }
    if let trace { leave(trace, outcome) }
    return outcome
  }

  private func nestedTooDeep(_ action: String) -> Outcome {
    let actions = waitingActions + performing + [action]
    let sentence = "performs are nested more than \(Self.nestingLimit) deep"
    return Outcome(.failed, error: Failure(.nesting, "\(sentence): \(Self.described(actions))"))
  }

  /// The actions that perform each other: the circle if there is one, else all.
  private static func described(_ actions: [String]) -> String {
    let length = (1...actions.count / 3).first { length in
      actions.suffix(3 * length).enumerated().allSatisfy { index, action in
        action.hasSameBytes(as: actions[actions.count - 3 * length + index % length])
      }
    }
    guard let length else { return actions.joined(separator: " → ") }
    let circle = actions.suffix(length)
    let shown = (circle.prefix(8) + (length > 8 ? ["…"] : []) + circle.prefix(1)).joined(separator: " → ")
    if length > 1 { return "\(shown); they perform each other without an end" }
    return "\(shown); 'ctx:forward()' performs what the next responder has for it, 'ctx:super()' what the class has"
  }
}

extension Failure {
  /// A reference that can't be read.
  init(_ error: ReferenceError) {
    self.init(.reference, error.message)
    place = Place(file: "reference", line: 1, column: error.column)
    text = error.excerpt.line
  }
}
