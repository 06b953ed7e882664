import Glibc
import LiveHost

/// The person's terminal: its size, its modes, its input and output.
final class TerminalDevice {
  let descriptor: Int32
  private var saved = termios()
  private var isEntered = false
  private var outgoing: [UInt8] = []
  private var written = 0
  private let usesTitle: Bool
  private var shownTitle = ""

  /// Opens the terminal of this process; nil if it has none.
  init?() {
    // A new descriptor, so that `O_NONBLOCK` doesn't affect other processes.
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    guard tcgetattr(descriptor, &saved) == 0 else {
      close(descriptor)
      return nil
    }
    // The Linux console would print the title sequence.
    usesTitle = getenv("TERM").map { String(cString: $0) != "linux" } ?? false
  }

  deinit { close(descriptor) }

  /// The byte that the backspace key sends.
  var erase: UInt8 { withUnsafeBytes(of: saved.c_cc) { $0[Int(VERASE)] } }

  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  // MARK: - Modes

  /// A mode of the terminal, with the sequences that turn it on and off.
  enum Mode: CaseIterable {
    case title, screen, cursor, paste, mouse, kittyKeys, otherKeys

    var on: String {
      switch self {
      case .title: "\u{1B}[22;2t"
      case .screen: "\u{1B}[?1049h"
      case .cursor: "\u{1B}[?25l"
      case .paste: "\u{1B}[?2004h"
      case .mouse: "\u{1B}[?1002h\u{1B}[?1006h"
      case .kittyKeys: "\u{1B}[>1u"
      case .otherKeys: "\u{1B}[>4;2m"
      }
    }

    var off: String {
      switch self {
      case .title: "\u{1B}[23;2t"
      case .screen: "\u{1B}[?1049l"
      case .cursor: "\u{1B}[?25h"
      case .paste: "\u{1B}[?2004l"
      case .mouse: "\u{1B}[?1006l\u{1B}[?1002l"
      case .kittyKeys: "\u{1B}[<u"
      case .otherKeys: "\u{1B}[>4m"
      }
    }
  }

  /// The number of the mode that holds frames back.
  static let frames = 2026

  private var modes: [Mode] = []

  /// Takes the screen, and queries the terminal's abilities and, if needed, its background colour.
  func enter(mouse: Bool, asksGround: Bool) {
    var raw = saved
    cfmakeraw(&raw)
    // `TCSANOW` doesn't wait for unread output.
    tcsetattr(descriptor, TCSANOW, &raw)
    isEntered = true
    TerminalKeeper.keep(descriptor, saved)
    set((usesTitle ? [.title] : []) + [.screen, .cursor, .paste] + (mouse ? [.mouse] : []), true)
    shownTitle = ""
    // Queries the kitty protocol and the mode for frames, then sends a query that every terminal answers.
    if asksGround, usesTitle { write("\u{1B}]11;?\u{1B}\\") }
    write("\u{1B}[?u\u{1B}[?\(Self.frames)$p\u{1B}[c")
    TerminalKeeper.hasAsked()
    flush()
  }

  /// Sets the title of the terminal's window.
  func show(title: String) {
    guard usesTitle, title != shownTitle else { return }
    shownTitle = title
    write("\u{1B}]2;\(title.glyphs.map(\.text).joined())\u{07}")
  }

  func set(_ mode: Mode, _ isOn: Bool) { set([mode], isOn) }

  private func set(_ wanted: [Mode], _ isOn: Bool) {
    for mode in wanted where modes.contains(mode) != isOn {
      write(isOn ? mode.on : mode.off)
      if isOn { modes.append(mode) } else { modes.removeAll { $0 == mode } }
    }
    TerminalKeeper.leaving(ending)
  }

  func has(_ mode: Mode) -> Bool { modes.contains(mode) }

  /// The sequences that turn off all active modes, last first, because the modes of keys belong to the screen.
  private var ending: String {
    "\u{1B}[?2026l\u{1B}[0m" + Mode.allCases.reversed().filter(modes.contains).map(\.off).joined()
  }

  /// Restores the terminal.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    modes = []
    outgoing = []
    written = 0
    TerminalKeeper.restore()
  }

  // MARK: - In and out

  /// Reads the bytes that have come; nil if the terminal is gone.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
    return count == 0 ? nil : Array(bytes[..<count])
  }

  /// Whether written bytes still wait for the terminal.
  var isFull: Bool { written < outgoing.count }

  func write(_ text: String) { outgoing += Array(text.utf8) }

  func write(_ bytes: [UInt8]) {
    outgoing += bytes
    flush()
  }

  /// Writes as much as the terminal takes now.
  func flush() {
    while written < outgoing.count {
      let count = outgoing[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        written += count
      } else if errno != EINTR {
        return
      }
    }
    outgoing.removeAll(keepingCapacity: true)
    written = 0
  }
}

/// Passes a terminal's signals to the loop that draws on it, with an alarm.
package enum TerminalSignals {
  nonisolated(unsafe) private static var descriptor: Int32 = -1

  /// Writes a byte to a descriptor for each signal from now on: resize, stop, continue. The caller's thread gets them.
  package static func ring(_ ring: Int32, for signals: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT]) {
    descriptor = ring
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals {
      handle(signal)
      sigaddset(&set, signal)
    }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static func handle(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      let error = errno
      var byte = UInt8(truncatingIfNeeded: signal)
      _ = write(TerminalSignals.descriptor, &byte, 1)
      errno = error
    }
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  /// Stops the process until it is continued, like the signal without a handler. Returns at once if no process could
  /// continue it. The continuing signal isn't rung. The caller takes the screen again, and doing it twice would lose
  /// the keys typed in between.
  static func stop() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    for signal in [SIGTSTP, SIGCONT] { sigaction(signal, &action, nil) }
    raise(SIGTSTP)
    for signal in [SIGTSTP, SIGCONT] { handle(signal) }
  }
}

extension Duration {
  /// The time of the system's monotonic clock.
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Returns the milliseconds until this time, rounded up.
  func milliseconds(from now: Duration) -> Int32 {
    let (seconds, attoseconds) = (self - now).components
    return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
  }
}
