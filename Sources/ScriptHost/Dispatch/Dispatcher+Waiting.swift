// How a perform starts to wait, continues, and ends.

extension Dispatcher {
  /// The reason why a waiting action can't be done again.
  static let running = "running"

  /// Returns true if a candidate's action waits, and can't run twice at the same time. While something is undone it can,
  /// because else its waiting would keep a history from the truth (U12).
  func isRunning(_ candidate: Candidate) -> Bool {
    scheduler.waiting != 0 && !candidate.handler.isReentrant && !undo.isReversing
      && scheduler.isWaiting(candidate.action, of: candidate.responder)
  }

  /// Suspends a perform as a job, which continues after its handler's wait.
  func wait(_ perform: Perform, of candidate: Candidate, with suspension: Suspension) -> Outcome {
    let known = perform.job as? PerformJob
    let job = known ?? PerformJob(self, candidate)
    if known != nil { job.take(candidate) }
    job.session = chain.sessions.first { $0.number > perform.lastSession }
    job.keep(perform)
    job.trace = perform.trace
    let outcome = wait(job, suspension)
    if outcome.status != .running {
      job.letGo()
      perform.job = known
    }
    return outcome
  }

  /// Suspends a job, or cancels it if there is a reason to.
  func wait(_ job: PerformJob, _ suspension: Suspension) -> Outcome {
    if let reason = reasonToCancel(job) ?? whyNever(job, suspension) ?? suspension.stray?.whyInactive {
      drop(suspension, of: job)
      if hasRecorded { takeBack() }
      suspension.suspended()
      return cancelled(job, because: reason)
    }
    if suspension.isNested { suspension.awaited?.memory.parent = job }
    job.begin(suspension)
    suspend(job, nanoseconds: suspension.nanoseconds)
    suspension.suspended()
    suspension.awaited?.isAwaitedNow()
    if let fraction = suspension.fraction {
      suspension.fraction = nil
      job.progress = Job.Progress(fraction: fraction, text: suspension.doing)
    }
    return Outcome(running: job, by: job.taker)
  }

  /// The most actions of which each waits for the next.
  private static let longestWait = 1000

  /// Returns why a job can't wait: what it would wait for waits for the job, or for too many others.
  private func whyNever(_ job: PerformJob, _ suspension: Suspension) -> String? {
    var awaited = suspension.awaited
    for _ in 0..<Self.longestWait {
      guard let known = awaited else { return nil }
      if known === job { return "'\(job.action)' would wait for itself" }
      awaited = known.awaited
    }
    return "\(Self.longestWait) actions wait for each other, and that is the limit"
  }

  /// Suspends a perform and its recording. This is the only place that does.
  @inline(never)
  func suspend(_ job: PerformJob, nanoseconds: Int64) {
    if isAside { _ = undo.takeOwn() }
    if hasRecorded || undo.isReversing { job.recording = undo.suspend() }
    // The undo around it ends before it does. Its later changes form another group.
    if isApart, case .reversing? = job.recording?.purpose { job.recording?.purpose = .doing }
    scheduler.add(job, nanoseconds: nanoseconds)
  }

  /// Resumes a perform and its recording, at any depth, because a cancelled one must unwind. This is the only place
  /// that does. The body continues the handler and notes the outcome in the job.
  @inline(__always)
  func resume(_ job: PerformJob, _ body: () -> Outcome.Status) {
    let limit = state.limit
    let resumed = state.resumed
    let outer = (isAside, isWithinAside, isApart)
    (isAside, isWithinAside, isApart) = (job.memory.isAside, job.isWithinAside, false)
    defer { (isAside, isWithinAside, isApart) = outer }
    state.limit = Self.nestingLimit
    job.memory.undoableCount = chain.undoableCount
    beginResumed(job.memory.subject.action)
    if job.memory.parent != nil { state.limit -= job.ancestors }
    state.resumed = job
    let isSeparate = job.recording != nil || depth > 1
    if isSeparate { takeUp(job) }
    let status = body()
    if hasRecorded, status != .running { settle(job) }
    if isSeparate { giveBack(job) }
    state.resumed = resumed
    state.limit = limit
    endAction(isStep: status == .running)
    if status != .running { end(job) }
  }

  /// Makes a job's recording current, and keeps the previous one.
  @inline(never)
  private func takeUp(_ job: PerformJob) {
    var recording = job.recording ?? Recording()
    job.recording = nil
    recording.entries.removeAll { $0.reversal.owner.hasLeft }
    if recording.entries.contains(where: { $0.reversal.owner.takesNothingBack }) { undo.hasGone = true }
    job.outer = undo.resume(recording)
  }

