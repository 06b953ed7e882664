import CLua
import CScript

// after and every: functions that run later, once or repeatedly.

extension ScriptEngine {
  static let timerNames: [ScriptName] = [
    ScriptName("after") { try $0.time($1, $2, repeated: false) },
    ScriptName("every") { try $0.time($1, $2, repeated: true) },
  ]

  /// The most timers of an owner.
  private static let mostTimers = 1000

  private func time(_ call: LuaCall, _ owner: ScriptOwner, repeated isRepeated: Bool) throws -> LuaReturn {
    let name = isRepeated ? "every" : "after"
    try refuseWhileAsking("'\(name)'")
    try owner.checkIsThere()
    let seconds: Double
    switch try call[0] {
    case .integer(let value): seconds = Double(value)
    case .number(let value): seconds = value
    default: throw LuaMisuse("\(name) takes seconds and a function, not \(try call[0].described)")
    }
    guard seconds >= 0, seconds <= 1e9 else { throw LuaMisuse("\(name) takes 0 to 1000000000 seconds") }
    let function = try call.function(1, "the function of '\(name)'")
    guard owner.timerCount < Self.mostTimers else {
      throw LuaMisuse("'\(owner.owner.name)' has \(Self.mostTimers) timers already, and that is the limit")
    }
    let handler = ScriptHandler(try withoutArguments(function), of: owner, engine: self)
    handler.isReentrant = true
    let timing = Timing(
      dispatcher, handler, every: Int64(seconds * 1e9), repeated: isRepeated, at: place(call.place))
    owner.timerCount += 1
    timing.onRemove = { [life = owner.life] in life.script?.timerCount -= 1 }
    // A `failed` hook or an observer begins its timers for the failed action, so these stay.
    if clua_phase(lua.L) == CLUA_DOING.rawValue { dispatcher.undo.registerForFailure(TimingReversal(timing)) }
    if host.isLoading { owner.newTimers.append(timing) } else { timing.start() }
    // The registration holds the timing weakly. Otherwise a script that keeps the handle would keep the function, and
    // the function the script.
    return .values([try handle(Registration { [weak timing] in timing?.remove() })])
  }

  /// Returns a function that calls another without arguments.
  func withoutArguments(_ function: LuaFunction) throws -> LuaFunction {
    let maker = try timerMaker ?? lua.load(own: "local run = ... return function() return run() end", name: "timer")
    timerMaker = maker
    guard case .function(let made)? = try lua.call(maker, .function(function)).first else { return function }
    return made
  }

  /// Starts the timers that were declared while a script was loaded.
  func startTimers(of owner: Owner) {
    guard let script = script(of: owner) else { return }
    let timers = script.newTimers
    script.newTimers = []
    for timing in timers { timing.start() }
  }
}

/// Applies the changes of a table of plain data to its copy, key by key, except where the copy was changed itself.
struct Following {
  let engine: ScriptEngine

  /// Applies the changes of a table since an earlier moment to a copy.
  ///
  /// - Parameters:
  ///   - now: the table.
  ///   - before: the content of the table, and of the copy, at that moment.
  func follow(_ now: LuaTable, since before: LuaTable, in copy: LuaTable) {
    for key in keys(of: before) + keys(of: now) {
      // A value that isn't plain data any more stays as it is.
      try? follow(key, now, since: before, in: copy)
    }
  }

  private func follow(_ key: LuaValue, _ now: LuaTable, since before: LuaTable, in copy: LuaTable) throws {
    let lua = engine.lua
    let (was, value, mine) = (
      try lua.rawGet(key, of: before), try lua.rawGet(key, of: now), try lua.rawGet(key, of: copy)
    )
    if try isSame(was, value) { return }
    // A script may hold the table in the copy, so it is changed and not replaced.
    if case .table(let was) = was, case .table(let value) = value, case .table(let mine) = mine {
      return follow(value, since: was, in: mine)
    }
    if try isSame(was, mine) { try lua.rawSet(key, engine.copyOfPlain(value), of: copy) }
  }

  private func keys(of table: LuaTable) -> [LuaValue] {
    var keys: [LuaValue] = []
    try? engine.lua.forEach(in: table) { key, _ in
      keys.append(key)
      return true
    }
    return keys
  }

