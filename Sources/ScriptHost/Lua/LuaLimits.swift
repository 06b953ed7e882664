import CLua

/// The limits for memory and source size of scripts. Negative values become 0.
struct LuaLimits: Sendable, Equatable {
  /// The most bytes that scripts may hold, after garbage collection.
  let memory: Int
  /// The most bytes of one table, string or stack.
  let block: Int
  /// The most bytes of a source that the host loads. The thread's stack may lower it.
  let source: Int
  /// The most bytes of a source that a script loads.
  let innerSource: Int

  init(
    memory: Int = 64 << 20, block: Int = 1 << 20, source: Int = 128 << 10, innerSource: Int = 64 << 10
  ) {
    self.memory = max(memory, 0)
    self.block = max(block, 0)
    self.source = max(source, 0)
    self.innerSource = max(innerSource, 0)
  }

  /// The limits for C. Error messages for deep source recurse on the C stack, so a small stack allows only small
  /// sources.
  var c: clua_Limits {
    let stack = clua_threadStack()
    let cap = stack == 0 ? source : min(source, stack / 128)
    let (hard, overflow) = memory.addingReportingOverflow(memory / 4)
    return clua_Limits(
      memory: memory, memoryHard: overflow ? memory : hard, block: block, source: cap,
      sourceInner: min(innerSource, cap),
      longName: { source, length in
        UnsafeRawBufferPointer(start: source, count: length).withMemoryRebound(to: UInt8.self) {
          Int32(clamping: NameReader.lineOfLongName(in: $0))
        }
      })
  }
}

/// A limit that was exceeded.
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

/// Cancels the current run of a state. Usable from signal handlers and any thread, even after the state is closed.
package final class LuaCanceller: @unchecked Sendable {
  let pulse: UnsafeMutablePointer<clua_Pulse>

  init() {
    pulse = .allocate(capacity: 1)
    pulse.initialize(to: clua_Pulse())
  }

  deinit { pulse.deallocate() }

  package func cancel() { clua_cancel(pulse) }

  /// Discards a cancellation that came when nothing ran.
  package func clear() { _ = takeCancel() }

  /// Returns true if a cancellation came since the last call, or since one last ended a run. Clears it.
  func takeCancel() -> Bool { clua_takeCancel(pulse) }
}

/// Watches one interpreter from another thread. Whenever the interpreter's thread has used some CPU time, a signal
/// arrives. `look` then finds out if a script runs that doesn't check its limits. It uses CPU time, because a thread
/// that waits for a person, a slow terminal or a disk isn't stuck.
package final class LuaWatch: @unchecked Sendable {
  /// The result of a look.
  package enum Finding: Sendable {
    /// No script runs, or it checks its limits.
    case well
    /// For `times` looks in a row, a script hasn't checked its limits.
    case stuck(times: Int)
    /// The interpreter is gone.
    case over
  }

  private let canceller: LuaCanceller
  private let timer: clua_Timer
  /// The number of limit checks at the last look; nil if no script ran.
  private var looks: UInt32?
  private var times = 0

  /// Watches the calling thread, which must be the interpreter's; nil if the system has no timer left.
  package init?(_ canceller: LuaCanceller, each nanoseconds: UInt64, signal: Int32, number: Int32) {
    var timer = clua_Timer()
    guard clua_startTimer(&timer, nanoseconds, signal, number) else { return nil }
    self.canceller = canceller
    self.timer = timer
  }

  deinit { clua_stopTimer(timer) }

  /// Returns true if it watches the interpreter of a canceller.
  package func isOver(_ other: LuaCanceller) -> Bool { canceller === other }

  /// Whether the interpreter is gone.
  package var isOver: Bool { !clua_isOpen(canceller.pulse) }

  /// Looks at the interpreter after a signal. Must be called from a single thread.
  package func look() -> Finding {
    guard !isOver else { return .over }
    let before = looks
    looks = clua_runsScript(canceller.pulse) ? clua_limitChecks(canceller.pulse) : nil
    guard let looks, looks == before else {
      times = 0
      return .well
    }
    times += 1
    return .stuck(times: times)
  }

  /// Cancels the current run, which ends at its next check of limits.
  package func cancel() { canceller.cancel() }

  /// Returns where a script is stuck, and the function where it began unless that is a file; nil if unknown.
  package func whereabouts() -> (place: String, function: String?)? {
    let pulse = canceller.pulse
    guard clua_whereabouts(pulse, 500) else { return nil }
    guard let place = Self.text(&pulse.pointee.source, pulse.pointee.line) else { return nil }
    let line = pulse.pointee.handlerLine
    return (place, line > 0 ? Self.text(&pulse.pointee.handlerSource, line) : nil)
  }

  /// Waits for one of these signals, and returns it. The number is that of a watch.
  package static func wait(for signals: [Int32]) -> (signal: Int32, number: Int32?) {
    while true {
      var number: Int32 = -1
      let signal = clua_awaitSignal(signals, Int32(clamping: signals.count), &number)
      if signal > 0 { return (signal, number < 0 ? nil : number) }
    }
  }

  /// Returns the name of a chunk without Lua's mark, with the line.
  private static func text<Characters>(_ name: UnsafePointer<Characters>, _ line: Int32) -> String? {
    let bytes = UnsafeRawBufferPointer(start: name, count: MemoryLayout<Characters>.size).prefix { $0 != 0 }
    guard let first = bytes.first else { return nil }
    let isMarked = first == UInt8(ascii: "=") || first == UInt8(ascii: "@")
    let shown = String(decoding: isMarked ? bytes.dropFirst() : bytes, as: UTF8.self)
    return line > 0 ? "\(shown):\(line)" : shown
  }
}
