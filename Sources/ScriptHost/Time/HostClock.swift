import Glibc

/// Measures time for a host: the system's time, or time that only a test advances.
public class HostClock {
  /// Nanoseconds since a fixed moment in the clock's life.
  var nanoseconds: Int64 { 0 }
  /// The shortest sleep, so that time passes between two wake-ups.
  final let tick: Int64

  init(tick: Int64) { self.tick = tick }

  /// Jumps to a moment in the future, on a clock without real waiting. Returns false if time has to pass.
  func skip(to moment: Int64) -> Bool { false }

  /// Waits until a deadline, an interruption, or a readable descriptor; -1 is none. Returns the nanoseconds spent idle.
  func wait(
    until deadline: Int64, or descriptor: Int32 = -1, or other: Int32 = -1, orUntil isInterrupted: () -> Bool
  ) -> Int64 { 0 }
}

extension HostClock {
  /// The time since a fixed moment in the clock's life.
  public var now: Duration { Duration(hostNanoseconds: nanoseconds) }
}

/// The system's monotonic clock, which pauses while the machine sleeps.
public final class SystemClock: HostClock {
  /// The longest delay before it notices an interruption.
  private static let patience: Int64 = 20_000_000

  /// Creates a clock; all of them show the same time.
  public init() { super.init(tick: 1) }

  override var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  override func wait(
    until deadline: Int64, or descriptor: Int32 = -1, or other: Int32 = -1, orUntil isInterrupted: () -> Bool
  ) -> Int64 {
    let before = nanoseconds
    var now = before
    while now < deadline, !isInterrupted() {
      let rest = min(deadline - now, Self.patience)
      // Sleeps for less than a millisecond, which `poll` can't.
      if descriptor >= 0 || other >= 0, rest >= 1_000_000 {
        var polled = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if poll(&polled, 2, Int32(rest / 1_000_000)) > 0 { return nanoseconds - before }
        now = nanoseconds
        continue
      }
      var pause = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
      nanosleep(&pause, nil)
      now = nanoseconds
    }
    return now - before
  }
}

/// A clock that moves only when a test advances it, or a perform is waited for.
public final class TestClock: HostClock {
  private var time: Int64 = 0

  /// Creates a clock at zero.
  public init() { super.init(tick: 1_000_000) }

  override var nanoseconds: Int64 { time }

  override func skip(to moment: Int64) -> Bool {
    time = moment
    return true
  }
}

extension Duration {
  init(hostNanoseconds nanoseconds: Int64) { self = .nanoseconds(nanoseconds) }

  /// The whole nanoseconds, clamped to the clock's range.
  var hostNanoseconds: Int64 {
    let attoseconds = attoseconds
    // Most durations fit 64 bits, and a 128-bit division takes ten times as long.
    if let few = UInt64(exactly: attoseconds) { return Int64(few / 1_000_000_000) }
    return Int64(clamping: attoseconds / 1_000_000_000)
  }
}

extension Int64 {
  /// Returns the sum, clamped to the last possible moment.
  func addingTime(_ nanoseconds: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(nanoseconds)
    return overflow ? .max : sum
  }
}

/// Ends the current run, at the request of any thread.
class Interruption {
  /// Returns true if one was requested since the last call.
  func take() -> Bool { false }
}
