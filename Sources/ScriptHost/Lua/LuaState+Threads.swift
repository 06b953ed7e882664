import CLua

/// How far a coroutine came.
public enum LuaProgress {
  /// It waits, and gave these values.
  case yielded([LuaValue])
  /// It returned these values.
  case finished([LuaValue])
}

extension LuaState {
  /// Makes a coroutine that will run a function.
  public func newThread(_ function: LuaFunction) throws(LuaError) -> LuaThread {
    settleDropped()
    let id = try id(of: function.reference)
    guard let pointer = clua_newThread(L) else {
      throw LuaError(.unavailable, "a coroutine can't be made")
    }
    let thread = LuaThread(reference: takeReference(), pointer: pointer)
    clua_pushReference(pointer, id)
    return thread
  }

  /// Starts a coroutine or goes on with it.
  public func resume(_ thread: LuaThread, _ arguments: LuaValue...) throws(LuaError) -> LuaProgress {
    try resume(thread, arguments: arguments)
  }

  public func resume(_ thread: LuaThread, arguments: [LuaValue]) throws(LuaError) -> LuaProgress {
    _ = try id(of: thread.reference)
    let co = thread.pointer
    let top = clua_top(co)
    do {
      try push(arguments, on: co)
    } catch {
      clua_setTop(co, top)
      throw error
    }
    var count: Int32 = 0
    let status = clua_resume(co, L, Int32(arguments.count), &count)
    try check(status, on: co)
    defer { clua_pop(co, count) }
    let results = try values(from: clua_top(co) - count + 1, on: co)
    return status == CLUA_YIELDED.rawValue ? .yielded(results) : .finished(results)
  }
}
