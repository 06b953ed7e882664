import CLua
import Glibc

/// A started program. Only the waiting action retains it, and it ends with that action.
struct StartedProgram {
  weak var program: RunningProgram?
}

/// The options of a program beside its arguments.
struct ProgramOptions {
  /// The bytes of its input.
  var input: [UInt8] = []
  /// Its working folder; nil for the host's.
  var folder: String?
  /// Whether a function gets each line as it comes.
  var tellsLines = false
  var hasTerminal = false
  /// The variables that override the host's environment.
  var environment: [(name: String, value: String)] = []

  /// The variables of the program, as 'NAME=VALUE'.
  fileprivate var variables: [UnsafeMutablePointer<CChar>?] {
    let own = environment.map { "\($0.name)=\($0.value)" }
    var all = own.map { strdup($0) }
    var next = environ
    while let variable = next.pointee {
      let isReplaced = environment.contains { strncmp(variable, "\($0.name)=", $0.name.utf8.count + 1) == 0 }
      if !isReplaced { all.append(strdup(variable)) }
      next += 1
    }
    return all + [nil]
  }
}

/// The limits of the output that the host holds.
struct OutputLimit {
  /// The most bytes of each output, if the script doesn't get lines.
  let whole: Int
  /// The bytes kept from the end, if the script gets each line.
  let end: Int
  /// Counts the output of all scripts' programs, and the most bytes of it.
  let kept: KeptBytes
  let together: Int
}

/// A program that a script started, with its output so far and its status.
final class RunningProgram {
  let script: ScriptOwner
  private let process: pid_t
  private var output: Int32
  private var errors: Int32
  private(set) var out: [UInt8] = []
  private(set) var err: [UInt8] = []
  /// The exit status, or for a signal the number that shells use.
  private(set) var status: Int?
  private let limit: OutputLimit
  private var most: Int { tellsLines ? limit.end : limit.whole }
  /// The output counts as the script's memory.
  private var share: KeptBytes.Share?
  /// How often in a row a look found no new output.
  private var idleLooks = 0
  /// How many nanoseconds pass before it is looked at again: the longer it has been silent, the more.
  var patience: Int64 { idleLooks < 20 ? 1_000_000 : idleLooks < 60 ? 5_000_000 : 20_000_000 }
  /// The place where a handler returns the result of the call directly; nil if it doesn't.
  var returned: LuaError.Place?
  /// The record of the call that started it, if calls are recorded.
  var noted: NotedCall?
  /// The reason why it was ended, if it wrote more than a script can hold.
  private(set) var excess: String?
  /// Whether the script gets each line as it comes.
  let tellsLines: Bool
  private var outLines = WrittenLines()
  private var errLines = WrittenLines()
  /// The lines that the script didn't get yet, the next line last.
  private var untold: [WrittenLine] = []
  private let lease: TerminalLease?

