import Glibc

/// A *clock* tells a host the time: the system's, or one that only a test moves.
public class HostClock {
  /// Nanoseconds since a moment that is the same for as long as the clock lives.
  var nanoseconds: Int64 { 0 }
  /// The shortest sleep, so that time passes between two wake-ups.
  final let tick: Int64

  init(tick: Int64) { self.tick = tick }

  /// Jumps to a moment in the future, on a clock for which nobody needs to wait; false if time has to pass.
  func skip(to moment: Int64) -> Bool { false }

  /// Waits until a deadline, an interruption, or until one of two descriptors can be read; -1 is none. Returns how long nothing was done.
  func wait(
    until deadline: Int64, or descriptor: Int32 = -1, or other: Int32 = -1, orUntil isInterrupted: () -> Bool
  ) -> Int64 { 0 }
}

extension HostClock {
  /// The time since a moment that is the same for as long as the clock lives.
  public var now: Duration { Duration(hostNanoseconds: nanoseconds) }
}

/// The system's clock, which nobody sets back and which doesn't run while the machine sleeps.
public final class SystemClock: HostClock {
  /// The longest time for which an interruption may go unnoticed.
  private static let patience: Int64 = 20_000_000

  /// The clock of the machine; all of them show the same time.
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
      // Less than a millisecond is slept, as 'poll' knows none.
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

/// A clock that stands still until a test moves it, or until a perform that is waited for does.
public final class TestClock: HostClock {
  private var time: Int64 = 0

  /// A clock that shows zero.
  public init() { super.init(tick: 1_000_000) }

  override var nanoseconds: Int64 { time }

  override func skip(to moment: Int64) -> Bool {
    time = moment
    return true
  }
}

extension Duration {
  init(hostNanoseconds nanoseconds: Int64) { self = .nanoseconds(nanoseconds) }

  /// The whole nanoseconds, clamped to what a clock can show.
  var hostNanoseconds: Int64 {
    let attoseconds = attoseconds
    // Most durations fit 64 bits, and dividing 128 takes ten times as long.
    if let few = UInt64(exactly: attoseconds) { return Int64(few / 1_000_000_000) }
    return Int64(clamping: attoseconds / 1_000_000_000)
  }
}

extension Int64 {
  /// The sum, clamped to the last moment there is.
  func addingTime(_ nanoseconds: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(nanoseconds)
    return overflow ? .max : sum
  }
}

/// An *interruption* ends what runs, at the request of any thread.
class Interruption {
  /// Whether one was requested since the last call.
  func take() -> Bool { false }
}
