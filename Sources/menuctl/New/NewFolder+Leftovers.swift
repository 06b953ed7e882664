import Glibc
import ScriptHost

extension NewFolder {
  /// Removes what a call that was killed left behind: a hidden folder that nobody makes any more, with nothing in it but what was begun.
  static func removeLeftovers(of path: String, _ files: [(path: String, text: String)]) {
    let (folder, beginning) = staging(for: path)
    for name in names(in: folder.isEmpty ? "." : folder) ?? [] where isStaging(name, beginning) {
      let leftover = folder + name
      guard let hold = Hold(leftover) else { continue }
      defer { hold.release() }
      if isOurs(leftover, "", files) { remove(leftover, files.map { "\(leftover)/\($0.path)" }) }
    }
  }

  /// Whether a name is one that `mkdtemp` made of the beginning.
  private static func isStaging(_ name: String, _ beginning: String) -> Bool {
    let rest = name.utf8.dropFirst(beginning.utf8.count)
    return name.utf8.starts(with: beginning.utf8) && rest.count == 6
      && rest.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// Whether all that lies in a folder is a file of these, or the beginning of one. Another's file stays, and so does the folder.
  private static func isOurs(_ root: String, _ inner: String, _ files: [(path: String, text: String)]) -> Bool {
    guard let names = names(in: "\(root)/\(inner)") else { return false }
    return names.allSatisfy { name in
      let path = inner + name
      if let file = files.first(where: { $0.path == path }) { return holds("\(root)/\(path)", beginningOf: file.text) }
      return files.contains { $0.path.hasPrefix("\(path)/") } && isFolder("\(root)/\(path)")
        && isOurs(root, "\(path)/", files)
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func isEmpty(_ folder: String) -> Bool { names(in: folder)?.isEmpty ?? false }

  private static func holds(_ path: String, beginningOf text: String) -> Bool {
    let descriptor = Descriptor.file(path, followingLinks: false)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // One byte more than there may be tells a longer file.
    var bytes = [UInt8](repeating: 0, count: text.utf8.count + 1)
    var count = 0
    while count < bytes.count {
      let more = bytes[count...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if more < 0 { return false }
      if more == 0 { break }
      count += more
    }
    return text.utf8.starts(with: bytes[..<count])
  }

  /// What lies in a folder; nil where it can't be read.
  private static func names(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
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
}

/// A *hold* on a folder says that somebody works in it, and ends with the process.
struct Hold {
  private let descriptor: Int32

  /// Nil where another has it, or where the folder is gone meanwhile.
  init?(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
      close(descriptor)
      return nil
    }
  }

  func release() { close(descriptor) }
}
