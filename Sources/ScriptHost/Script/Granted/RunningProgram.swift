import CLua
import Glibc

/// A program that was started, held by the action alone that waits for it: with that it ends.
struct StartedProgram {
  weak var program: RunningProgram?
}

/// What a program is to be run with, beside its arguments.
struct ProgramOptions {
  /// What it reads.
  var input: [UInt8] = []
  /// The folder in which it works; that of the host where nil.
  var folder: String?
  /// Whether each line is told as it comes.
  var tellsLines = false
  var hasTerminal = false
}

/// A program that a script started: what it has written so far, and how it ended.
final class RunningProgram {
  let script: ScriptOwner
  private let process: pid_t
  private var output: Int32
  private var errors: Int32
  private(set) var out: [UInt8] = []
  private(set) var err: [UInt8] = []
  /// The exit status, or that of a signal as shells tell it.
  private(set) var status: Int?
  private let most: Int
  /// Where a handler returns what comes of it as it is; nil where it doesn't.
  var returned: LuaError.Place?
  /// The call that started it, where that is written down.
  var noted: NotedCall?
  /// Whether it wrote more than a script can hold.
  private(set) var isTooMuch = false
  /// Whether each line is told as it comes.
  let tellsLines: Bool
  private var outLines = WrittenLines()
  private var errLines = WrittenLines()
  /// The lines that nobody was told of yet, the next one last.
  private var untold: [(text: [UInt8], isError: Bool)] = []
  private let lease: TerminalLease?

  /// Nil where it can't be started, with the reason in errno. A program is a path, or a name that is looked up.
  init?(
    _ program: String, _ arguments: [String], _ options: ProgramOptions = ProgramOptions(),
    lease: TerminalLease? = nil, for script: ScriptOwner, most: Int
  ) {
    self.script = script
    self.most = most
    self.lease = lease
    tellsLines = options.tellsLines
    let found = program.utf8.contains(UInt8(ascii: "/")) ? program : ProgramSearch.path(of: program)
    guard let found, let pipes = ProgramPipes(options.input, lease) else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, pipes.input, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes.out.write, 1)
    posix_spawn_file_actions_adddup2(&actions, pipes.err.write, 2)
    if let folder = options.folder { _ = clua_addFolder(&actions, folder) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // Signals that the host holds back it takes as they come, and it is ended with whatever it started itself.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // What the tool does about a file that is too large, or a reader that is gone, is its own affair.
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGXFSZ, SIGPIPE, SIGTTIN, SIGTTOU, SIGTSTP] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    let started = RunningPrograms.start { posix_spawn(&$0, found, &actions, &attributes, words, environ) }
    let reason = errno
    words.forEach { free($0) }
    posix_spawnattr_destroy(&attributes)
    posix_spawn_file_actions_destroy(&actions)
    pipes.closeOtherEnds()
    process = started ?? 0
    (output, errors) = (pipes.out.read, pipes.err.read)
    guard let started else {
      // There is nobody to end.
      status = -1
      errno = reason
      return nil
    }
    lease?.give(to: started)
    for descriptor in [output, errors] where descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }

  /// Waits until it has written something, for a millisecond at least and five at most; how many nanoseconds that took.
  func wait() -> Int64 {
    let clock = SystemClock()
    let began = clock.nanoseconds
    usleep(1000)
    if output >= 0 || errors >= 0 {
      var polled = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&polled, 2, 4)
    }
    return clock.nanoseconds - began
  }

  /// Looks whether it has ended, and takes what it has written.
  func look() -> Bool {
    takeAll()
    guard status == nil else { return true }
    if isTooMuch { RunningPrograms.kill(process) }
    guard let state = RunningPrograms.end(of: process, goesOnIfStopped: lease != nil) else { return false }
    // What the macros WIFEXITED, WEXITSTATUS and WTERMSIG say, which Swift doesn't see.
    status = Int(state & 0x7F == 0 ? (state >> 8) & 0xFF : 128 + (state & 0x7F))
    takeAll()
    if tellsLines { untold = (errLines.rest().map { ($0, true) } + outLines.rest().map { ($0, false) }) + untold }
    lease?.end()
    return true
  }

  /// Writes down what comes of the call that started it, with the lines that are still to be told.
  func endNoting(_ values: [LuaValue]) throws {
    guard let noted else { return }
    for line in untold.reversed() { try noted.take(.of(line.text), isError: line.isError) }
    try noted.end(waitingFor: values)
    self.noted = nil
  }

  /// The next line of which nobody was told yet.
  func nextLine() -> (text: [UInt8], isError: Bool)? { untold.popLast() }

  private func takeAll() {
    var lines: [(text: [UInt8], isError: Bool)] = []
    take(&output, into: &out) { lines += outLines.take($0).map { ($0, false) } }
    take(&errors, into: &err) { lines += errLines.take($0).map { ($0, true) } }
    untold = lines.reversed() + untold
  }

  /// Takes what has come; what is closed at the other end is closed. Where each line is told, one that writes without an end doesn't keep its reader, and of what it wrote the end is
  /// kept; else it may write so much and no more.
  private func take(_ descriptor: inout Int32, into bytes: inout [UInt8], _ tell: (ArraySlice<UInt8>) -> Void) {
    if descriptor < 0 { return }
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    var taken = 0
    while tellsLines ? taken < 64 << 10 : bytes.count <= most {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 {
        close(descriptor)
        descriptor = -1
      }
      if count <= 0 { return }
      bytes += chunk[..<count]
      taken += count
      guard tellsLines else { continue }
      tell(chunk[..<count])
      if bytes.count > most { bytes.removeFirst(bytes.count - most / 2) }
    }
    if !tellsLines { isTooMuch = true }
  }

  /// Ends it, if it goes on, with what it started.
  func kill() {
    guard status == nil else { return }
    RunningPrograms.end(process)
    status = 128 + Int(SIGKILL)
    lease?.end()
  }

  deinit {
    kill()
    close(output, errors)
  }
}

/// Closes what is not needed any more; errno stays.
private func close(_ descriptors: Int32...) {
  let number = errno
  for descriptor in descriptors where descriptor >= 0 { _ = Glibc.close(descriptor) }
  errno = number
}

/// What a program reads from and writes to: pipes, or the terminal that it has.
private struct ProgramPipes {
  let input: Int32
  let out: (read: Int32, write: Int32)
  let err: (read: Int32, write: Int32)
  private let isTerminal: Bool

  /// Nil where there are none to be had, with the reason in errno.
  init?(_ bytes: [UInt8], _ lease: TerminalLease?) {
    isTerminal = lease != nil
    if let terminal = lease?.descriptor {
      (input, out, err) = (terminal, (-1, terminal), (-1, terminal))
      return
    }
    guard let input = Self.input(bytes) else { return nil }
    guard let out = Descriptor.pipe() else {
      close(input)
      return nil
    }
    guard let err = Descriptor.pipe() else {
      close(input, out.read, out.write)
      return nil
    }
    (self.input, self.out, self.err) = (input, out, err)
  }

  /// Closes what the program alone needs.
  func closeOtherEnds() { if !isTerminal { close(input, out.write, err.write) } }

  /// What it reads: nothing, or a file that nobody else can find.
  private static func input(_ bytes: [UInt8]) -> Int32? {
    if bytes.isEmpty {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      return descriptor >= 0 ? descriptor : nil
    }
    var name = Array("/tmp/menuctl-XXXXXX".utf8CString)
    let descriptor = Descriptor.temporaryFile(&name)
    guard descriptor >= 0 else { return nil }
    unlink(name)
    guard bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count,
      lseek(descriptor, 0, SEEK_SET) == 0
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
