import Glibc

/// What the system starts for a program that a script names: a path, and the words before the script's arguments.
///
/// A program that is named by its path is opened once, and its descriptor is what the system starts, so that nobody can have another one started by
/// exchanging a part of the path. Of a program that begins with '#!' the interpreter is started, as the system would, with the path: such programs
/// find their other files by '$0', which a descriptor would hide from them. What the interpreter then reads is what is at the path by then.
struct ProgramFile {
  let path: String
  let words: [String]
  /// The descriptor that the program keeps, because the system has its interpreter read it; nil if there is none.
  let kept: Int32?
  private let file: OpenedFile?

  /// Nil where there is no such program, with the reason in errno.
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
      // Only what is no binary has an interpreter that the system knows.
      (path, words, kept) = (own, [program], beginning.starts(with: Self.binary) ? nil : file.descriptor)
    }
  }

  /// As many bytes as the system reads to find out what a program is.
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

  /// The interpreter that a first line with '#!' names, and the argument for it if there is one; nil if there is no such line, or it isn't whole.
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

extension Grant {
  /// The most bytes of a program that are read for a digest.
  private static let programLimit = 16 << 20

  /// What tells a program below a folder from one that replaces it: a digest of its bytes, or of a long one and of one that can't be read the time of
  /// its last change, which nobody can set. Nil for everything else.
  private func digestOfProgram(below folder: String) -> String? {
    let below = folder == "/" ? folder : folder + "/"
    guard capability.kind == .exec, let path, path.utf8.starts(with: below.utf8) else { return nil }
    if let bytes = OpenedFile(path)?.read(most: Self.programLimit), bytes.count <= Self.programLimit {
      return Digest.of(bytes)
    }
    var status = stat()
    guard stat(path, &status) == 0 else { return "nothing" }
    return "\(status.st_ino) \(status.st_size) \(status.st_ctim.tv_sec) \(status.st_ctim.tv_nsec)"
  }

  /// The digests of the programs below a folder that grants name.
  static func digests(of grants: [Grant], below folder: String) -> [String] {
    real(folder).map { real in grants.compactMap { $0.digestOfProgram(below: real) } } ?? []
  }
}

/// Finds programs by their names.
enum ProgramSearch {
  /// The path of a program; nil where there is none of that name, with the reason in errno.
  ///
  /// Folders in PATH that depend on the working folder are skipped: a script that may run a program could else have another of that name run from a
  /// folder of its own.
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
