import CLua

/// How much memory and how much source a script may have. Less than nothing is nothing.
struct LuaLimits: Sendable, Equatable {
  /// Bytes that scripts may hold; garbage is collected before it counts.
  let memory: Int
  /// Bytes of one table, string or stack.
  let block: Int
  /// Bytes of one source that the host loads; the stack of the thread may lower it.
  let source: Int
  /// Bytes of one source that a script loads.
  let innerSource: Int

  init(
    memory: Int = 64 << 20, block: Int = 1 << 20, source: Int = 128 << 10, innerSource: Int = 64 << 10
  ) {
    self.memory = max(memory, 0)
    self.block = max(block, 0)
    self.source = max(source, 0)
    self.innerSource = max(innerSource, 0)
  }

  /// The limits as C takes them. Naming a culprit in deep source recurses on the C stack, so a small stack takes small sources.
  var c: clua_Limits {
    let stack = clua_threadStack()
    let cap = stack == 0 ? source : min(source, stack / 128)
    let (hard, overflow) = memory.addingReportingOverflow(memory / 4)
    return clua_Limits(
      memory: memory, memoryHard: overflow ? memory : hard, block: block, source: cap,
      sourceInner: min(innerSource, cap))
  }
}

/// A limit that was spent.
package enum LuaLimit: Sendable, Equatable {
  case time, instructions, memory, cancelled

  init?(_ trip: Int32) {
    switch clua_Trip(UInt32(bitPattern: trip)) {
    case CLUA_TRIP_TIME: self = .time
    case CLUA_TRIP_INSTRUCTIONS: self = .instructions
    case CLUA_TRIP_MEMORY: self = .memory
    case CLUA_TRIP_CANCELLED: self = .cancelled
    default: return nil
    }
  }
}

/// Ends whatever a state runs; usable from a signal handler and from any thread, also after the state is gone.
package final class LuaCanceller: @unchecked Sendable {
  let pulse: UnsafeMutablePointer<clua_Pulse>

  init() {
    pulse = .allocate(capacity: 1)
    pulse.initialize(to: clua_Pulse())
  }

  deinit { pulse.deallocate() }

  package func cancel() { clua_cancel(pulse) }

  /// Forgets a cancellation that came when nothing ran.
  package func clear() { _ = takeCancel() }

  /// Takes a cancellation: whether there was one since the last call, or since it last ended a run.
  func takeCancel() -> Bool { clua_takeCancel(pulse) }
}
