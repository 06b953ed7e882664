import Glibc

/// A program that was started, held by the action alone that waits for it: with that it ends.
struct StartedProgram {
  weak var program: RunningProgram?
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
  /// Whether a handler returns what comes of it as it is.
  var isReturned = false
  /// Whether it wrote more than a script can hold.
  private(set) var isTooMuch = false

  /// Nil where it can't be started, with the reason in errno. A program is a path, or a name that the system looks up.
  init?(_ program: String, _ arguments: [String], input: [UInt8] = [], for script: ScriptOwner, most: Int) {
    self.script = script
    self.most = most
    guard let inner = Self.input(input) else { return nil }
    guard let out = Descriptor.pipe() else {
      Self.close(inner)
      return nil
    }
    guard let err = Descriptor.pipe() else {
      Self.close(inner, out.read, out.write)
      return nil
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, inner, 0)
    posix_spawn_file_actions_adddup2(&actions, out.write, 1)
    posix_spawn_file_actions_adddup2(&actions, err.write, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // Signals that the host holds back it takes as they come, and it is ended with whatever it started itself.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // What the tool does about a file that is too large is its own affair.
    var usual = sigset_t()
    sigemptyset(&usual)
    sigaddset(&usual, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    let started = RunningPrograms.start { posix_spawnp(&$0, program, &actions, &attributes, words, environ) }
    let reason = errno
    words.forEach { free($0) }
    posix_spawnattr_destroy(&attributes)
    posix_spawn_file_actions_destroy(&actions)
    Self.close(inner, out.write, err.write)
    process = started ?? 0
    (output, errors) = (out.read, err.read)
    guard started != nil else {
      // There is nobody to end.
      status = -1
      errno = reason
      return nil
    }
    for descriptor in [output, errors] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }

  /// Looks whether it has ended, and takes what it has written; waits so many milliseconds at most.
  func look(_ milliseconds: Int32 = 0) -> Bool {
    if milliseconds > 0 {
      var polled = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
      poll(&polled, 1, milliseconds)
    }
    take(output, into: &out)
    take(errors, into: &err)
    guard status == nil else { return true }
    if isTooMuch { RunningPrograms.kill(process) }
    guard let state = RunningPrograms.end(of: process) else { return false }
    // What the macros WIFEXITED, WEXITSTATUS and WTERMSIG say, which Swift doesn't see.
    status = Int(state & 0x7F == 0 ? (state >> 8) & 0xFF : 128 + (state & 0x7F))
    take(output, into: &out)
    take(errors, into: &err)
    return true
  }

  private func take(_ descriptor: Int32, into bytes: inout [UInt8]) {
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count <= most {
      let count = read(descriptor, &chunk, chunk.count)
      if count <= 0 { return }
      bytes += chunk[..<count]
    }
    isTooMuch = true
  }

  /// Ends it, if it goes on, with what it started.
  func kill() {
    guard status == nil else { return }
    RunningPrograms.end(process)
    status = 128 + Int(SIGKILL)
  }

  deinit {
    kill()
    Self.close(output, errors)
  }

  /// Closes what is not needed any more; errno stays.
  private static func close(_ descriptors: Int32...) {
    let number = errno
    for descriptor in descriptors { _ = Glibc.close(descriptor) }
    errno = number
  }

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
