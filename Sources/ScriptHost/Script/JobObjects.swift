import CLua

// The tables that stand for jobs: `job:cancel()`, `job.progress`, `job:wait()`.

extension ScriptEngine {
  /// The mark in the number of a table that stands for a job: no number of a responder or a class has both bits.
  private static let jobMark: Int64 = ScriptClass.mark | 1 << 61

  static let jobCalls: [(name: String, body: HostCalls.Body)] = [
    ("cancel", { try $0.cancelJob($1) }),
    ("wait", { try $0.wait(for: try $0.job($1, "wait"), $1) }),
  ]

  private func cancelJob(_ call: LuaCall) throws -> LuaReturn {
    try refuseWhileAsking("cancelling")
    try job(call, "cancel").cancel()
    return .nothing
  }

  func makeJobMetatable() -> Int32 {
    let table = metatable(
      name: "job", index: { [unowned self] in try readJob($0) },
      newIndex: { _ in throw LuaMisuse("a job is the host's and can't be assigned to") },
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

  /// Pushes a table that stands for a job, and keeps it.
  func push(_ job: Job, on L: OpaquePointer) {
    clua_newHostTable(L, Self.jobMark, metatable(.job))
    clua_pushObject(L, Unmanaged.passRetained(job).toOpaque())
    clua_setKept(L, -2)
  }

  /// The job that the value at an index stands for.
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
    throw LuaMisuse(method.isEmpty ? "this is not a job" : "call it with a colon, on a job: job:\(method)()")
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
    default: return .values([.nil])
    }
  }

  /// app:jobs()
  func jobs(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "jobs")
    let jobs = host.jobs.filter { owner.plugin == nil || $0.memory.value.subject.owner === owner.owner }
    push(.list(jobs.map { .opaque($0) }), on: call.L)
    return .pushed(1)
  }
}
