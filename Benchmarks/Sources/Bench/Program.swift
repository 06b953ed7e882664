import Glibc

/// A program that is run to its end.
struct Program {
  let path: String

  init(at path: String) { self.path = path }

  /// Finds a program on the PATH; nil where it isn't.
  init?(_ name: String) {
    guard let path = getenv("PATH") else { return nil }
    let folders = String(cString: path).split(separator: ":")
    let places: [String] = folders.map { folder in "\(folder)/\(name)" }
    guard let found = places.first(where: { place in access(place, X_OK) == 0 }) else { return nil }
    self.path = found
  }

  /// Runs it without input and returns what it printed. Where no environment is given, it has this program's.
  @discardableResult
  func run(_ arguments: [String], environment: [String]? = nil) throws -> String {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, let output = fdopen(ends[0], "r") else { throw BenchError("there is no pipe to \(path)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { fclose(output) }
    let child = Swift.Result { try start([path] + arguments, environment, input: nil, output: ends[1]) }
    close(ends[1])
    let id = try child.get()
    let text = readAll(of: output)
    var status: Int32 = 0
    waitpid(id, &status, 0)
    guard status == 0 else { throw BenchError("'\(([path] + arguments).joined(separator: " "))' failed") }
    return text
  }

  /// Runs it, says a line to it so many times, each time after the answer to the one before, and returns the answers.
  func converse(_ arguments: [String], saying line: String, times: Int) throws -> [String] {
    var (said, heard): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&said) == 0, pipe(&heard) == 0 else { throw BenchError("there is no pipe to \(path)") }
    for end in said + heard { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let child = Swift.Result { try start([path] + arguments, nil, input: said[0], output: heard[1]) }
    close(said[0])
    close(heard[1])
    defer { close(heard[0]) }
    let id = try child.get()
    let bytes = Array((line + "\n").utf8)
    var answers: [String] = []
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<times {
      guard write(said[1], bytes, bytes.count) == bytes.count else { break }
      while answer.last != UInt8(ascii: "\n") {
        let count = Glibc.read(heard[0], &piece, piece.count)
        guard count > 0 else { throw BenchError("'\(path)' doesn't answer") }
        answer += piece[..<count]
      }
      answers.append(String(decoding: answer, as: UTF8.self))
      answer.removeAll()
    }
    close(said[1])
    waitpid(id, nil, 0)
    return answers
  }

  /// Runs it in the foreground of a terminal of 80×24 until it has written a text there, and ends it; whether it wrote that.
  func runAtTerminal(_ arguments: [String], until text: String) throws -> Bool {
    let run = try atTerminal(arguments)
    let isWritten = run.reads(text)
    // At once: how it ends is no part of what is measured.
    run.end()
    return isWritten
  }

  /// Starts it in the foreground of a terminal.
  func atTerminal(_ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24) throws -> ProgramAtTerminal {
    var (person, program): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 256)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&person, &program, &name, nil, &size) == 0 else {
      throw BenchError("there is no terminal for \(path)")
    }
    for end in [person, program] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let terminal = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let begun = Swift.Result { try start([path] + arguments, at: terminal) }
    return ProgramAtTerminal(id: try begun.get(), person: person, program: program)
  }

  private func start(_ words: [String], at terminal: String) throws -> pid_t {
    let argv = copies(words)
    defer { for text in argv { free(text) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID, which Swift does not see: the first terminal that a session opens is its own.
    posix_spawnattr_setflags(&attributes, 0x80)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var child: pid_t = 0
    guard posix_spawn(&child, path, &actions, &attributes, argv, environ) == 0 else {
      throw BenchError("'\(path)' can't be run")
    }
    return child
  }

  private func start(_ words: [String], _ environment: [String]?, input: Int32?, output: Int32) throws -> pid_t {
    let (argv, variables) = (copies(words), copies(environment ?? []))
    defer { for text in argv + variables { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var child: pid_t = 0
    let code =
      environment == nil
      ? posix_spawn(&child, path, &actions, nil, argv, environ)
      : posix_spawn(&child, path, &actions, nil, argv, variables)
    guard code == 0 else { throw BenchError("'\(path)' can't be run") }
    return child
  }

  /// Texts as C wants them in a list.
  private func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { text in strdup(text) } + [nil]
  }
}

/// A program that runs at a terminal, with a person's end of it.
final class ProgramAtTerminal {
  private let id: pid_t
  private let person: Int32
  /// Held to the end, so that there is something to read from before the program has opened it, and after.
  private let program: Int32
  private var isEnded = false

  fileprivate init(id: pid_t, person: Int32, program: Int32) {
    self.id = id
    self.person = person
    self.program = program
  }

  deinit {
    end()
    close(person)
    close(program)
  }

  func end() {
    if isEnded { return }
    isEnded = true
    kill(id, SIGKILL)
    waitpid(id, nil, 0)
  }

  /// Whether it writes a text, within ten seconds after anything else that it writes.
  func reads(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    var bytes: [UInt8] = []
    while let piece = read(within: 10_000) {
      bytes += piece
      if bytes.indices.contains(where: { bytes[$0...].starts(with: wanted) }) { return true }
    }
    return false
  }

  /// Types keys and waits until it has done everything that they cause; how many bytes it wrote.
  func type(_ keys: [UInt8]) -> Int {
    _ = write(person, keys, keys.count)
    return settle()
  }

  /// Waits until it neither writes nor computes any more; how many bytes it wrote.
  func settle() -> Int {
    var written = 0
    var before = time
    while true {
      if let piece = read(within: 25) {
        written += piece.count
      } else {
        let now = time
        // Nothing but the tick of the kernel.
        if now - before < 20_000 { return written }
        before = now
      }
    }
  }

  /// The processor time of all its threads so far, in nanoseconds.
  var time: Int {
    var clock = clockid_t()
    guard clock_getcpuclockid(id, &clock) == 0 else { return 0 }
    var spent = timespec()
    clock_gettime(clock, &spent)
    return spent.tv_sec * 1_000_000_000 + spent.tv_nsec
  }

  /// The bytes of memory that it has for itself.
  var memory: Int {
    guard let file = fopen("/proc/\(id)/status", "r") else { return 0 }
    defer { fclose(file) }
    let fields = readAll(of: file).split(separator: "\n").first { $0.hasPrefix("RssAnon:") }?.split(separator: " ")
    return 1024 * (fields.flatMap { $0.count > 1 ? Int($0[1].filter(\.isNumber)) : nil } ?? 0)
  }

  private func read(within milliseconds: Int32) -> [UInt8]? {
    var waiting = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return nil }
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(person, &piece, piece.count)
    return count > 0 ? Array(piece[..<count]) : nil
  }
}
