import Glibc

/// Discards a terminal's late replies to queries. Nothing here allocates, so that a signal handler may use it.
package enum TerminalReplies {
  /// Origin mode. The reply for this mode marks our own last query, as opposed to a program's.
  package static let origin = 6

  /// The milliseconds for the terminal to reply, and for a pause between replies if it can't mark the last.
  private static let patience: Int64 = 500
  private static let pause: Int64 = 60

  /// Makes the terminal's input unbuffered and invisible, until its settings are restored. Ctrl-C still interrupts.
  package static func hide(on descriptor: Int32, _ settings: termios) {
    var hidden = settings
    hidden.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &hidden.c_cc) {
      $0[Int(VMIN)] = 1
      $0[Int(VTIME)] = 0
    }
    // `TCSANOW` doesn't wait for output that nobody reads.
    tcsetattr(descriptor, TCSANOW, &hidden)
  }

  /// Reads input up to the reply to the last query: the first attributes after the reply about a mode. If the terminal
  /// knows no modes and a program queried the attributes too, the first attributes before a pause count.
  ///
  /// Returns true if the terminal is in that mode.
  @discardableResult
  package static func drop(from descriptor: Int32, after mode: Int = origin) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      var reader = Reader()
      var (isMarked, isAnswered, isOn) = (false, false, false)
      let last = now + patience
      var end = last
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while now < end, poll(&polled, 1, Int32(end - now)) > 0 {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count <= 0 { return isOn }
        for index in 0..<count {
          switch reader.take(buffer[index]) {
          case .mode(mode, let state): (isMarked, isOn) = (true, state == 1)
          case .attributes where isMarked: return isOn
          case .attributes: isAnswered = true
          default: break
          }
        }
        if isAnswered { end = min(last, now + pause) }
      }
      return isOn
    }
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private enum Reply {
    /// The terminal's attributes, `ESC [ ? … c`.
    case attributes
    /// The state of a mode, `ESC [ ? mode ; state $ y`.
    case mode(Int, Int)
  }

  /// Finds replies in bytes that come in any pieces.
  private struct Reader {
    /// The number of bytes of `ESC [ ?` so far.
    private var begun = 0
    private var first = 0
    private var current = 0

    mutating func take(_ byte: UInt8) -> Reply? {
      switch (begun, byte) {
      case (_, 0x1B): begun = 1
      case (1, UInt8(ascii: "[")): begun = 2
      case (2, UInt8(ascii: "?")): (begun, first, current) = (3, 0, 0)
      case (3, UInt8(ascii: "0")...UInt8(ascii: "9")): current = (current * 10 + Int(byte) - 0x30) % 1_000_000
      case (3, UInt8(ascii: ";")): (first, current) = (current, 0)
      case (3, UInt8(ascii: "$")): break
      case (3, UInt8(ascii: "c")):
        begun = 0
        return .attributes
      case (3, UInt8(ascii: "y")):
        begun = 0
        return .mode(first, current)
      default: begun = 0
      }
      return nil
    }
  }
}