  /// Restores the previous recording.
  @inline(never)
  private func giveBack(_ job: PerformJob) {
    guard let outer = job.outer else { return }
    job.outer = nil
    undo.continue(outer)
  }

  /// Settles a job's recording: makes undo groups of it, or adds it to the recording of the parent job.
  @inline(never)
  private func settle(_ job: PerformJob) {
    if job.memory.parent == nil { job.note(checked(job.memory.outcome)) }
    let status = job.memory.outcome.status
    guard status.isKept, let parent = job.memory.parent as? PerformJob else {
      return settle(status, job.title)
    }
    var joined = parent.recording ?? Recording()
    for var entry in undo.takeOwn() {
      entry.level += 1
      joined.entries.append(entry)
    }
    parent.recording = joined
  }

  /// Continues a job after its wait.
  func resume(_ job: PerformJob) {
    if job.memory.cancellation != nil { return cancelNow(job) }
    guard let suspension = job.memory.suspension else { return }
    if let nanoseconds = suspension.stillWaits { return scheduler.add(job, nanoseconds: nanoseconds) }
    resume(job) {
      engine?.beginPerform()
      defer { endAllowance() }
      let reply = job.trace.map { goOn(suspension, job, $0) } ?? suspension.resume()
      job.memory.suspension = nil
      return job.note(job.goOn(with: reply))
    }
  }

  /// Resumes a handler and traces it.
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

  /// Runs a perform that is separate from the current one, with its own undo groups.
  func apart(_ body: () -> Outcome) -> Outcome {
    guard depth > 0 else { return body() }
    if undo.isReversing {
      let outer = isApart
      isApart = true
      defer { isApart = outer }
      return body()
    }
    let outer = undo.open(.doing, base: depth + 1)
    defer { undo.continue(outer) }
    return body()
  }

  /// Whether another job can continue within the nesting limit.
  var hasRoom: Bool { depth < Self.nestingLimit }

  /// The actions that wait, directly or not, for the current one, outermost first.
  var waitingActions: [String] {
    var actions: [String] = []
    var job = state.resumed?.memory.parent
    while let known = job {
      actions.append(known.action)
      job = known.memory.parent
    }
    return actions.reversed()
  }

  @inline(__always)
  private func end(_ job: PerformJob) {
    job.takeLast()
    if let trace = job.trace { end(trace, job.memory.outcome) }
    job.letGo()
    scheduler.end(job)
    if !job.memory.endings.isEmpty { job.tellEnd() }
  }
}

// MARK: Cancelling

extension Dispatcher {
  /// Cancels a job: at once if it waits, otherwise at its next wait. While the host asks a question, it only marks the
  /// job.
  func cancel(_ job: PerformJob, because reason: String, error: Failure? = nil) {
    if !job.isWaiting || isAsking {
      if job.memory.cancellation == nil { job.memory.cancellation = reason }
      return scheduler.wakeSoon(job)
    }
    scheduler.leave(job)
    job.memory.cancellation = reason
    cancelNow(job, error: error)
  }

  /// Unwinds a job that has left the scheduler, and undoes what it registered.
  private func cancelNow(_ job: PerformJob, error: Failure? = nil) {
    let suspension = job.memory.suspension
    job.memory.suspension = nil
    resume(job) {
      // Scripts learn of the end, no matter who cancels.
      allowing {
        if let suspension { drop(suspension, of: job) }
        if hasRecorded { takeBack() }
        return job.note(job.finish(cancelled(job, because: job.memory.cancellation, error: error)))
      }
    }
  }

  private func cancelled(_ job: PerformJob, because reason: String?, error: Failure? = nil) -> Outcome {
    Outcome(.cancelled, by: job.taker.name, via: job.taker.via, reason: reason, error: error)
  }

  /// Drops what a cancelled job waits for. The handler's code no longer runs, and the actions that it waits for are
  /// cancelled.
  func drop(_ suspension: Suspension, of job: Job? = nil) {
    if let job { suspension.awaited?.forget(job) }
    if suspension.isNested { suspension.awaited?.cancel(because: "the action that waits for it was cancelled") }
    suspension.unwind()
  }

  /// Returns why a job has to be cancelled; nil if it may keep waiting.
  func reasonToCancel(_ job: Job) -> String? {
    if let reason = job.memory.cancellation { return reason }
    if job.responder.isRemoved { return "'\(job.by)' was removed" }
    return job.memory.subject.owner.whyInactive ?? job.memory.suspension?.stray?.whyInactive
  }

