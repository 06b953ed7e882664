// Actions that take time. The host has no thread and no timer: the embedding program drives it.

extension ScriptHost {
  /// The time by the host's clock.
  public var now: Duration { dispatcher.scheduler.clock.now }

  /// The waiting jobs, in the order in which they began to wait.
  public var jobs: [Job] { dispatcher.scheduler.jobs.filter { !$0.isTimer } }

  /// Cancels all waiting jobs, with those of timers, so that nothing is left half done.
  package func cancelAll() { for job in dispatcher.scheduler.jobs { job.cancel() } }

  /// The time of the host's clock at which you call `run` next; nil if nothing goes on by itself.
  public var nextDeadline: Duration? {
    // The next URL is delivered as soon as the action of the previous URL has ended.
    if dispatcher.mayOpenNext { return now }
    return dispatcher.scheduler.deadline.map(Duration.init(hostNanoseconds:))
  }

  /// A descriptor that becomes readable when a watched file has changed; nil if no script watches.
  ///
  /// A program with an event loop waits for it as well as for `nextDeadline`, and then calls `run()`.
  public var changeDescriptor: Int32? {
    let descriptor = dispatcher.scheduler.changes.polled
    return descriptor < 0 ? nil : descriptor
  }

  /// A descriptor that becomes readable when a call of an `async` function has ended; nil while none runs.
  ///
  /// A program with an event loop waits for it as well as for `nextDeadline`, and then calls `run()`.
  public var wakeDescriptor: Int32? {
    let descriptor = dispatcher.scheduler.returns.polled
    return descriptor < 0 ? nil : descriptor
  }

  /// Wakes the jobs whose `async` calls have ended. They go on at `nextDeadline`.
  package func takeReturns() { dispatcher.scheduler.returns.take() }

  /// Notes the changes that scripts watch for. Their functions run at `nextDeadline`.
  package func takeChanges() { dispatcher.scheduler.changes.take() }

  /// Resumes everything that is due. After a second it returns, and the next call does the rest.
  public func run() {
    // This comes before the clock is read, because a job becomes due when its call has ended.
    takeReturns()
    dispatcher.drive(until: dispatcher.scheduler.now)
  }

  /// Resumes everything that is due until then, and waits in between.
  ///
  /// A program with an event loop calls `run()` at `nextDeadline` instead.
  public func run(until time: Duration) { dispatcher.drive(until: time.hostNanoseconds) }

  /// Moves a test's clock, and resumes everything that becomes due on the way.
  public func advance(by time: Duration) throws(Misuse) {
    guard dispatcher.scheduler.clock is TestClock else {
      throw Misuse(.notNow, "only a test's clock can be advanced, and this host uses the system clock")
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
  /// A job that nothing would ever wake is cancelled. If the job's own handler calls this, the job stays `running`.
  @discardableResult
  public func wait(for job: Job) -> Outcome { dispatcher.drive(untilEndOf: job) }
}

/// Cancels the running script of a host, from a signal handler or any thread, even after the host is gone.
public struct Canceller: Sendable {
  /// The canceller of the host's interpreter.
  package let interpreter: LuaCanceller

  /// Ends the present run, or else the next.
  public func cancel() { interpreter.cancel() }
}

extension ScriptHost {
  /// Called with the trace of each ended action. The trace of a nested perform is a part of the outer trace.
  ///
  /// While it is nil, as at first, nothing is recorded and tracing costs nothing.
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
  /// The trace as a list of steps, each with its depth of nested performs. The first is the perform with its outcome.
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

  /// The trace in lines, with nested steps indented.
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
