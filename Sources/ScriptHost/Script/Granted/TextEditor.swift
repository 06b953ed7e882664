import Glibc

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
