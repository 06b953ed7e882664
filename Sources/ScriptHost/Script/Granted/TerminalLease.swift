import Glibc

/// A *lease* is the time for which a program has the terminal. At its end the terminal is restored.
final class TerminalLease {
  let descriptor: Int32
  private let terminal: HostTerminal
  private var settings: termios?
  private var isOver = false

  /// Borrows the terminal; nil if there is none, or another program has it now.
  init?(_ terminal: HostTerminal?) {
    guard let terminal, let descriptor = terminal.lend() else { return nil }
    self.terminal = terminal
    self.descriptor = descriptor
    // A process in the background can't give the terminal away.
    let group = tcgetpgrp(descriptor)
    guard group < 0 || group == getpgrp() else {
      terminal.takeBack()
      isOver = true
      return nil
    }
    var settings = termios()
    if tcgetattr(descriptor, &settings) == 0 { self.settings = settings }
    write(TerminalModes.before)
  }

  /// Puts a program in the foreground of the terminal. If it was stopped because it touched the terminal too early, the
  /// next look continues it.
  func give(to process: pid_t) { inForeground(process) }

  func end() {
    if isOver { return }
    isOver = true
    inForeground(getpgrp())
    if var settings { Self.heldBack { restore(&settings) } }
    terminal.takeBack()
  }

  /// Restores the terminal: a killed program may have left it in any state, with unanswered queries.
  private func restore(_ settings: inout termios) {
    let modes = TerminalModes.after
    if !modes.isEmpty {
      TerminalReplies.hide(on: descriptor, settings)
      write(modes)
      if TerminalReplies.drop(from: descriptor) { write(TerminalModes.afterOrigin) }
    }
    _ = tcsetattr(descriptor, TCSADRAIN, &settings)
  }

  private func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  deinit { end() }

  private func inForeground(_ group: pid_t) { Self.heldBack { _ = tcsetpgrp(descriptor, group) } }

  /// Runs a body with the signal blocked that would stop a background process for touching the terminal.
  private static func heldBack(_ body: () -> Void) {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}

/// The sequences for a terminal before a program has it, and those that reset the program's modes.
package enum TerminalModes {
  /// Saves the title of the window, which the last sequence of `after` restores.
  static var before: String { isDumb ? "" : "\u{1B}[22;0t" }

  /// Resets every mode that a program may have set, then queries origin mode and the attributes. Empty for a terminal
  /// that would print sequences.
  package static var after: String {
    if isDumb { return "" }
    // Linux's console printed the last letter of sequences with a blank or a '$' before it.
    return reset + (terminal == "linux" ? "" : "\u{1B}[0 q\u{1B}[?\(TerminalReplies.origin)$p") + "\u{1B}[c"
  }

  /// Turns off origin mode, which moves the cursor to the first line, and continues below all text. No sequence does it
  /// in place, because a saved cursor includes the mode.
  package static let afterOrigin = "\u{1B}[?6l\u{1B}[999;1H\r\n"

  private static var terminal: String { getenv("TERM").map { String(cString: $0) } ?? "" }
  private static var isDumb: Bool { terminal == "dumb" }

  /// Resets colours, characters, insert mode, a locked keyboard, local echo, new lines, the other screen, and margins.
  /// Also wrapping, the cursor, application keys, a reversed screen, the mouse, focus, pastes, and held frames. Also
  /// reports of colours and sizes, newer key protocols, and the title. The cursor is saved and restored, because
  /// leaving the other screen and setting margins would move it.
  private static let reset =
    "\u{1B}[0m\u{1B}(B\u{F}\u{1B}[4l\u{1B}[2l\u{1B}[12h\u{1B}[20l" + "\u{1B}7\u{1B}[?1049l"
    + "\u{1B}7\u{1B}[?69l\u{1B}[r\u{1B}8" + "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1l\u{1B}>"
    + [5, 9, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004, 2026, 2031, 2048].map { "\u{1B}[?\($0)l" }.joined()
    + "\u{1B}[>4m\u{1B}[=0u\u{1B}[23;0t"
}

/// Opens a text in the user's editor, the program of `$EDITOR`, at a face's terminal.
package enum TextEditor {
  package enum Edited: Equatable, Sendable {
    case text(String)
    /// The reason why the text is unchanged.
    case failed(String)
  }

  /// The most bytes of the edited text.
  private static let longest = 1 << 20

  /// Runs the editor, which has the terminal meanwhile.
  package static func edit(_ text: String, on terminal: HostTerminal) -> Edited {
    let words = ProgramVariable.words(of: "$EDITOR")
    guard !words.isEmpty else { return .failed("there is no editor: set $EDITOR") }
    guard let path = file(of: text) else { return .failed("can't make a file for the editor: \(systemMessage(errno))") }
    defer { unlink(path) }
    guard let lease = TerminalLease(terminal) else { return .failed("the editor can't use the terminal now") }
    defer { lease.end() }
    guard let status = run(words + [path], lease) else {
      return .failed("'\(words[0])' can't be started: \(systemMessage(errno))")
    }
    guard status == 0 else { return .failed("'\(words[0])' ended with an error: the text is unchanged") }
    return read(path)
  }

  /// Makes a file that nobody else can read.
  private static func file(of text: String) -> String? {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/menuctl-XXXXXX.txt".utf8CString)
    let descriptor = mkstemps(&path, 4)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return nil }
      rest = rest.dropFirst(max(0, count))
    }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Runs a program in the foreground of the terminal. Returns the state in which it ended; nil if it can't be started.
  private static func run(_ words: [String], _ lease: TerminalLease) -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for descriptor: Int32 in 0...2 { posix_spawn_file_actions_adddup2(&actions, lease.descriptor, descriptor) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGXFSZ, SIGPIPE, SIGTTIN, SIGTTOU, SIGTSTP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    let arguments = words.map { strdup($0) } + [nil]
    let started = RunningPrograms.start { posix_spawnp(&$0, words[0], &actions, &attributes, arguments, environ) }
    let reason = errno
    arguments.forEach { free($0) }
    posix_spawnattr_destroy(&attributes)
    posix_spawn_file_actions_destroy(&actions)
    guard let started else {
      errno = reason
      return nil
    }
    lease.give(to: started)
    while true {
      if let state = RunningPrograms.end(of: started, goesOnIfStopped: true) { return state }
      usleep(10_000)
    }
  }

  private static func read(_ path: String) -> Edited {
    let descriptor = Descriptor.file(path)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, let bytes = ScriptFile.read(descriptor, most: longest) else {
      return .failed("can't read the editor's file: \(systemMessage(errno))")
    }
    guard bytes.count <= longest else { return .failed("the text has more than \(longest >> 20) MiB") }
    let text = String(decoding: bytes, as: UTF8.self)
    return .text(String(text.reversed().drop(while: \.isNewline).reversed()))
  }
}

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
