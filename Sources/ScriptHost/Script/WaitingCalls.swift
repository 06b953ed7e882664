import CLua
import CScript

// The calls that take time: `sleep`, `progress`, and performing actions that wait.

/// The progress that an action reported before its first wait.
final class EarlyProgress {
  let progress: Job.Progress

  init(_ progress: Job.Progress) { self.progress = progress }
}

extension ScriptEngine {
  func pushSleep() {
    let driving: Body = { [unowned self] call in
      if case .number(let seconds) = try call[0] {
        if dispatcher.drive(for: Int64(seconds * 1e9)) { throw interrupted(call) }
      }
      return .nothing
    }
    lua.push(function: driving, on: lua.L)
    clua_newSleep(lua.L)
  }

  /// progress(fraction [, text])
  func sayProgress(_ call: LuaCall) throws -> LuaReturn {
    let fraction: Double
    let shown: String
    switch try call[0] {
    case .integer(let value): (fraction, shown) = (Double(value), "\(value)")
    case .number(let value): (fraction, shown) = (value, value.isNaN ? "NaN" : "\(value)")
    default: throw LuaMisuse("progress takes a fraction from 0 to 1, not \(try call[0].described)")
    }
    guard fraction >= 0, fraction <= 1 else {
      throw LuaMisuse("progress takes a fraction from 0 to 1, not \(shown)")
    }
    var progress = Job.Progress(fraction: fraction, text: nil)
    switch try call[1] {
    case .nil: break
    case .text(let text): progress.text = text.shown(hasLines: false)
    default: throw LuaMisuse("the text of a progress must be a string, not \(try call[1].described)")
    }
    guard clua_phase(call.L) == CLUA_DOING.rawValue else {
      throw LuaMisuse("progress works only in an action: in 'on', in 'unknown' or in an undo")
    }
    if let job = runningJob(call.L) {
      job.progress = progress
    } else {
      clua_setAside(call.L, Unmanaged.passRetained(EarlyProgress(progress)).toOpaque())
    }
    return .nothing
  }