  /// Starts a program, by its path or its name; nil on failure, with the reason in errno.
  init?(
    _ program: String, _ arguments: [String], _ options: ProgramOptions = ProgramOptions(),
    lease: TerminalLease? = nil, for script: ScriptOwner, within limit: OutputLimit
  ) {
    self.script = script
    self.limit = limit
    self.lease = lease
    tellsLines = options.tellsLines
    guard let file = ProgramFile(program), let pipes = ProgramPipes(options, lease) else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, pipes.input, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes.out.write, 1)
    posix_spawn_file_actions_adddup2(&actions, pipes.err.write, 2)
    // This makes the descriptor inheritable.
    if let kept = file.kept { posix_spawn_file_actions_adddup2(&actions, kept, kept) }
    if let folder = options.folder { _ = clua_addFolder(&actions, folder) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // The program gets none of the host's blocked signals, and its own process group, to end it with all its children.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // The program doesn't inherit the host's handling of overlong files and closed readers.
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGXFSZ, SIGPIPE, SIGTTIN, SIGTTOU, SIGTSTP] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = (file.words + arguments).map { strdup($0) }
    words.append(nil)
    let variables = options.variables
    let started = withExtendedLifetime(file) {
      RunningPrograms.start { posix_spawn(&$0, file.path, &actions, &attributes, words, variables) }
    }
    let reason = errno
    (words + variables).forEach { free($0) }
    posix_spawnattr_destroy(&attributes)
    posix_spawn_file_actions_destroy(&actions)
    pipes.closeOtherEnds()
    process = started ?? 0
    (output, errors) = (pipes.out.read, pipes.err.read)
    guard let started else {
      // There is no process to end.
      status = -1
      errno = reason
      return nil
    }
    lease?.give(to: started)
    for descriptor in [output, errors] where descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }

  /// Waits one to five milliseconds until there is output. Returns the nanoseconds that this took.
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

  /// Reads new output. Returns true if the program has ended.
  func look() -> Bool {
    takeAll()
    guard status == nil else { return true }
    if excess != nil { RunningPrograms.kill(process) }
    guard let state = RunningPrograms.end(of: process, goesOnIfStopped: lease != nil) else { return false }
    // The macros WIFEXITED, WEXITSTATUS and WTERMSIG, which Swift doesn't import.
    status = Int(state & 0x7F == 0 ? (state >> 8) & 0xFF : 128 + (state & 0x7F))
    takeAll()
    if tellsLines { untold = (errLines.rest().map { $0.asError } + outLines.rest()) + untold }
    lease?.end()
    return true
  }

  /// Whether it has written something or ended since it was looked at.
  func hasNews() -> Bool {
    var polled = [output, errors].filter { $0 >= 0 }.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard status == nil, !polled.isEmpty, poll(&polled, nfds_t(polled.count), 0) == 0 else { return true }
    if RunningPrograms.hasEnded(process) { return true }
    idleLooks += 1
    return false
  }

  /// Records the results of the call that started it, with the lines that the recording doesn't have yet.
  func endNoting(_ values: [LuaValue]) throws {
    guard let noted else { return }
    for line in untold.reversed() { try noted.take(line) }
    try noted.end(waitingFor: values)
    self.noted = nil
  }

  /// Returns the next line for the script.
  func nextLine() -> WrittenLine? { untold.popLast() }

  /// Releases the output, once the script has it.
  func letGo() {
    (out, err) = ([], [])
    share = nil
  }

  private func takeAll() {
    var lines: [WrittenLine] = []
    let before = out.count + err.count
    take(&output, into: &out) { lines += outLines.take($0) }
    take(&errors, into: &err) { lines += errLines.take($0).map { $0.asError } }
    untold = lines.reversed() + untold
    idleLooks = lines.isEmpty && before == out.count + err.count ? idleLooks + 1 : 0
    share = limit.kept.share(out.count + err.count)
    if limit.kept.bytes > limit.together { excess = "it wrote more than the scripts' memory can hold" }
  }

  /// Reads new output, and closes the descriptor if the other end is closed. A call reads a limited amount, so that
  /// endless output doesn't block the host. If the script gets each line, only the end of the output is kept. Otherwise
  /// it may have up to `most` bytes.
  private func take(_ descriptor: inout Int32, into bytes: inout [UInt8], _ tell: (ArraySlice<UInt8>) -> Void) {
    if descriptor < 0 { return }
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    var taken = 0
    while taken < (tellsLines ? 64 << 10 : ProgramPipes.size), tellsLines || bytes.count <= most {
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
    if !tellsLines, bytes.count > most { excess = "it wrote more than \(most) bytes" }
  }

  /// Ends the program and its children, if it still runs.
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

extension WrittenLine {
  fileprivate var asError: WrittenLine { WrittenLine(text: text, replaces: replaces, isError: true) }
}

/// Closes descriptors, and preserves errno.
private func close(_ descriptors: Int32...) {
  let number = errno
  for descriptor in descriptors where descriptor >= 0 { _ = Glibc.close(descriptor) }
  errno = number
}

/// The descriptors of a program: pipes, or its terminal.
private struct ProgramPipes {
  let input: Int32
  let out: (read: Int32, write: Int32)
  let err: (read: Int32, write: Int32)
  private let isTerminal: Bool

  /// Creates the descriptors; nil on failure, with the reason in errno.
  init?(_ options: ProgramOptions, _ lease: TerminalLease?) {
    isTerminal = lease != nil
    if let terminal = lease?.descriptor {
      (input, out, err) = (terminal, (-1, terminal), (-1, terminal))
      return
    }
    guard let input = Self.input(options.input) else { return nil }
    guard let out = Descriptor.pipe() else {
      close(input)
      return nil
    }
    guard let err = Descriptor.pipe() else {
      close(input, out.read, out.write)
      return nil
    }
    (self.input, self.out, self.err) = (input, out, err)
    // A small pipe makes small portions of lines, so that a script has its turn between them.
    if options.tellsLines { return }
    // With a larger pipe a program with much output waits less often. If the system refuses, the pipe stays as it is.
    for end in [out.write, err.write] { _ = fcntl(end, Self.setSize, Int32(Self.size)) }
  }

  /// The bytes that a pipe holds.
  static let size = 1 << 20
  /// F_SETPIPE_SZ, which Swift doesn't import.
  private static let setSize: Int32 = 1031

  /// Closes the ends that only the program needs.
  func closeOtherEnds() { if !isTerminal { close(input, out.write, err.write) } }

  /// Returns the program's input: nothing, or a file that nobody else can find.
  private static func input(_ bytes: [UInt8]) -> Int32? {
    if bytes.isEmpty {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      return descriptor >= 0 ? descriptor : nil
    }
    var name = Array("/tmp/menuctl-XXXXXX".utf8CString)
    let descriptor = Descriptor.temporaryFile(&name)
    guard descriptor >= 0 else { return nil }
    unlink(name)
    guard Descriptor.write(bytes, to: descriptor), lseek(descriptor, 0, SEEK_SET) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
