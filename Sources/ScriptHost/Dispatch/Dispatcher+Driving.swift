// Who drives the host has what waits go on: until a time, or until one job has ended.

extension Dispatcher {
  /// Has everything go on whose time comes until then; waits in between.
  func drive(until limit: Int64) {
    guard !isAsking else { return }
    while hasRoom, let next = scheduler.deadline, next <= limit {
      if next > scheduler.clock.nanoseconds {
        if rest(until: next) { return }
      } else {
        scheduler.takeNext()?.wake()
      }
    }
    if scheduler.clock.nanoseconds < limit { _ = rest(until: limit) }
  }

  /// Has everything go on for so long.
  func drive(for nanoseconds: Int64) { drive(until: scheduler.clock.nanoseconds.addingTime(nanoseconds)) }

  /// Has everything go on until a job has ended; the clock moves from one wake-up to the next.
  func drive(untilEndOf job: Job) -> Outcome {
    while true {
      if let outcome = job.outcome { return outcome }
      guard let job = job as? PerformJob, job.dispatcher === self, job.isWaiting, hasRoom, !isAsking else {
        return Outcome(.running, by: job.by)
      }
      guard job.last.isWaiting, let next = scheduler.deadline else {
        cancel(job, because: "nothing would ever wake it")
        continue
      }
      if next <= scheduler.clock.nanoseconds {
        scheduler.takeNext()?.wake()
      } else if rest(until: next) {
        cancel(job, because: "it was interrupted", error: Failure(.cancelled, "cancelled"))
      }
    }
  }

  /// Lets time pass; whether that was interrupted.
  private func rest(until deadline: Int64) -> Bool {
    var isInterrupted = false
    let rested = scheduler.clock.wait(until: deadline) {
      isInterrupted = isInterrupted || engine?.takeInterrupt() ?? false
      return isInterrupted
    }
    engine?.rested(rested)
    return isInterrupted
  }
}
