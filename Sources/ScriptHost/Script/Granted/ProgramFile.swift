import Glibc

/// A program for the system to start: a path, and the words before the script's arguments.
///
/// A program with a path is opened once, and the system starts its descriptor. So nobody can replace a part of the
/// path. For a program that begins with '#!', the interpreter is started with the path, as the system would do. A
/// descriptor would hide the path in '$0', by which these programs find their other files. The interpreter reads the
/// file that is at the path by then.
struct ProgramFile {
  let path: String
  let words: [String]
  /// The descriptor that the program inherits, because the system lets its interpreter read it; nil if there is none.
  let kept: Int32?
  private let file: OpenedFile?

  /// Finds a program; nil if there is none, with the reason in errno.
  init?(_ program: String) {
    guard program.utf8.contains(UInt8(ascii: "/")) else {
      guard let found = ProgramSearch.path(of: program) else { return nil }
      (path, words, kept, file) = (found, [program], nil, nil)
      return
    }
    guard let file = OpenedFile(program, .any) else { return nil }
    self.file = file
    let own = "/proc/self/fd/\(file.descriptor)"
    let beginning = Self.beginning(of: own)
    if let interpreter = Self.interpreter(beginning) {
      guard access(own, X_OK) == 0 else { return nil }
      (path, words, kept) = (interpreter[0], interpreter + [program], nil)
    } else {
      // Only a file that is no binary may have another interpreter.
      (path, words, kept) = (own, [program], beginning.starts(with: Self.binary) ? nil : file.descriptor)
    }
  }

  /// The number of bytes that the system reads to recognise a program.
  private static let lengthOfBeginning = 256
  private static let binary: [UInt8] = [0x7F] + Array("ELF".utf8)

  private static func beginning(of path: String) -> [UInt8] {
    let descriptor = Descriptor.file(path)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: lengthOfBeginning)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Returns the interpreter and its argument from a first line with '#!'; nil without this line, or if it isn't whole.
  static func interpreter(_ beginning: [UInt8]) -> [String]? {
    guard beginning.starts(with: "#!".utf8) else { return nil }
    let end = beginning.firstIndex(of: UInt8(ascii: "\n"))
    guard end != nil || beginning.count < lengthOfBeginning else { return nil }
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let line = beginning[2..<(end ?? beginning.count)].drop(while: isBlank)
    let name = line.prefix { !isBlank($0) }
    let argument = line[name.endIndex...].drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    guard !name.isEmpty, !line.contains(0) else { return nil }
    let words = [Array(name), Array(argument)].filter { !$0.isEmpty }.map { String(validating: $0, as: UTF8.self) }
    return words.contains(nil) ? nil : words.compactMap { $0 }
  }
}

// Recognises a program in a script's folder, to detect a replacement (S16).

extension ProgramFile {
  /// The most files of a program: interpreters may be scripts themselves.
  private static let fileLimit = 16

  /// Returns the files below a folder that the system reads to start a program: it, and the files in scripts' first
  /// lines.
  ///
  /// - Parameter working: the folders from which a relative path may lead.
  static func files(of program: String, below folder: String, workingIn working: [String]) -> [String] {
    let below = folder == "/" ? folder : folder + "/"
    var found: [String] = []
    var next = [program]
    while let path = next.popLast(), found.count < fileLimit {
      guard path.utf8.starts(with: below.utf8), !found.contains(where: path.hasSameBytes) else { continue }
      found.append(path)
      let words = (interpreter(beginning(of: path)) ?? []).flatMap { $0.split { $0 == " " || $0 == "\t" } }
      next += words.flatMap { places(of: String($0), working) }.filter { !ScriptFile.isFolder($0) }
    }
    return found
  }

  /// Returns possible paths of a word in a script's first line. For 'env' it names a program, perhaps after '-S'.
  private static func places(of word: String, _ working: [String]) -> [String] {
    let word = word.hasPrefix("-S") ? String(word.dropFirst(2)) : word
    if word.utf8.first == UInt8(ascii: "/") { return [Grant.real(word)].compactMap { $0 } }
    let named = word.utf8.contains(UInt8(ascii: "/")) ? nil : ProgramSearch.path(of: word)
    return (working.map { "\($0)/\(word)" } + [named].compactMap { $0 }).compactMap(Grant.real)
  }
}

