// Runs waiting jobs until a time, or until one job ends. On a test's clock waiting takes no time, so a job that keeps
// waiting would never let the driver return. From the 1000th wake-up on, the run has a test's allowance.

extension Dispatcher {
  /// Wakes every job due before the limit, and waits in between. Returns true if interrupted.
  @discardableResult
  func drive(until limit: Int64) -> Bool {
    isAsking ? false : goOn(from: scheduler.now, until: limit)
  }

  /// Wakes every job due within a duration. Returns true if interrupted.
  @discardableResult
  func drive(for nanoseconds: Int64) -> Bool {
    let now = scheduler.now
    return isAsking ? false : goOn(from: now, until: now.addingTime(nanoseconds))
  }

  private func goOn(from start: Int64, until limit: Int64) -> Bool {
    var wakes = 0
    let isInterrupted = goOn(from: start, until: limit, counting: &wakes)
    endTest(after: wakes)
    if mayOpenNext { deliverNext() }
    return isInterrupted
  }

  @inline(__always)
  private func goOn(from start: Int64, until limit: Int64, counting wakes: inout Int) -> Bool {
    var now = start
    while hasRoom {
      scheduler.changes.take()
      scheduler.returns.take()
      guard let next = scheduler.deadline, next <= limit else {
        if now >= limit { return false }
        if rest(from: &now, until: limit) { return true }
        continue
      }
      if now > limit, isLate(now, from: start, until: limit) { break }
      if let job = scheduler.takeNext(until: now) {
        beginTest(at: &wakes)
        job.wake()
        now = scheduler.now
      } else if rest(from: &now, until: next) {
        return true
      }
    }
    return now < limit && rest(from: &now, until: limit)
  }

  /// Returns true if waking jobs has taken a second longer than the limit. Then the driver returns, though jobs are
  /// still due.
  @inline(never)
  private func isLate(_ now: Int64, from start: Int64, until limit: Int64) -> Bool {
    now > max(start, limit).addingTime(1_000_000_000)
  }

  /// The number of wake-ups before a run gets a test's allowance, because it may never end.
  private static var wakeLimit: Int { 1000 }

  @inline(__always)
  private func beginTest(at wakes: inout Int) {
    wakes &+= 1
    if wakes == Self.wakeLimit, scheduler.clock is TestClock { engine?.beginTest() }
  }

  @inline(__always)
  private func endTest(after wakes: Int) {
    if wakes >= Self.wakeLimit, scheduler.clock is TestClock { endAllowance() }
  }

  /// Wakes jobs until one has ended. The clock moves from one wake-up to the next.
  func drive(untilEndOf job: Job) -> Outcome {
    var wakes = 0
    defer { endTest(after: wakes) }
    while job.memory.state == .waiting, hasRoom, !isAsking {
      scheduler.changes.take()
      scheduler.returns.take()
      if let due = scheduler.takeNext(until: scheduler.now) {
        beginTest(at: &wakes)
        due.wake()
      } else if job.last.isQuestion, job.last.isWaiting {
        // The driver's caller waits for this action, so nobody can answer its question.
        job.last.giveUp()
      } else if job.last.isWaiting || job.isToWake, let next = scheduler.deadline {
        var now = scheduler.now
        if rest(from: &now, until: next) { job.interrupt() }
      } else if let isInterrupted = awaitReturn() {
        if isInterrupted { job.interrupt() }
      } else {
        job.giveUp()
      }
    }
    return job.outcome ?? Outcome(.running, by: job.by)
  }

  /// Waits until a moment in the future. Returns true if interrupted.
  @inline(__always)
  private func rest(from now: inout Int64, until deadline: Int64) -> Bool {
    if state.interruption?.take() ?? false { return true }
    if scheduler.returns.running > 0, scheduler.clock is TestClock, let isInterrupted = awaitReturn() {
      return isInterrupted
    }
    if scheduler.skip(to: deadline) {
      now = deadline
      return false
    }
    let isInterrupted = wait(until: deadline)
    now = scheduler.now
    return isInterrupted
  }

  @inline(never)
  private func wait(until deadline: Int64) -> Bool {
    var isInterrupted = false
    let clock = scheduler.clock
    let rested = clock.wait(until: deadline, or: scheduler.changes.polled, or: scheduler.returns.polled) {
      isInterrupted = isInterrupted || state.interruption?.take() ?? false
      return isInterrupted
    }
    if rested > 0 { engine?.rested(rested) }
    return isInterrupted
  }

  /// How long a test's clock pauses for calls that run outside the host.
  private static var longestReturn: Int64 { 60_000_000_000 }

  /// Waits in real time until a call outside the host ends. Returns true if interrupted. Returns nil if there is no
  /// call to wait for, or a test's clock has waited too long.
  @inline(never)
  private func awaitReturn() -> Bool? {
    guard scheduler.returns.running > 0 else { return nil }
    let isTest = scheduler.clock is TestClock
    let clock = SystemClock()
    var isInterrupted = false
    let end = isTest ? clock.nanoseconds.addingTime(Self.longestReturn) : .max
    let rested = clock.wait(until: end, or: scheduler.returns.polled) {
      isInterrupted = isInterrupted || state.interruption?.take() ?? false
      return isInterrupted
    }
    if rested > 0 { engine?.rested(rested) }
    return isInterrupted || scheduler.returns.take() || !isTest ? isInterrupted : nil
  }
}
