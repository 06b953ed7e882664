import Glibc
import Synchronization

/// The result of a process.
struct Run: Equatable, CustomStringConvertible {
  var status: Int32
  var out: String
  var err: String

  var description: String { "exit status \(status)\n--- stdout\n\(out)--- stderr\n\(err)" }
}

/// The project on the disk.
enum Project {
  static let folder: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/")
  }()

  static func text(_ path: String) throws -> String {
    String(decoding: try bytes("\(folder)/\(path)"), as: UTF8.self)
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CannotRead(path: path) }
    defer { close(descriptor) }
    return readAll(descriptor)
  }

  struct CannotRead: Error { let path: String }

  /// Writes a file, over an existing one.
  static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw CannotRead(path: path) }
    defer { fclose(file) }
    fputs(text, file)
  }

  /// The entries of any folder, hidden files too.
  static func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The files below a folder with a suffix, in order.
  static func files(below folder: String, ending suffix: String) -> [String] {
    var found: [String] = []
    guard let stream = opendir("\(Self.folder)/\(folder)") else { return [] }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      if entry.pointee.d_type == UInt8(DT_DIR) {
        found += files(below: "\(folder)/\(name)", ending: suffix)
      } else if name.hasSuffix(suffix) {
        found.append("\(folder)/\(name)")
      }
    }
    return found.sorted()
  }
}

/// Programs built beside the tests.
enum Program {
  /// The folder of the test program, where SwiftPM puts what else it builds.
  static let folder: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let bytes = path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }()

  /// Runs the tool, by default in the project's folder.
  static func menuctl(
    _ words: [String], stdin: String = "", environment: [String: String] = [:], folder: String = Project.folder
  ) throws -> Run {
    let process = try Process("\(Self.folder)/menuctl", words, environment: environment, folder: folder)
    process.write(stdin)
    return process.finish()
  }

  /// Runs a script in a shell of the system.
  static func shell(_ name: String, _ script: String, _ options: [String] = []) throws -> Run {
    let process = try Process(name, options + ["-c", script])
    process.write("")
    return process.finish()
  }

  /// Returns true if the system can make a terminal, which needs more than a bare chroot.
  static var hasTerminals: Bool {
    (try? shell("sh", "script -qec true /dev/null </dev/null"))?.status == 0
  }

  /// Runs a command at a terminal in a folder. A person answers once the question appears.
  static func atTerminal(_ command: String, answering answer: String, in folder: String) throws -> Run {
    let person = """
      until grep -qs y/N .shown || [ -e .ended ]; do sleep 0.02; done; echo \(answer)
      until [ -e .ended ]; do sleep 0.02; done
      """
    return try shell(
      "sh",
      """
      cd \(folder); export XDG_CONFIG_HOME=\(folder)/config XDG_DATA_HOME=\(folder)/data
      (\(person)) | (script -qefc '\(command)' .shown; status=$?; touch .ended; exit $status)
      status=$?; rm -f .shown .ended; exit $status
      """)
  }

  /// Returns true if the system has a program.
  static func isInstalled(_ name: String) -> Bool {
    guard let path = getenv("PATH") else { return false }
    return String(cString: path).split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  static func run(
    _ name: String, _ words: [String] = [], stdin: String = "", environment: [String: String] = [:]
  ) throws -> Run {
    let process = try Process("\(folder)/\(name)", words, environment: environment)
    process.write(stdin)
    return process.finish()
  }
}

