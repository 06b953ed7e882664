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

/// How much time and how many instructions a run may take; a run nested in it can't have more.
public struct LuaAllowance: Sendable, Equatable {
  /// Time while it runs; none of its own when 0.
  public var nanoseconds: UInt64
  /// Instructions of Lua's; none of its own when 0.
  public var instructions: UInt64

  public init(nanoseconds: UInt64 = 0, instructions: UInt64 = 0) {
    self.nanoseconds = nanoseconds
    self.instructions = instructions
  }

  public static func milliseconds(_ count: UInt64, instructions: UInt64 = 0) -> LuaAllowance {
    LuaAllowance(nanoseconds: count.multipliedReportingOverflow(by: 1_000_000).partialValue, instructions: instructions)
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
public final class LuaCanceller: @unchecked Sendable {
  let pulse: UnsafeMutablePointer<clua_Pulse>

  init() {
    pulse = .allocate(capacity: 1)
    pulse.initialize(to: clua_Pulse())
  }

  deinit { pulse.deallocate() }

  public func cancel() { clua_cancel(pulse) }

  /// Forgets a cancellation that came when nothing ran.
  package func clear() { _ = takeCancel() }

  /// Takes a cancellation: whether there was one since the last call, or since it last ended a run.
  func takeCancel() -> Bool { clua_takeCancel(pulse) }
}
