// Actions that take time. The host has no thread and no timer: the embedding program drives it.

extension ScriptHost {
  /// The time by the host's clock.
  public var now: Duration { dispatcher.scheduler.clock.now }

  /// What waits, in the order in which it began to.
  public var jobs: [Job] { dispatcher.scheduler.jobs.filter { !($0 is Timing) } }

  /// When the next of them goes on, by the host's clock; nil when none will by itself.
  public var nextDeadline: Duration? {
    // A URL goes out as soon as the one before it has ended.
    if dispatcher.mayOpenNext { return now }
    return dispatcher.scheduler.deadline.map(Duration.init(hostNanoseconds:))
  }

  /// Has everything go on whose time has come; where that takes longer than a second, the rest is done the next time.
  public func run() { dispatcher.drive(until: dispatcher.scheduler.now) }

  /// Has everything go on whose time comes until then, and waits in between.
  ///
  /// A program with a loop of its own calls `run()` at `nextDeadline` instead.
  public func run(until time: Duration) { dispatcher.drive(until: time.hostNanoseconds) }

  /// Moves a test's clock, and has everything go on whose time comes on the way.
  public func advance(by time: Duration) throws(Misuse) {
    guard dispatcher.scheduler.clock is TestClock else {
      throw Misuse(.notNow, "only a test's clock can be moved, and this host has the system's")
    }
    if dispatcher.isAsking, let misuse = dispatcher.whileAskingMisuse("the clock can't be moved") { throw misuse }
    guard time.attoseconds >= 0 else { throw Misuse(.notNow, "time doesn't go back") }
    dispatcher.drive(for: time.hostNanoseconds)
  }

  /// Performs an action and, where it waits, has everything go on until it has ended.
  @discardableResult
  public func perform(_ reference: String, wait: Bool) -> Outcome { ended(dispatcher.perform(reference), wait: wait) }

  /// Performs an action otherwise than usual and, where it waits, has everything go on until it has ended.
  @discardableResult
  public func perform(_ reference: String, _ options: PerformOptions, wait: Bool) -> Outcome {
    ended(dispatcher.perform(reference, options), wait: wait)
  }

  @inline(__always)
  private func ended(_ outcome: Outcome, wait: Bool) -> Outcome {
    guard wait, outcome.status == .running, let job = outcome.job else { return outcome }
    return dispatcher.drive(untilEndOf: job)
  }

  /// Has everything go on until a job has ended; what came of it.
  ///
  /// What nothing would ever wake is cancelled. One that executes now, because it is its own handler that asks, stays `running`.
  @discardableResult
  public func wait(for job: Job) -> Outcome { dispatcher.drive(untilEndOf: job) }
}
