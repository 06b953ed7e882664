extension Dispatcher {
  /// Performs the action that a text refers to. Always returns exactly one outcome.
  func perform(_ text: String, _ options: PerformOptions = PerformOptions()) -> Outcome {
    if let misuse = stranger(options) { return Outcome(.failed, error: Failure(.misuse, misuse.message)) }
    if state.value.isWatched { deliverWaitingURLs() }
    let resolution: Resolution
    do {
      resolution = try self.resolution(of: text, on: walk(options), exact: options.isExact)
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
    var isStep = false
    defer { endAction(isStep: isStep) }
    let engine = engine
    engine?.beginPerform()
    let trace = tracing.deliver == nil ? nil : beginTrace(masked(resolution.raw, resolution.reference), options)
    let perform = Perform(
      Candidates(resolution, witness: trace?.witness), options, self, trace: trace, observers: observers)
    var outcome = perform.run()
    isStep = outcome.status == .running
    endAllowance(of: engine)
    // An observer called after the allowance ended may have registered something.
    if hasRecorded, outcome.status != .running { outcome = settled(outcome, perform.title) }
    if let trace { leave(trace, outcome) }
    return outcome
  }

  private func nestedTooDeep(_ action: String) -> Outcome {
    let actions = waitingActions + performing + [action]
    let sentence = "performs are nested more than \(Self.nestingLimit) deep"
    return Outcome(.failed, error: Failure(.nesting, "\(sentence): \(Self.described(actions))"))
  }

  /// Lists the nested actions: the cycle if there is one, otherwise all.
  private static func described(_ actions: [String]) -> String {
    let length = (1...actions.count / 3).first { length in
      actions.suffix(3 * length).enumerated().allSatisfy { index, action in
        action.hasSameBytes(as: actions[actions.count - 3 * length + index % length])
      }
    }
    guard let length else { return actions.joined(separator: " → ") }
    let circle = actions.suffix(length)
    let shown = (circle.prefix(8) + (length > 8 ? ["…"] : []) + circle.prefix(1)).joined(separator: " → ")
    if length > 1 { return "\(shown); they perform each other endlessly" }
    return "\(shown); to perform the next responder's handler call ctx:forward(), for the class's ctx:super()"
  }
}

extension Failure {
  /// Creates the failure for an unreadable reference.
  init(_ error: ReferenceError) {
    self.init(.reference, error.message)
    place = Place(file: "reference", line: 1, column: error.column)
    text = error.excerpt.line
  }
}

// A waiting action locks histories. Nothing can undo a history in which it recorded changes. Nothing can undo or extend
// a history that it is reversing (U11, U12).

extension Dispatcher {
  /// Returns why an owner's history is locked: a waiting action has changed it, or is reversing it.
  func lock(on owner: Responder) -> String? {
    guard undo.held > 0 else { return nil }
    for case let job as PerformJob in scheduler.jobs {
      switch job.recording?.purpose {
      case .reversing(let stack)? where stack.responder === owner: return "'\(job.action)' is waiting"
      case .doing? where job.recording?.entries.contains { $0.owner == owner.number } ?? false:
        return "'\(job.action)' has made changes and is waiting"
      default: continue
      }
    }
    return nil
  }

  /// Checks a successful outcome. If it would extend a history that a waiting action is reversing, returns a failure.
  func checked(_ outcome: Outcome) -> Outcome {
    guard outcome.status.isKept, hasRecorded, undo.held > 0, depth.value <= undo.current.value.base,
      !undo.isReversing, let (action, owner) = reversingHistory()
    else { return outcome }
    let failure = Failure(
      .misuse, "'\(action)' is waiting: no other change can be added to the history of '\(owner)' meanwhile")
    report(Diagnostic(failure))
    return Outcome(.failed, by: outcome.by, via: outcome.via, error: failure)
  }

  /// Ends the recording of a perform that registered something, after `checked`.
  @inline(never)
  func settled(_ outcome: Outcome, _ title: String) -> Outcome {
    let outcome = checked(outcome)
    settle(outcome.status, title)
    return outcome
  }

  /// Finds the waiting action that reverses a history to which the current recording adds.
  private func reversingHistory() -> (action: String, owner: String)? {
    let owners = Set(undo.current.value.entries.map(\.owner))
    for case let job as PerformJob in scheduler.jobs {
      if case .reversing(let stack)? = job.recording?.purpose, owners.contains(stack.responder.number) {
        return (job.action, stack.responder.name)
      }
    }
    return nil
  }
}

extension Dispatcher {
  /// Begins the trace of a perform; nil if nobody listens for traces.
  func beginTrace(_ raw: String, _ options: PerformOptions) -> Trace? {
    tracing.deliver == nil || options.isDelivery ? nil : beginTrace(raw, by: options.sender)
  }

  func beginTrace(_ raw: String, by sender: Sender) -> Trace {
    let trace = Trace(raw, by: sender)
    trace.parent = tracing.current
    tracing.current?.note(trace)
    tracing.current = trace
    return trace
  }

  /// Leaves the trace of a perform. If the perform waits, its trace continues later.
  func leave(_ trace: Trace, _ outcome: Outcome) {
    tracing.current = trace.parent
    if outcome.status != .running { end(trace, outcome) }
  }

  /// Ends a trace with its outcome.
  func end(_ trace: Trace, _ outcome: Outcome) {
    guard trace.outcome == nil else { return }
    trace.outcome = outcome
    if trace.parent == nil { tracing.deliver?(trace) }
    trace.parent = nil
  }
}
