// How a perform begins to wait, goes on, and ends.

extension Dispatcher {
  /// Why an action can't be done that waits.
  static let running = "running"

  /// Whether a handler's action waits and can't be done again meanwhile.
  func isRunning(_ handler: Handler, _ action: String, of responder: Responder) -> Bool {
    scheduler.waiting != 0 && !handler.isReentrant && scheduler.isWaiting(action, of: responder)
  }

  func isRunning(_ candidate: Candidate) -> Bool {
    isRunning(candidate.handler, candidate.action, of: candidate.responder)
  }

  func isRunning(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Bool {
    entry.pointee.taker.map { isRunning($0.handler, $0.action, of: $0.responder) } ?? false
  }

  /// Has a perform wait, unless there is a reason to cancel it at its first wait or its next.
  func wait(_ job: PerformJob, _ suspension: Suspension) -> Outcome {
    if let reason = reasonToCancel(job) {
      abandon(suspension)
      return Outcome(.cancelled, by: job.by, via: job.via, reason: reason)
    }
    suspend(job, suspension)
    return Outcome(running: job, by: job.by, via: job.via)
  }

  /// Has a perform wait that went the quick way; what it was laid out in has to stand meanwhile.
  func wait(_ taker: QuickTaker, _ resolution: Resolution, _ plan: AnyObject, _ suspension: Suspension) -> Outcome {
    wait(PerformJob(self, taker, resolution, plan), suspension)
  }

  /// The one place where a perform is suspended: what is the executing action's own is put away with it.
  private func suspend(_ job: PerformJob, _ suspension: Suspension) {
    if suspension.isNested { suspension.awaited?.parent = job }
    if let fraction = suspension.fraction {
      job.progress = Job.Progress(fraction: fraction, text: suspension.doing)
      suspension.fraction = nil
    }
    scheduler.add(job, suspension)
  }

  /// The one place where a perform is resumed: what was put away with it is the executing action's again.
  func resume(_ job: PerformJob) {
    if let reason = job.cancellation { return cancel(job, because: reason) }
    let limit = state.value.limit
    let outer = state.value.resumed
    state.value.limit = Self.nestingLimit
    guard beginAction(job.action), let suspension = scheduler.leave(job) else {
      state.value.limit = limit
      return
    }
    if job.parent != nil { state.value.limit -= job.ancestors }
    state.value.resumed = job
    engine?.beginAllowance()
    let reply = suspension.resume()
    let outcome = job.goOn(with: reply, context: suspension.context)
    engine?.endAllowance()
    state.value.resumed = outer
    state.value.limit = limit
    endAction()
    if outcome.status != .running { end(job, outcome) }
  }

  /// Whether there is room for one more that goes on.
  var hasRoom: Bool { state.value.depth < Self.nestingLimit }

  /// Those who wait, one for the other, for what goes on now, outermost first.
  var waitingActions: [String] {
    var actions: [String] = []
    var job = state.value.resumed?.parent
    while let known = job {
      actions.append(known.action)
      job = known.parent
    }
    return actions.reversed()
  }

  private func end(_ job: PerformJob, _ outcome: Outcome) {
    job.letGo()
    scheduler.end(job, outcome)
    job.tellEnd()
  }
}

// MARK: Cancelling

extension Dispatcher {
  /// Cancels what waits; what executes is cancelled at its next wait, and while the host asks nothing is done at all.
  func cancel(_ job: PerformJob, because reason: String, error: Failure? = nil) {
    if job.state == .executing || isAsking {
      if job.cancellation == nil { job.cancellation = reason }
      return scheduler.wakeSoon(job)
    }
    guard job.state == .waiting, let suspension = scheduler.leave(job) else { return }
    suspension.awaited?.forget(job)
    abandon(suspension)
    let outcome = Outcome(.cancelled, by: job.by, via: job.via, reason: reason, error: error)
    end(job, job.finish(outcome))
  }

  /// Unwinds what waits, and what it performed and waits for.
  private func abandon(_ suspension: Suspension) {
    if suspension.isNested { suspension.awaited?.cancel(because: "the action that waits for it was cancelled") }
    suspension.unwind()
  }

  private func reasonToCancel(_ job: Job) -> String? {
    if let reason = job.cancellation { return reason }
    if job.responder.isRemoved { return "'\(job.by)' was removed" }
    if job.owner.isGone { return "the script of '\(job.owner.name)' is gone" }
    return nil
  }

  /// Cancels the jobs whose responder or owner was taken out.
  func cancelStrays() {
    for job in scheduler.jobs {
      if let reason = reasonToCancel(job) { job.cancel(because: reason) }
    }
  }

  /// Drops whatever waits, and tells nobody: the host is closing.
  func dropJobs() {
    for job in scheduler.jobs {
      job.forgetEndings()
      guard let job = job as? PerformJob else { continue }
      if job.state == .waiting { scheduler.leave(job)?.unwind() }
      job.letGo()
      scheduler.end(job, Outcome(.cancelled, by: job.by, via: job.via, reason: "the host is closed"))
    }
  }
}
