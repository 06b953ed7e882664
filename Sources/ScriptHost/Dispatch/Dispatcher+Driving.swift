// Who drives the host has what waits go on: until a time, or until one job has ended. On a test's clock waiting takes no time, so what
// waits over and over would keep a test for ever: there, whoever drives has what a test may spend, from the thousandth wake-up on.

extension Dispatcher {
  /// Has everything go on whose time comes until then; waits in between. Whether that was interrupted.
  @discardableResult
  func drive(until limit: Int64) -> Bool {
    isAsking ? false : goOn(from: scheduler.now, until: limit)
  }

  /// Has everything go on for so long; whether that was interrupted.
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
    while hasRoom, let next = scheduler.deadline, next <= limit {
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

  /// Whether who drives has to do other things by now, however much is due: where it takes long, they come back a second after their time.
  @inline(never)
  private func isLate(_ now: Int64, from start: Int64, until limit: Int64) -> Bool {
    now > max(start, limit).addingTime(1_000_000_000)
  }

  /// How much is woken in one go before it may be without end.
  private static var wakeLimit: Int { 1000 }

  @inline(__always)
  private func beginTest(at wakes: inout Int) {
    wakes &+= 1
    if wakes == Self.wakeLimit, scheduler.clock is TestClock { engine?.beginTest() }
  }

  @inline(__always)
  private func endTest(after wakes: Int) {
    if wakes >= Self.wakeLimit, scheduler.clock is TestClock { engine?.endAllowance() }
  }

  /// Has everything go on until a job has ended; the clock moves from one wake-up to the next.
  func drive(untilEndOf job: Job) -> Outcome {
    var wakes = 0
    defer { endTest(after: wakes) }
    while job.memory.value.state == .waiting, hasRoom, !isAsking {
      if let due = scheduler.takeNext(until: scheduler.now) {
        beginTest(at: &wakes)
        due.wake()
      } else if job.last.isWaiting, let next = scheduler.deadline {
        var now = scheduler.now
        if rest(from: &now, until: next) { job.interrupt() }
      } else {
        job.giveUp()
      }
    }
    return job.outcome ?? Outcome(.running, by: job.by)
  }

  /// Lets time pass up to a moment that hasn't come; whether that was interrupted.
  @inline(__always)
  private func rest(from now: inout Int64, until deadline: Int64) -> Bool {
    if state.value.interruption?.take() ?? false { return true }
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
    let rested = scheduler.clock.wait(until: deadline) {
      isInterrupted = isInterrupted || state.value.interruption?.take() ?? false
      return isInterrupted
    }
    if rested > 0 { engine?.rested(rested) }
    return isInterrupted
  }
}
