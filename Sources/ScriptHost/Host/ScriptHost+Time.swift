// Actions that take time. The host has no thread and no timer: the embedding program drives it.

extension ScriptHost {
  /// The time by the host's clock.
  public var now: Duration { dispatcher.scheduler.clock.now }

  /// The jobs that wait, in the order in which they began to.
  public var jobs: [Job] { dispatcher.scheduler.jobs.filter { !($0 is Timing) } }

  /// Cancels all that waits, also what timers run, so that nothing is left half done.
  package func cancelAll() { for job in dispatcher.scheduler.jobs { job.cancel() } }

  /// When the host has to be run next, by its clock; nil if nothing goes on by itself.
  public var nextDeadline: Duration? {
    // A URL goes out as soon as the one before it has ended.
    if dispatcher.mayOpenNext { return now }
    return dispatcher.scheduler.deadline.map(Duration.init(hostNanoseconds:))
  }

  /// Resumes everything whose time has come. If that takes longer than a second, the rest is done the next time.
  public func run() { dispatcher.drive(until: dispatcher.scheduler.now) }

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
