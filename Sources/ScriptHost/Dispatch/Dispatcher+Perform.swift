extension Dispatcher {
  /// Performs the action that a text refers to. Always returns exactly one outcome.
  func perform(_ text: String, _ options: PerformOptions = PerformOptions()) -> Outcome {
    if let misuse = stranger(options) { return Outcome(.failed, error: Failure(.misuse, misuse.message)) }
    if state.isWatched { deliverWaitingURLs() }
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
    if state.isWatched { tellSecrets(of: resolution.reference, options.arguments) }
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
    let actions = waitingActions + actions.names + [action]
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
    guard outcome.status.isKept, hasRecorded, undo.held > 0, depth <= undo.current.base,
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
    let owners = Set(undo.current.entries.map(\.owner))
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

/// Performs several actions as one, each after the previous one has ended, until one isn't handled (K10).
///
/// It is a handler of the host, so that the actions form one undo group. It succeeds even if one of them doesn't, so that
/// the undo group of those before it is kept. The outcome is that of the last action.
final class PerformingAll: Handler {
  /// The dispatcher outlives its handlers.
  private unowned let dispatcher: Dispatcher
  private let actions: [String]
  private let options: PerformOptions
  /// The outcome of the last performed action.
  private(set) var last = Outcome(.unhandled)

  init(_ dispatcher: Dispatcher, _ actions: [String], _ options: PerformOptions) {
    self.dispatcher = dispatcher
    self.actions = actions
    self.options = options
    super.init(owner: dispatcher.hostResponder.owner)
  }

  override var isOfProgram: Bool { true }

  override func perform(for responder: Responder, in context: Context) -> Reply { Steps(self).resume() }

  /// Performs the action at an index.
  fileprivate func perform(_ place: Int) -> Outcome {
    if place == 0 { return dispatcher.perform(actions[0], options) }
    // The person's answers belong to the first action.
    var options = options
    (options.confirmed, options.asked, options.arguments) = (nil, nil, Arguments())
    let outcome = dispatcher.perform(actions[place], options)
    guard outcome.status == .asks else { return outcome }
    let reason = "'\(actions[place])' asks first, so it isn't performed with the others"
    return Outcome(.disabled, by: outcome.by, reason: reason)
  }

  /// The remaining actions.
  private final class Steps: Suspension {
    private let all: PerformingAll
    private var place = 0

    init(_ all: PerformingAll) { self.all = all }

    override func resume() -> Reply {
      if let ended = awaited?.outcome {
        awaited = nil
        if !notes(ended) { return .value(all.last.result) }
      }
      while place < all.actions.count {
        let outcome = all.perform(place)
        if outcome.status == .running, let job = outcome.job {
          (awaited, isNested) = (job, true)
          return .waiting(self)
        }
        if !notes(outcome) { break }
      }
      return .value(all.last.result)
    }

    /// Notes an action's outcome. Returns true if the next action should run.
    private func notes(_ outcome: Outcome) -> Bool {
      all.last = outcome
      place += 1
      return outcome.status == .handled
    }
  }
}

extension Dispatcher {
  /// Performs actions one after the other, until one isn't handled. Returns the last one's outcome, or `running`.
  func perform(all actions: [String], titled title: String, _ options: PerformOptions) -> Outcome {
    let handler = PerformingAll(self, actions, options)
    let outcome = run(handler, named: title)
    return outcome.status == .running ? outcome : handler.last
  }
}

/// The candidates that a perform has asked by `ctx:forward()`, so that a `pass` afterwards asks none of them again.
final class Forwarded {
  /// The candidate that ended the last forwarding, and its reply; nil if all have passed.
  var last: (candidate: Candidate, reply: Reply)?
  /// The candidates that passed.
  private var passed: [(responder: Int, action: String)] = []

  func notePass(of candidate: Candidate) { passed.append((candidate.responder.number, candidate.action)) }

  func hasPassed(_ candidate: Candidate) -> Bool {
    passed.contains { $0.responder == candidate.responder.number && $0.action.hasSameBytes(as: candidate.action) }
  }
}

extension Context {
  var forwarded: Forwarded? {
    get { forwardedObject as? Forwarded }
    set { forwardedObject = newValue }
  }
}