/// A process with its three streams on pipes.
final class Process {
  let id: pid_t
  /// Nil after the input was written. Another process may then have a pipe of that number.
  private var input: Int32?
  private let output: Int32
  private let errors: Int32
  /// Its peak memory, after its end.
  private(set) var peak = 0
  /// Its processor time in nanoseconds, after its end.
  private(set) var time: UInt64 = 0
  /// The peak memory of this process so far.
  static var parentPeak: Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss << 10
  }

  struct CannotStart: Error {
    let path: String
    let number: Int32
  }

  /// One start at a time. A process started meanwhile would inherit another's pipes.
  private static let starting = Mutex(())

  /// Starts a process while no other starts.
  static func alone<Result: Sendable>(_ start: () -> Result) -> Result { starting.withLock { _ in start() } }

  /// The environment is the tests', without colour settings and without the user's folders.
  init(_ path: String, _ words: [String], environment: [String: String] = [:], folder: String = Project.folder) throws {
    let own = Surroundings.environment.merging(environment) { $1 }
    let settings = ["-u", "NO_COLOR", "-u", "CLICOLOR_FORCE"] + own.map { "\($0)=\($1)" }
    let started = try Self.starting.withLock { _ throws in try Self.start(["-C", folder] + settings + [path] + words) }
    (id, input, output, errors) = (started.id, started.input, started.output, started.errors)
  }

  private struct Started {
    let id: pid_t
    let input: Int32
    let output: Int32
    let errors: Int32
  }

  /// A write to an ended process fails, and doesn't end the tests.
  private static let pipesBreakQuietly: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  private static func start(_ words: [String]) throws -> Started {
    _ = pipesBreakQuietly
    let (inRead, inWrite) = pipe()
    let (outRead, outWrite) = pipe()
    let (errRead, errWrite) = pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, inRead, 0)
    posix_spawn_file_actions_adddup2(&actions, outWrite, 1)
    posix_spawn_file_actions_adddup2(&actions, errWrite, 2)
    // Swift can't see the function that changes the folder.
    let env = "/usr/bin/env"
    var arguments: [UnsafeMutablePointer<CChar>?] = ([env] + words).map { strdup($0) }
    arguments.append(nil)
    var process: pid_t = 0
    // The test threads block signals, and a started process would too.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // It also resets signals that are ignored here, or by a shell that runs the tests with `&` or `nohup`.
    for ignored in [SIGPIPE, SIGINT, SIGQUIT, SIGHUP] { sigaddset(&signals, ignored) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let result = posix_spawn(&process, env, &actions, &attributes, arguments, environ)
    arguments.forEach { free($0) }
    posix_spawn_file_actions_destroy(&actions)
    for descriptor in [inRead, outWrite, errWrite] { close(descriptor) }
    if result != 0 { throw CannotStart(path: words.joined(separator: " "), number: result) }
    return Started(id: process, input: inWrite, output: outRead, errors: errRead)
  }

  /// Writes the input, all at once, and closes it. A pipe holds 64 KiB. The process may have ended without reading.
  func write(_ text: String) {
    guard let input else { return }
    _ = text.withCString { Glibc.write(input, $0, strlen($0)) }
    close(input)
    self.input = nil
  }

  /// Reads until there is some output.
  func readSome() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(output, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Reads all output and waits for the end.
  func finish() -> Run {
    let (out, err) = readAll(output, errors)
    close(output)
    close(errors)
    var status: Int32 = 0
    var usage = rusage()
    while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    peak = usage.ru_maxrss << 10
    time = [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + UInt64($1.tv_sec) * 1_000_000_000 + UInt64($1.tv_usec) * 1000
    }
    // The macros WIFEXITED and WEXITSTATUS, which Swift can't see. A signal is negative.
    let exit = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    return Run(status: exit, out: String(decoding: out, as: UTF8.self), err: String(decoding: err, as: UTF8.self))
  }

  /// The started process closes both ends, except for its copies.
  private static func pipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    _ = Glibc.pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

private func readAll(_ descriptor: Int32) -> [UInt8] { readAll(descriptor, -1).out }

/// Reads two pipes until both end. A program that fills one of them while the other is read would wait for ever.
private func readAll(_ output: Int32, _ errors: Int32) -> (out: [UInt8], err: [UInt8]) {
  var (out, err): ([UInt8], [UInt8]) = ([], [])
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  var polled = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while polled.contains(where: { $0.fd >= 0 }) {
    if poll(&polled, 2, -1) < 0, errno != EINTR { break }
    for index in polled.indices where polled[index].revents != 0 {
      let count = read(polled[index].fd, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count <= 0 {
        polled[index].fd = -1
      } else if index == 0 {
        out += chunk[..<count]
      } else {
        err += chunk[..<count]
      }
    }
  }
  return (out, err)
}

/// The CPU time that the calling thread has used, in nanoseconds.
func threadTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
