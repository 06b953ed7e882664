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
      sourceInner: min(innerSource, cap),
      longName: { source, length in
        UnsafeRawBufferPointer(start: source, count: length).withMemoryRebound(to: UInt8.self) {
          Int32(clamping: NameReader.lineOfLongName(in: $0))
        }
      })
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

/// A *watch* observes one interpreter from another thread. Each time that the interpreter's thread has used a certain CPU time, a signal
/// comes with the number of the watch, and `look` finds out whether a script runs that doesn't check its limits.
///
/// CPU time is used, because a thread that waits for a person, a slow terminal or a disk isn't stuck.
package final class LuaWatch: @unchecked Sendable {
  /// What a look finds.
  package enum Finding: Sendable {
    /// No script runs, or it looks at its limits.
    case well
    /// A script hasn't checked its limits since the last look; so many times in a row.
    case stuck(times: Int)
    /// There is nothing to watch any more.
    case over
  }

  private let canceller: LuaCanceller
  private let timer: clua_Timer
  /// How often scripts had checked their limits at the last look; nil if none ran.
  private var looks: UInt32?
  private var times = 0

  /// Begins to watch the calling thread, which must be the interpreter's; nil if the system has no timer left.
  package init?(_ canceller: LuaCanceller, each nanoseconds: UInt64, signal: Int32, number: Int32) {
    var timer = clua_Timer()
    guard clua_startTimer(&timer, nanoseconds, signal, number) else { return nil }
    self.canceller = canceller
    self.timer = timer
  }

  deinit { clua_stopTimer(timer) }

  /// Whether it watches the interpreter of this canceller.
  package func isOver(_ other: LuaCanceller) -> Bool { canceller === other }

  /// Whether there is no interpreter to watch any more.
  package var isOver: Bool { !clua_isOpen(canceller.pulse) }

  /// Looks at the interpreter, when the signal has come. Only one thread may call it.
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

  /// Cancels what runs, which ends it when it next checks its limits.
  package func cancel() { canceller.cancel() }

  /// The place of a stuck script, and the function with which it began, unless that is a whole file; nil if the script doesn't tell.
  package func whereabouts() -> (place: String, function: String?)? {
    let pulse = canceller.pulse
    guard clua_whereabouts(pulse, 500) else { return nil }
    guard let place = Self.text(&pulse.pointee.source, pulse.pointee.line) else { return nil }
    let line = pulse.pointee.handlerLine
    return (place, line > 0 ? Self.text(&pulse.pointee.handlerSource, line) : nil)
  }

  /// Waits for one of these signals, and tells which; the number is that of a watch.
  package static func wait(for signals: [Int32]) -> (signal: Int32, number: Int32?) {
    while true {
      var number: Int32 = -1
      let signal = clua_awaitSignal(signals, Int32(clamping: signals.count), &number)
      if signal > 0 { return (signal, number < 0 ? nil : number) }
    }
  }

  /// The name of a chunk, as Lua has it behind a mark, with the line.
  private static func text<Characters>(_ name: UnsafePointer<Characters>, _ line: Int32) -> String? {
    let bytes = UnsafeRawBufferPointer(start: name, count: MemoryLayout<Characters>.size).prefix { $0 != 0 }
    guard let first = bytes.first else { return nil }
    let isMarked = first == UInt8(ascii: "=") || first == UInt8(ascii: "@")
    let shown = String(decoding: isMarked ? bytes.dropFirst() : bytes, as: UTF8.self)
    return line > 0 ? "\(shown):\(line)" : shown
  }
}
