// Who drives the host has what waits go on: until a time, or until one job has ended.

extension Dispatcher {
  /// Has everything go on whose time comes until then; waits in between. Whether that was interrupted.
  @discardableResult
  func drive(until limit: Int64) -> Bool {
    isAsking ? false : goOn(until: limit)
  }

  /// The same where it is known that nothing is being asked.
  func goOn(until limit: Int64) -> Bool {
    while hasRoom, let next = scheduler.deadline, next <= limit {
      if let job = scheduler.takeNext(until: scheduler.now) {
        job.wake()
      } else if rest(until: next) {
        return true
      }
    }
    return scheduler.now < limit && rest(until: limit)
  }

  /// Has everything go on for so long; whether that was interrupted.
  func drive(for nanoseconds: Int64) -> Bool { drive(until: scheduler.now.addingTime(nanoseconds)) }

  /// Has everything go on until a job has ended; the clock moves from one wake-up to the next.
  func drive(untilEndOf job: Job) -> Outcome {
    while job.memory.value.state == .waiting, hasRoom, !isAsking {
      if let due = scheduler.takeNext(until: scheduler.now) {
        due.wake()
      } else if job.last.isWaiting, let next = scheduler.deadline {
        if rest(until: next) { interrupt(job) }
      } else {
        job.cancel(because: "nothing would ever wake it")
      }
    }
    return job.memory.value.outcome ?? Outcome(.running, by: job.by)
  }

  private func interrupt(_ job: Job) {
    guard let job = job as? PerformJob else { return }
    cancel(job, because: "it was interrupted", error: Failure(.cancelled, "cancelled"))
  }

  /// Lets time pass; whether that was interrupted.
  private func rest(until deadline: Int64) -> Bool {
    var isInterrupted = false
    let rested = scheduler.clock.wait(until: deadline) {
      isInterrupted = isInterrupted || engine?.takeInterrupt() ?? false
      return isInterrupted
    }
    if rested > 0 { engine?.rested(rested) }
    return isInterrupted
  }
}