  /// Returns the job of the running action; nil before its first wait.
  func runningJob(_ L: OpaquePointer) -> Job? {
    clua_runningJob(L).map { Unmanaged<Job>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns why a call can't wait.
  private func whyNoWait(_ L: OpaquePointer) -> String? { clua_whyNoWait(L).map { String(cString: $0) } }

  /// Returns the program that the waiting call waits for, if it is one, and clears it.
  func takeAwaitedProgram() -> RunningProgram? {
    defer { awaitedProgram = nil }
    return awaitedProgram
  }

  /// Returns what the waiting call waits for, and clears it.
  func takeAwaited() -> Awaited? {
    defer { awaited = nil }
    return awaited
  }

  // MARK: Waiting for other actions

  /// Performs a script's call of a method of its responder, and returns the outcome to it.
  func act(
    _ call: LuaCall, _ method: String, _ doing: String, _ deed: (ScriptHost) throws -> Outcome
  ) throws -> LuaReturn {
    let (_, owner) = try receiver(call, method)
    return try act(call, doing, for: owner, deed)
  }

  /// Performs a script's call, and returns the outcome to it. If that waits, the caller waits too, unless `waits` is
  /// false. Throws in a question, and while a script loads.
  func act(
    _ call: LuaCall, _ doing: String, for owner: ScriptOwner, waits: Bool = true,
    _ deed: (ScriptHost) throws -> Outcome
  ) throws -> LuaReturn {
    let host = host
    try refuse(doing, whileAsking: host.dispatcher)
    try refuseWhileLoading(doing)
    return try speaking(to: owner) {
      do {
        let outcome = try deed(host)
        if waits, let job = outcome.job { return try wait(forNested: job, call) }
        give(outcome, to: call)
      } catch let error as ReferenceError {
        give(Outcome(.failed, error: Failure(error)), to: call)
      }
      return .pushed(1)
    }
  }

  /// Returns an outcome to the script that caused it.
  func give(_ outcome: Outcome, to call: LuaCall) {
    onGiven?(outcome, call)
    push(outcome, on: call.L)
  }

  /// Waits for a job that the caller performed, and returns its outcome.
  private func wait(forNested job: Job, _ call: LuaCall) throws -> LuaReturn {
    if clua_phase(call.L) == CLUA_DRIVING.rawValue { return try drive(job, call) }
    if let reason = whyNoWait(call.L) {
      job.cancel(because: "its caller can't wait for it")
      throw LuaMisuse("'\(job.action)' waits, and \(reason); to go on without waiting, pass { wait = false }")
    }
    if clua_trip(call.L) != CLUA_TRIP_NONE.rawValue { job.cancel(because: "its caller spent a limit") }
    return yield(for: .job(job, isNested: true))
  }

  /// job:wait()
  func wait(for job: Job, _ call: LuaCall) throws -> LuaReturn {
    // Anybody who holds a job may wait for it, and the caller isn't known.
    if let outcome = job.outcome {
      speaking(to: nil) { push(outcome, on: call.L) }
      return .pushed(1)
    }
    if clua_phase(call.L) == CLUA_DRIVING.rawValue { return try speaking(to: nil) { try drive(job, call) } }
    if let reason = whyNoWait(call.L) { throw LuaMisuse(reason) }
    if let own = runningJob(call.L), job.last === own {
      throw LuaMisuse("'\(own.action)' would wait for itself\(job === own ? "" : ": '\(job.action)' waits for it")")
    }
    return yield(for: .job(job, isNested: false))
  }

  /// Waits for the candidate that an action was forwarded to.
  func wait(for forwarding: Forwarding, _ call: LuaCall) throws -> LuaReturn {
    if let reason = whyNoWait(call.L) {
      forwarding.unwind()
      throw LuaMisuse("the next handler waits, and \(reason)")
    }
    return yield(for: .forwarded(forwarding))
  }

  /// Returns why a call can't wait for a call outside of the host; nil if it can.
  func whyNoReturn(_ L: OpaquePointer) -> String? {
    clua_phase(L) == CLUA_DRIVING.rawValue ? nil : whyNoWait(L)
  }

  /// Waits for a job with values: a call of the program's function, or a question.
  func wait(forValuesOf job: Job, _ call: LuaCall) throws -> LuaReturn {
    guard clua_phase(call.L) == CLUA_DRIVING.rawValue else { return yield(for: .job(job, isNested: true)) }
    if dispatcher.drive(untilEndOf: job).error?.code == .cancelled { throw interrupted(call) }
    return .pushed(try pushedValues(of: job, on: call.L))
  }

  /// Pushes the values of a job, and returns their number. Pushes its error and returns nil if it failed.
  func pushValues(of job: Job, on L: OpaquePointer) -> Int32? {
    do {
      return Int32(clamping: try pushedValues(of: job, on: L))
    } catch {
      lua.push(LuaFailure(error), on: L)
      return nil
    }
  }

  private func pushedValues(of job: Job, on L: OpaquePointer) throws -> Int {
    let values = try job.values
    speaking(to: script(of: job.memory.subject.owner)) { for value in values { push(value, on: L) } }
    return values.count
  }

  private func yield(for awaited: Awaited) -> LuaReturn {
    self.awaited = awaited
    return .yield([])
  }

  /// Drives the host in a test until a job has ended.
  private func drive(_ job: Job, _ call: LuaCall) throws -> LuaReturn {
    let outcome = dispatcher.drive(untilEndOf: job)
    if outcome.error?.code == .cancelled { throw interrupted(call) }
    give(outcome, to: call)
    return .pushed(1)
  }

  /// Ends the waiting test. No `pcall` on the way catches this.
  private func interrupted(_ call: LuaCall) -> LuaError {
    lua.canceller.cancel()
    return lua.error(for: .cancelled, place: call.place)
  }

  // MARK: The clock

  /// app:advance(seconds)
  func advance(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "advance")
    try refuseWhileAsking("moving the clock")
    try refuseWhileLoading("moving the clock")
    let seconds: Double
    switch try call[1] {
    case .integer(let value): seconds = Double(value)
    case .number(let value): seconds = value
    default: throw LuaMisuse("app:advance takes a number of seconds, not \(try call[1].described)")
    }
    guard seconds >= 0, seconds <= 1e9 else { throw LuaMisuse("app:advance takes 0 to 1000000000 seconds") }
    try allowing { try host.advance(by: .nanoseconds(Int64(seconds * 1e9))) }
    return .nothing
  }

  /// Calls a function that may wait like a test does: the host goes on meanwhile.
  func callDriving(_ function: LuaFunction, _ arguments: LuaValue...) throws -> [LuaValue] {
    let before = clua_setPhase(lua.L, CLUA_DRIVING.rawValue)
    defer { _ = clua_setPhase(lua.L, before) }
    return try lua.call(function, arguments: arguments)
  }

  func rested(_ nanoseconds: Int64) { if nanoseconds > 0 { clua_rested(lua.L, UInt64(nanoseconds)) } }

}
