// How a perform begins to wait, goes on, and ends.

extension Dispatcher {
  /// Why an action can't be done that waits.
  static let running = "running"

  /// Whether a candidate's action waits and can't be done again meanwhile.
  func isRunning(_ candidate: Candidate) -> Bool {
    scheduler.waiting != 0 && !candidate.handler.isReentrant
      && scheduler.isWaiting(candidate.action, of: candidate.responder)
  }

  /// Has a perform go on as a job once its handler waits no more.
  func wait(_ perform: Perform, of candidate: Candidate, with suspension: Suspension) -> Outcome {
    let known = perform.job as? PerformJob
    let job = known ?? PerformJob(self, candidate)
    if known != nil { job.take(candidate) }
    job.hasSession = job.hasSession || chain.lastSession > perform.lastSession
    job.keep(perform)
    job.trace = perform.trace
    let outcome = wait(job, suspension)
    if outcome.status != .running {
      job.letGo()
      perform.job = known
    }
    return outcome
  }

  /// Has a perform wait, unless there is a reason to cancel it at its first wait or its next.
  func wait(_ job: PerformJob, _ suspension: Suspension) -> Outcome {
    if let reason = reasonToCancel(job) ?? suspension.stray?.whyInactive {
      abandon(suspension)
      suspension.unwind()
      if hasRecorded { takeBack() }
      suspension.suspended()
      return cancelled(job, because: reason)
    }
    if suspension.isNested { suspension.awaited?.memory.value.parent = .passUnretained(job) }
    job.begin(suspension)
    suspend(job, nanoseconds: suspension.nanoseconds)
    suspension.suspended()
    if let fraction = suspension.fraction {
      suspension.fraction = nil
      job.progress = Job.Progress(fraction: fraction, text: suspension.doing)
    }
    return Outcome(running: job, by: job.taker)
  }

  /// The one place where a perform is suspended: what is the executing action's own is put away with it.
  @inline(never)
  func suspend(_ job: PerformJob, nanoseconds: Int64) {
    if hasRecorded || undo.isReversing { job.recording = undo.suspend() }
    scheduler.add(job, nanoseconds: nanoseconds)
  }

  /// The one place where a perform is resumed, at any depth, since what is cancelled is always unwound: what was put away with it is the
  /// executing action's again. The body goes on with it and has the job note what comes of it.
  @inline(__always)
  func resume(_ job: PerformJob, _ body: () -> Outcome.Status) {
    let limit = state.value.limit
    let resumed = state.value.resumed
    state.value.limit = Self.nestingLimit
    job.memory.value.undoableCount = chain.undoableCount
    beginResumed(job.memory.value.subject.action)
    if job.memory.value.parent != nil { state.value.limit -= job.ancestors }
    state.value.resumed = .passUnretained(job)
    let isApart = job.recording != nil || depth.value > 1
    if isApart { takeUp(job) }
    let status = body()
    if hasRecorded, status != .running { settle(job) }
    if isApart { giveBack(job) }
    state.value.resumed = resumed
    state.value.limit = limit
    endAction()
    if status != .running { end(job) }
  }

  /// Makes what a job has registered current, and puts away with it what was.
  @inline(never)
  private func takeUp(_ job: PerformJob) {
    var recording = job.recording ?? Recording()
    job.recording = nil
    recording.entries.removeAll { $0.reversal.owner.hasLeft }
    if recording.entries.contains(where: { $0.reversal.owner.takesNothingBack }) { undo.hasGone = true }
    job.outer = undo.resume(recording)
  }

  /// Makes current again what was before.
  @inline(never)
  private func giveBack(_ job: PerformJob) {
    guard let outer = job.outer else { return }
    job.outer = nil
    undo.continue(outer)
  }

  /// Settles what a job has registered: a group of its own, or a part of the waiting one's.
  @inline(never)
  private func settle(_ job: PerformJob) {
    if job.memory.value.parent == nil { job.note(checked(job.memory.value.outcome)) }
    let status = job.memory.value.outcome.status
    guard status.isKept, let parent = job.memory.value.parent?.takeUnretainedValue() as? PerformJob else {
      return settle(status, job.title)
    }
    var joined = parent.recording ?? Recording()
    for var entry in undo.takeOwn() {
      entry.level += 1
      joined.entries.append(entry)
    }
    parent.recording = joined
  }

  /// Goes on with what waits no more.
  func resume(_ job: PerformJob) {
    if job.memory.value.cancellation != nil { return cancelNow(job) }
    guard let suspension = job.memory.value.suspension else { return }
    resume(job) {
      engine?.beginAllowance()
      defer { engine?.endAllowance() }
      let reply = job.trace.map { goOn(suspension, job, $0) } ?? suspension.resume()
      job.memory.value.suspension = nil
      return job.note(job.goOn(with: reply, context: suspension.context))
    }
  }