  /// Cancels jobs whose owner or responder is gone, and those of responders about to be removed.
  func cancelStrays(andThoseOf isGoing: (Responder) -> Bool = { _ in false }) {
    let jobs = scheduler.jobs
    if jobs.isEmpty { return }
    // All listeners for these jobs share one allowance.
    allowing {
      for job in jobs {
        if let reason = reasonToCancel(job) {
          job.cancel(because: reason)
        } else if isGoing(job.responder) {
          job.cancel(because: "'\(job.by)' was removed")
        }
      }
    }
  }

  /// Cancels the jobs of an owner that leaves, while its responders still exist, so that their changes can be undone.
  func cancelJobs(of owner: Owner) {
    owner.isLeaving = true
    cancelStrays { $0.owner === owner }
  }

  /// Drops all jobs without notifying anybody, because the host is closing.
  func dropJobs() {
    untold = []
    for job in scheduler.jobs {
      scheduler.leave(job)
      job.memory.suspension?.unwind()
      job.memory.suspension = nil
      job.memory.endings = []
      guard let job = job as? PerformJob else { continue }
      job.note(cancelled(job, because: "the host is closed"))
      end(job)
    }
  }
}

// Work postponed because a script allowance was spent. It runs when an allowance or an action ends.

extension Dispatcher {
  /// Does postponed work, unless the allowance is spent, or a question, load or reversal is in progress.
  @inline(__always)
  func doPostponed() { if state.hasPostponed { doPostponedNow() } }

  @inline(never)
  private func doPostponedNow() {
    guard !isDoingPostponed else { return }
    isDoingPostponed = true
    defer { isDoingPostponed = false }
    // Owners whose reversals spent their allowance. After three, an owner's further reversals get a small one.
    var spenders: [ObjectIdentifier] = []
    while mayDoPostponed {
      if postponed.isEmpty {
        if !untold.isEmpty {
          tellUntold()
        } else if depth == 0, !events.isEmpty {
          tellEvents()
        } else {
          return
        }
        continue
      }
      switch postponed.removeFirst() {
      case .settingAside(let owner): endAll(of: owner)
      case .takingBack(let entries, let action):
        // This is part of the action, so it must be in the list of current actions.
        guard beginAction(action) else { return postponed.insert(.takingBack(entries, of: action), at: 0) }
        let owners = Set(entries.map { ObjectIdentifier($0.reversal.owner) })
        let isHurried = owners.contains { owner in spenders.count { $0 == owner } >= 3 }
        if takeBack(entries, isHurried: isHurried) { spenders += owners }
        endAction()
      }
    }
  }

  /// Returns true if it postpones an event, because the failed perform spent the allowance. Events of actions that
  /// observers perform in response aren't postponed again, because that might never end.
  func postpones(_ event: ActionEvent, by perform: Perform) -> Bool {
    guard engine?.isSpent == true, !isDoingPostponed else { return false }
    untold.append((event, perform))
    return true
  }

  /// Tells observers of all postponed events, with one allowance.
  private func tellUntold() {
    let told = untold
    untold = []
    allowing { for (event, perform) in told { perform.tell(event) } }
  }

  /// Delivers the turn's events in order, including those that listeners emit meanwhile, with one allowance.
  private func tellEvents() {
    allowing {
      while !events.isEmpty, engine?.isSpent != true { onEvent?(events.removeFirst()) }
      if !events.isEmpty {
        let sentence = "the listeners spent their limit: \(events.count) events of this turn are dropped"
        report(Diagnostic(.error, "limit", sentence))
        events = []
      }
    }
    eventsOfTurn = 0
  }

  /// Queues an event for the end of the turn. Throws if the turn has too many.
  func emit(_ event: EmittedEvent) throws(Misuse) {
    guard eventsOfTurn < Self.mostEvents else {
      throw Misuse(.refused, "\(Self.mostEvents) events were emitted in this turn already, and that is the limit")
    }
    eventsOfTurn += 1
    events.append(event)
  }

  /// The most events in a turn, so that listeners that trigger each other come to an end.
  private static var mostEvents: Int { 1000 }

  /// Whether a postponed reversal runs as soon as the allowance ends.
  var isTakingBackNext: Bool {
    mayDoPostponed && postponed.contains { if case .takingBack = $0 { true } else { false } }
  }

  private var mayDoPostponed: Bool {
    !isAsking && !isLoading && !undo.isReversing && !(engine?.isSpent ?? false)
  }

  /// Cancels the jobs, closes the sessions and drops the reversals of an owner that the host set aside.
  private func endAll(of owner: Owner) {
    undo.removeDone(by: owner, from: chain.responders.values)
    closeSessions { $0.owner === owner || $0.responder?.owner === owner }
    cancelStrays()
  }
}