  /// Returns true if two values hold the same plain data. One of them is a copy, so no table in it contains itself.
  private func isSame(_ one: LuaValue, _ other: LuaValue) throws -> Bool {
    switch (one, other) {
    case (.nil, .nil): return true
    case (.bool(let one), .bool(let other)): return one == other
    case (.integer(let one), .integer(let other)): return one == other
    case (.number(let one), .number(let other)): return one == other || one.isNaN && other.isNaN
    case (.text(let one), .text(let other)): return one.hasSameBytes(as: other)
    case (.bytes(let one), .bytes(let other)): return one == other
    case (.object(let one), .object(let other)): return one === other
    case (.table(let one), .table(let other)):
      let all = keys(of: one)
      guard all.count == keys(of: other).count else { return false }
      return try all.allSatisfy { try isSame(engine.lua.rawGet($0, of: one), engine.lua.rawGet($0, of: other)) }
    default: return false
    }
  }
}

// The tables of jobs: `job:cancel()`, `job.progress`, `job:wait()`.

extension ScriptEngine {
  /// The mark in the number of a job's table: no number of a responder or a class has both bits.
  private static let jobMark: Int64 = ScriptClass.mark | 1 << 61

  static let jobCalls: [(name: String, body: HostCalls.Body)] = [
    ("cancel", { try $0.cancelJob($1) }),
    ("wait", { try $0.wait(for: try $0.job($1, "wait"), $1) }),
    ("answer", { try $0.answerJob($1, try $0.job($1, "answer")) }),
  ]

  private func cancelJob(_ call: LuaCall) throws -> LuaReturn {
    try refuseWhileAsking("cancelling")
    try job(call, "cancel").cancel()
    return .nothing
  }

  func makeJobMetatable() -> Int32 {
    let table = metatable(
      name: "job", index: { [unowned self] in try readJob($0) },
      newIndex: { _ in throw LuaMisuse("a job belongs to the host and can't be assigned to") },
      string: { [unowned self] call in
        let job = try job(call, "")
        return .values([.text("job '\(job.action)' of '\(job.by)'")])
      })
    clua_pushReference(lua.L, table)
    defer { clua_pop(lua.L, 1) }
    let same: Body = { [unowned self] call in
      .values([.bool(job(at: 1, on: call.L).map { $0 === job(at: 2, on: call.L) } ?? false)])
    }
    lua.push(function: same, on: lua.L)
    lua.setField("__eq", on: lua.L)
    return table
  }

  /// Pushes a table of a job, and keeps it.
  func push(_ job: Job, on L: OpaquePointer) {
    clua_newHostTable(L, Self.jobMark, metatable(.job))
    clua_pushObject(L, Unmanaged.passRetained(job).toOpaque())
    clua_setKept(L, -2)
  }

  /// Returns the job of the value at an index.
  func job(at index: Int32, on L: OpaquePointer) -> Job? {
    guard clua_hostNumber(L, index) == Self.jobMark else { return nil }
    clua_pushKept(L, index)
    defer { clua_pop(L, 1) }
    guard case .object(let object)? = try? lua.value(at: -1, on: L) else { return nil }
    return object as? Job
  }

  func job(_ table: LuaTable) -> Job? {
    guard (try? lua.push(table.reference, on: lua.L)) != nil else { return nil }
    defer { clua_pop(lua.L, 1) }
    return job(at: -1, on: lua.L)
  }

  private func job(_ call: LuaCall, _ method: String) throws -> Job {
    if let job = job(at: 1, on: call.L) { return job }
    throw LuaMisuse(method.isEmpty ? "this value is no job" : "call it with a colon, on a job: job:\(method)()")
  }

  private func readJob(_ call: LuaCall) throws -> LuaReturn {
    let job = try job(call, "")
    guard case .text(let key) = try call[1] else { return .values([.nil]) }
    if let function = jobCalls.function(key, of: self) { return .values([.function(function)]) }
    switch key {
    case "action": return .values([.text(job.action)])
    case "by": return .values([.text(job.by)])
    case "progress":
      guard let progress = job.progress else { return .values([.nil]) }
      clua_newTable(call.L, 0, 2)
      set("fraction", .number(progress.fraction), on: call.L)
      if let text = progress.text { set("text", .text(text), on: call.L) }
      return .pushed(1)
    case "asks":
      guard let asks = asks(of: job) else { return .values([.nil]) }
      push(asks, on: call.L)
      return .pushed(1)
    default: return .values([.nil])
    }
  }

  /// app:jobs()
  func jobs(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "jobs")
    let jobs = host.jobs.filter { owner.plugin == nil || $0.memory.subject.owner === owner.owner }
    push(.list(jobs.map { .opaque($0) }), on: call.L)
    return .pushed(1)
  }
}
