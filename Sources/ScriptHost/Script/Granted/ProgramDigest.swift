import Glibc

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
