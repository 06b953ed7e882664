import Glibc

/// A program in its terminal, with a person who types and looks at the screen.
///
/// ```swift
/// let terminal = try Terminal(["pick", "-", "File/Delete"], columns: 60, rows: 10)
/// #expect(terminal.waits { $0.text.hasSuffix("(y/N)") })
/// terminal.type("y\r")
/// #expect(terminal.finish() == 0)
/// ```
final class Terminal {
  /// The program's output so far, as a screen.
  private(set) var screen: TerminalScreen
  /// The bytes that the program wrote so far.
  private(set) var written: [UInt8] = []
  let id: pid_t
  /// An object to keep for as long as this exists.
  var kept: AnyObject?
  /// The terminal's answers to questions, and the milliseconds before each.
  var answers: (texts: [(question: String, answer: String)], after: Int) = ([], 0)
  /// The answers still to send, each with its time.
  private var due: [(at: Int, text: String)] = []
  /// The number of written bytes already searched for questions.
  private var asked = 0
  private let person: Int32

  struct CannotStart: Error {
    let what: String
    let number: Int32
  }

  /// Whether there are pseudo-terminals here, which needs more than a bare chroot.
  static var isPossible: Bool { (try? open(columns: 80, rows: 24)).map { close($0.person) } != nil }

  /// Starts the tool, or another program, in the foreground of a terminal.
  init(
    _ words: [String], columns: Int = 80, rows: Int = 24, program: String = "\(Program.folder)/menuctl",
    environment: [String: String] = [:], folder: String = Project.folder
  ) throws {
    screen = TerminalScreen(columns: columns, rows: rows)
    let (person, name) = try Self.open(columns: columns, rows: rows)
    self.person = person
    let own = Surroundings.environment.merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 }
    let settings = own.map { "\($0.key)=\($0.value)" }
    do {
      id = try Self.start(
        ["/usr/bin/env", "-C", folder, "-u", "NO_COLOR", "-u", "CLICOLOR_FORCE"] + settings + [program] + words,
        on: name)
    } catch {
      close(person)
      throw error
    }
  }

  /// Ends the program and waits for it. A test that ends a process would wait forever beside one that nobody waited
  /// for.
  deinit {
    close(person)
    var status: Int32 = 0
    if waitpid(id, &status, WNOHANG) == 0 {
      kill(id, SIGKILL)
      waitpid(id, &status, 0)
    }
  }

  private static func open(columns: Int, rows: Int) throws -> (person: Int32, name: String) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    return try Process.alone { () -> Result<(person: Int32, name: String), CannotStart> in
      var (person, program): (Int32, Int32) = (-1, -1)
      var name = [CChar](repeating: 0, count: 256)
      guard openpty(&person, &program, &name, nil, &size) == 0 else {
        return .failure(CannotStart(what: "a pseudo-terminal", number: errno))
      }
      // The program opens it by its name.
      close(program)
      _ = fcntl(person, F_SETFD, FD_CLOEXEC)
      return .success((person, String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)))
    }.get()
  }

  /// Starts a process that leads a new session. The first terminal that it opens becomes its own.
  private static func start(_ words: [String], on name: String) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID and POSIX_SPAWN_SETSIGMASK. Swift sees the second only.
    posix_spawnattr_setflags(&attributes, 0x80 | 0x08)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let result = Process.alone { posix_spawn(&process, words[0], &actions, &attributes, arguments, environ) }
    if result != 0 { throw CannotStart(what: words.joined(separator: " "), number: result) }
    return process
  }

  /// Resizes the screen, and notifies the program.
  func resize(columns: Int, rows: Int) {
    screen = TerminalScreen(columns: columns, rows: rows)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(person, UInt(TIOCSWINSZ), &size)
  }

  /// Takes the terminal away, as a window that is closed does; the program's exit status, or the signal that ended it, negative.
  func hangUp() -> Int32 {
    let nothing = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    dup2(nothing, person)
    close(nothing)
    var status: Int32 = 0
    for _ in 0..<3000 {
      if waitpid(id, &status, WNOHANG) == id { return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F) }
      usleep(10_000)
    }
    kill(id, SIGKILL)
    waitpid(id, &status, 0)
    return -SIGKILL
  }

  /// Returns true if typed characters are shown.
  var echoes: Bool {
    var settings = termios()
    return tcgetattr(person, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  // MARK: Typing and looking

  /// Types; "\r" is the return key, "\u{3}" Ctrl-C, "\u{4}" Ctrl-D, "\u{1B}[A" the upward arrow.
  func type(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(person, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Looks until the screen has what is wanted. Returns false if it doesn't within some seconds.
  func waits(seconds: Int = 20, until isSeen: (TerminalScreen) -> Bool) -> Bool {
    var patience = seconds * 20
    while !isSeen(screen) {
      guard patience > 0 else { return false }
      switch readSome(milliseconds: 50) {
      case .nothing: patience -= 1
      case .some: break
      case .end: return isSeen(screen)
      }
    }
    return true
  }

  /// Reads so many bytes at most, as a slow terminal does, and waits so many milliseconds.
  func reads(bytes: Int, every milliseconds: UInt32) {
    _ = readSome(milliseconds: 0, most: bytes)
    usleep(milliseconds * 1000)
  }

  /// Looks until the program ends, or for a minute without output. Returns the exit status, or the negative signal.
  func finish() -> Int32 {
    // A program that hangs would hang the tests.
    var patience = 60
    while patience > 0 {
      let reading = readSome(milliseconds: 1000)
      if reading == .end { break }
      if reading == .nothing { patience -= 1 }
    }
    if patience == 0 { kill(id, SIGKILL) }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  private enum Reading {
    case some, nothing, end
  }

  private func readSome(milliseconds: Int32, most: Int = 4096) -> Reading {
    var waiting = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
    let wait = due.first.map { min(milliseconds, Int32(clamping: max(0, $0.at - Self.now))) } ?? milliseconds
    let ready = poll(&waiting, 1, wait)
    while let answer = due.first, answer.at <= Self.now {
      due.removeFirst()
      type(answer.text)
    }
    if ready < 0 { return errno == EINTR ? .nothing : .end }
    if ready == 0 { return .nothing }
    var bytes = [UInt8](repeating: 0, count: most)
    let count = read(person, &bytes, bytes.count)
    // If no process has the terminal open any more, the read is an error instead of an end.
    if count <= 0 { return count < 0 && errno == EINTR ? .nothing : .end }
    written += bytes.prefix(count)
    screen.feed(bytes.prefix(count))
    answer()
    return .some
  }

  /// Schedules the answers to questions in the output, in order.
  private func answer() {
    while asked < written.count, !answers.texts.isEmpty {
      let rest = written[asked...]
      if let (question, answer) = answers.texts.first(where: { rest.starts(with: $0.question.utf8) }) {
        due.append((Self.now + answers.after, answer))
        asked += question.utf8.count
      } else if answers.texts.contains(where: { $0.question.utf8.starts(with: rest) }) {
        return
      } else {
        asked += 1
      }
    }
  }

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