  /// Has a handler go on that is traced.
  @inline(never)
  private func goOn(_ suspension: Suspension, _ job: PerformJob, _ trace: Trace) -> Reply {
    let step = trace.begins("go on with", job.action, of: job.responder, place: nil)
    let outer = tracing.current
    tracing.current = trace
    defer { tracing.current = outer }
    let reply = suspension.resume()
    trace.ends(step, reply)
    return reply
  }

  /// Performs something for which nobody waits: what it registers is a group of its own.
  func apart(_ body: () -> Outcome) -> Outcome {
    guard depth.value > 0, !undo.isReversing else { return body() }
    let outer = undo.open(.doing, base: depth.value + 1)
    defer { undo.continue(outer) }
    return body()
  }

  /// Whether there is room for one more that goes on.
  var hasRoom: Bool { depth.value < Self.nestingLimit }

  /// Those who wait, one for the other, for what goes on now, outermost first.
  var waitingActions: [String] {
    var actions: [String] = []
    var job = state.value.resumed?.takeUnretainedValue().memory.value.parent?.takeUnretainedValue()
    while let known = job {
      actions.append(known.action)
      job = known.memory.value.parent?.takeUnretainedValue()
    }
    return actions.reversed()
  }

  @inline(__always)
  private func end(_ job: PerformJob) {
    if let trace = job.trace { end(trace, job.memory.value.outcome) }
    job.letGo()
    scheduler.end(job)
    if !job.memory.value.endings.isEmpty { job.tellEnd() }
  }
}

// MARK: Cancelling

extension Dispatcher {
  /// Cancels what waits; what executes is cancelled at its next wait, and while the host asks nothing is done at all.
  func cancel(_ job: PerformJob, because reason: String, error: Failure? = nil) {
    if !job.isWaiting || isAsking {
      if job.memory.value.cancellation == nil { job.memory.value.cancellation = reason }
      return scheduler.wakeSoon(job)
    }
    scheduler.leave(job)
    job.memory.value.cancellation = reason
    cancelNow(job, error: error)
  }

  /// Cancels what waits no more.
  private func cancelNow(_ job: PerformJob, error: Failure? = nil) {
    let suspension = job.memory.value.suspension
    job.memory.value.suspension = nil
    resume(job) {
      if let suspension {
        suspension.awaited?.forget(job)
        abandon(suspension)
        suspension.unwind()
      }
      if hasRecorded { takeBack() }
      return job.note(job.finish(cancelled(job, because: job.memory.value.cancellation, error: error)))
    }
  }

  private func cancelled(_ job: PerformJob, because reason: String?, error: Failure? = nil) -> Outcome {
    Outcome(.cancelled, by: job.taker.name, via: job.taker.via, reason: reason, error: error)
  }

  /// Cancels what was performed by one who waits for it no more.
  func abandon(_ suspension: Suspension) {
    if suspension.isNested { suspension.awaited?.cancel(because: "the action that waits for it was cancelled") }
  }

  /// Why a job may not wait any more.
  func reasonToCancel(_ job: Job) -> String? {
    if let reason = job.memory.value.cancellation { return reason }
    if job.responder.isRemoved { return "'\(job.by)' was removed" }
    return job.memory.value.subject.owner.whyInactive ?? job.memory.value.suspension?.stray?.whyInactive
  }

  /// Cancels the jobs whose responder or owner is gone, or that would go on with code of who is, and those of responders that are about to be taken out.
  func cancelStrays(andThoseOf isGoing: (Responder) -> Bool = { _ in false }) {
    for job in scheduler.jobs {
      if let reason = reasonToCancel(job) {
        job.cancel(because: reason)
      } else if isGoing(job.responder) {
        job.cancel(because: "'\(job.by)' was removed")
      }
    }
  }

  /// Cancels what waits of an owner that goes, as long as all of its is there: what that did is taken back.
  func cancelJobs(of owner: Owner) {
    owner.isLeaving = true
    cancelStrays { $0.owner === owner }
  }

  /// Drops whatever waits, and tells nobody: the host is closing.
  func dropJobs() {
    for job in scheduler.jobs {
      scheduler.leave(job)
      job.memory.value.suspension?.unwind()
      job.memory.value.suspension = nil
      job.memory.value.endings = []
      guard let job = job as? PerformJob else { continue }
      job.note(cancelled(job, because: "the host is closed"))
      end(job)
    }
  }
}
