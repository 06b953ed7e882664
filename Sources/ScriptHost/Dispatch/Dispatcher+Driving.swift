// Runs waiting jobs, until a time or until one job ends. On a test's clock waiting takes no time, so a job that waits over and over would
// never let the driver return: from the 1000th wake-up on the run has a test's allowance.

extension Dispatcher {
  /// Wakes every job whose time comes until the limit, and waits in between. Returns whether that was interrupted.
  @discardableResult
  func drive(until limit: Int64) -> Bool {
    isAsking ? false : goOn(from: scheduler.now, until: limit)
  }

  /// Wakes every job whose time comes within a duration. Returns whether that was interrupted.
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

  /// Whether to return to the caller although jobs are still to be woken: waking them has taken a second longer than the limit.
  @inline(never)
  private func isLate(_ now: Int64, from start: Int64, until limit: Int64) -> Bool {
    now > max(start, limit).addingTime(1_000_000_000)
  }

  /// How many wake-ups a run may have before it is given a test's allowance, as it may never end.
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

  /// Wakes jobs until one has ended; the clock moves from one wake-up to the next.
  func drive(untilEndOf job: Job) -> Outcome {
    var wakes = 0
    defer { endTest(after: wakes) }
    while job.memory.value.state == .waiting, hasRoom, !isAsking {
      scheduler.changes.take()
      scheduler.returns.take()
      if let due = scheduler.takeNext(until: scheduler.now) {
        beginTest(at: &wakes)
        due.wake()
      } else if job.last.isQuestion, job.last.isWaiting {
        // Whoever drives the host waits for this action, so nobody will answer.
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

  /// Waits until a moment in the future. Returns whether that was interrupted.
  @inline(__always)
  private func rest(from now: inout Int64, until deadline: Int64) -> Bool {
    if state.value.interruption?.take() ?? false { return true }
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
      isInterrupted = isInterrupted || state.value.interruption?.take() ?? false
      return isInterrupted
    }
    if rested > 0 { engine?.rested(rested) }
    return isInterrupted
  }

  /// How long a test's clock stands still for calls that run outside of the host.
  private static var longestReturn: Int64 { 60_000_000_000 }

  /// Waits in real time until a call that runs outside of the host has ended. Returns whether that was interrupted; nil if there is no call to
  /// wait for, or none that a test's clock waits for any longer.
  @inline(never)
  private func awaitReturn() -> Bool? {
    guard scheduler.returns.running > 0 else { return nil }
    let isTest = scheduler.clock is TestClock
    let clock = SystemClock()
    var isInterrupted = false
    let end = isTest ? clock.nanoseconds.addingTime(Self.longestReturn) : .max
    let rested = clock.wait(until: end, or: scheduler.returns.polled) {
      isInterrupted = isInterrupted || state.value.interruption?.take() ?? false
      return isInterrupted
    }
    if rested > 0 { engine?.rested(rested) }
    return isInterrupted || scheduler.returns.take() || !isTest ? isInterrupted : nil
  }
}
