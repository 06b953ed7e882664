// Actions that take time. The host has no thread and no timer: the embedding program drives it.

extension ScriptHost {
  /// The time by the host's clock.
  public var now: Duration { dispatcher.scheduler.clock.now }

  /// The jobs that wait, in the order in which they began to.
  public var jobs: [Job] { dispatcher.scheduler.jobs.filter { !$0.isTimer } }

  /// Cancels all that waits, also what timers run, so that nothing is left half done.
  package func cancelAll() { for job in dispatcher.scheduler.jobs { job.cancel() } }

  /// When the host has to be run next, by its clock; nil if nothing goes on by itself.
  public var nextDeadline: Duration? {
    // A URL goes out as soon as the one before it has ended.
    if dispatcher.mayOpenNext { return now }
    return dispatcher.scheduler.deadline.map(Duration.init(hostNanoseconds:))
  }

  /// The descriptor that is readable when something has changed that a script watches; nil if nobody waits for changes.
  ///
  /// A program with a loop of its own waits for it as well as for `nextDeadline`, and then calls `run()`.
  public var changeDescriptor: Int32? {
    let descriptor = dispatcher.scheduler.changes.polled
    return descriptor < 0 ? nil : descriptor
  }

  /// The descriptor that is readable when a call of an `async` function has ended; nil while none runs.
  ///
  /// A program with a loop of its own waits for it as well as for `nextDeadline`, and then calls `run()`.
  public var wakeDescriptor: Int32? {
    let descriptor = dispatcher.scheduler.returns.polled
    return descriptor < 0 ? nil : descriptor
  }

  /// Wakes the jobs whose `async` calls have ended; they go on when `nextDeadline` has come.
  package func takeReturns() { dispatcher.scheduler.returns.take() }

  /// Notes what has changed that scripts watch; their functions run when `nextDeadline` has come.
  package func takeChanges() { dispatcher.scheduler.changes.take() }

  /// Resumes everything whose time has come. If that takes longer than a second, the rest is done the next time.
  public func run() {
    // Before the time is read: a job whose call has ended is due from then on.
    takeReturns()
    dispatcher.drive(until: dispatcher.scheduler.now)
  }

  /// Resumes everything whose time comes until then, and waits in between.
  ///
  /// A program with a loop of its own calls `run()` at `nextDeadline` instead.
  public func run(until time: Duration) { dispatcher.drive(until: time.hostNanoseconds) }

  /// Moves a test's clock, and resumes everything whose time comes on the way.
  public func advance(by time: Duration) throws(Misuse) {
    guard dispatcher.scheduler.clock is TestClock else {
      throw Misuse(.notNow, "only a test's clock can be moved, and this host has the system's")
    }
    if dispatcher.isAsking, let misuse = dispatcher.whileAskingMisuse("the clock can't be moved") { throw misuse }
    guard time.attoseconds >= 0 else { throw Misuse(.notNow, "time doesn't go back") }
    dispatcher.drive(for: time.hostNanoseconds)
  }

  /// Performs an action and, if it waits, runs the host until it has ended.
  @discardableResult
  public func perform(_ reference: String, wait: Bool) -> Outcome { ended(dispatcher.perform(reference), wait: wait) }

  /// Performs an action with options and, if it waits, runs the host until it has ended.
  @discardableResult
  public func perform(_ reference: String, _ options: PerformOptions, wait: Bool) -> Outcome {
    ended(dispatcher.perform(reference, options), wait: wait)
  }

  @inline(__always)
  private func ended(_ outcome: Outcome, wait: Bool) -> Outcome {
    guard wait, outcome.status == .running, let job = outcome.job else { return outcome }
    return dispatcher.drive(untilEndOf: job)
  }

  /// Runs the host until a job has ended, and returns its outcome.
  ///
  /// A job that nothing would ever wake is cancelled. A job that executes now, because its own handler calls this, stays `running`.
  @discardableResult
  public func wait(for job: Job) -> Outcome { dispatcher.drive(untilEndOf: job) }
}

/// Ends whatever the scripts of a host run; usable from a signal handler and from any thread, also after the host is gone.
public struct Canceller: Sendable {
  /// That of the host's interpreter.
  package let interpreter: LuaCanceller

  /// Ends what runs now, or else what runs next.
  public func cancel() { interpreter.cancel() }
}

extension ScriptHost {
  /// Called with the trace of each action when it has ended. An action that a handler performs is a part of that action's trace.
  ///
  /// Where it is nil, as at first, nothing is noted and tracing costs nothing.
  ///
  /// ```swift
  /// let host = ScriptHost()
  /// try host.load(text: "function app.on:add(ctx) return ctx.a + ctx.b end", name: "add.lua")
  /// host.onTrace = { trace in print(trace.text) }
  /// host.perform("add(a: 1, b: 2)")
  /// // app: perform add(a: 1, b: 2) → handled by app
  /// //   app: on add → takes it (add.lua:1)
  /// //   app: do add → done (add.lua:1)
  /// ```
  public var onTrace: ((Trace) -> Void)? {
    get { dispatcher.tracing.deliver }
    set { dispatcher.tracing.deliver = newValue }
  }
}

extension Trace {
  /// The trace as a list of steps, each with how deep performs are nested there: first that it is performed, and what came of it.
  public var steps: [(level: Int, step: Step)] {
    var steps = [(level: 0, step: heading)]
    for entry in entries {
      switch entry {
      case .asked(let step): steps.append((1, step))
      case .performed(let trace): steps += trace.steps.map { ($0.level + 1, $0.step) }
      }
    }
    return steps
  }

  private var heading: Step {
    var answer = outcome?.status.rawValue ?? "running"
    if let by = outcome?.by { answer += outcome?.status == .failed ? " in \(by)" : " by \(by)" }
    if let reason = outcome?.reason ?? outcome?.error?.message { answer += ": \(reason)" }
    return Step(node: sender, asked: "perform \(reference)", answer: answer, place: nil)
  }

  /// The trace in lines, what belongs to another thing indented below it.
  public var text: String {
    steps.map { level, step in
      String(repeating: "  ", count: level) + step.text
    }.joined(separator: "\n")
  }
}

extension Trace.Step {
  /// The step in one line.
  public var text: String { "\(node): \(asked) → \(answer)" + (place.map { " (\($0))" } ?? "") }
}