extension Grant {
  /// Returns the seal of a program that is below a folder, or that a variable names; nil for everything else.
  func seal(below folder: String) -> ProgramSeal? {
    guard capability.kind == .exec else { return nil }
    let words = capability.programVariable.map(ProgramVariable.words)
    let folder = Self.real(folder)
    var files: [String] = []
    if let path = programPath(words), let folder {
      let working = [folder, ScriptFile.folder(of: path), Self.real(".")].compactMap { $0 }
      files = ProgramFile.files(of: path, below: folder, workingIn: working)
    }
    if files.isEmpty, words == nil { return nil }
    return ProgramSeal(files: files.map(ProgramSeal.File.init), folder: folder ?? "", words: words)
  }

  /// Returns the path of the program; nil for a program that is found by its name.
  private func programPath(_ words: [String]?) -> String? {
    path ?? words?.first.flatMap { $0.utf8.first == UInt8(ascii: "/") ? Self.real($0) : nil }
  }

  /// Returns true if the program may run in a folder: it isn't sealed, or it and its interpreters haven't changed.
  func isWhole(workingIn folder: String?) -> Bool {
    guard let seal else { return true }
    let words = capability.programVariable.map(ProgramVariable.words)
    guard words == seal.words, let working = folder ?? Self.real(".") else { return false }
    guard let path = programPath(words), !seal.folder.isEmpty else { return words != nil }
    return ProgramFile.files(of: path, below: seal.folder, workingIn: [working]).allSatisfy { file in
      seal.files.contains { $0.path.hasSameBytes(as: file) && $0.isSame }
    }
  }
}

extension ProgramSeal.File {
  /// The most bytes of a program that are read for a digest.
  private static let limit = 16 << 20
  /// The seconds within which two writes may leave a file with the same times.
  private static let tick = 2

  fileprivate init(path: String) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let stamp = Self.stamp(of: path)
    self.path = path
    self.stamp = stamp.flatMap { now.tv_sec - $0.changed.seconds > Self.tick ? $0 : nil }
    digest = Self.digest(of: path, stamp)
  }

  fileprivate var isSame: Bool {
    let now = Self.stamp(of: path)
    return stamp != nil && now == stamp || Self.digest(of: path, now) == digest
  }

  /// Returns a digest of its bytes. For a long or unreadable file it is the change time, which nobody can set.
  private static func digest(of path: String, _ stamp: ProgramSeal.Stamp?) -> String {
    if let bytes = OpenedFile(path)?.read(most: limit), bytes.count <= limit { return Digest.of(bytes) }
    guard let stamp else { return "nothing" }
    return "\(stamp.inode) \(stamp.size) \(stamp.changed.seconds) \(stamp.changed.nanoseconds)"
  }

  private static func stamp(of path: String) -> ProgramSeal.Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return ProgramSeal.Stamp(
      device: status.st_dev, inode: status.st_ino, size: status.st_size, written: .init(status.st_mtim),
      changed: .init(status.st_ctim))
  }
}

extension ProgramSeal.Moment {
  fileprivate init(_ time: timespec) { self.init(seconds: time.tv_sec, nanoseconds: time.tv_nsec) }
}

/// Finds programs by their names.
enum ProgramSearch {
  /// Returns the path of a program; nil if there is none of that name, with the reason in errno.
  ///
  /// Folders in PATH that depend on the working folder are skipped. Otherwise a script could put a program of the
  /// granted name into its folder and run it.
  static func path(of name: String, in folders: String? = nil) -> String? {
    let folders = folders ?? getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    var reason = ENOENT
    for folder in folders.split(separator: ":") where folder.utf8.first == UInt8(ascii: "/") {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0, !ScriptFile.isFolder(path) { return path }
      if errno == EACCES { reason = EACCES }
    }
    errno = reason
    return nil
  }
}
