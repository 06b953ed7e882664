import Glibc
import ScriptHost

/// Makes a folder with files, all or nothing: writes to a hidden folder, then renames it.
enum NewFolder {
  /// Makes the folder. The path must not exist, or must be an empty folder, which is replaced.
  static func make(_ path: String, _ files: [(path: String, text: String)]) throws(Problem) {
    try checkNothingIs(at: path)
    removeLeftovers(of: path, files)
    let (staging, hold) = try stagingFolder(for: path)
    defer { hold?.release() }
    var made: [String] = []
    do throws(Problem) {
      for file in files {
        let folders = file.path.split(separator: "/").dropLast()
        for count in folders.indices { mkdir("\(staging)/\(folders[...count].joined(separator: "/"))", 0o777) }
        made.append("\(staging)/\(file.path)")
        try write(file.text, to: "\(staging)/\(file.path)", called: "\(path)/\(file.path)")
      }
      try checkNothingIs(at: path)
      guard rename(staging, path) == 0 else { throw cannot("make", path) }
    } catch {
      remove(staging, made)
      throw error
    }
  }

  private static func checkNothingIs(at path: String) throws(Problem) {
    var status = stat()
    if lstat(path, &status) == 0, !(isFolder(path) && isEmpty(path)) {
      throw Problem(.no, "'\(path)' exists already", help: "choose another name; nothing was written")
    }
  }

  /// Returns the parent folder of a path, and the beginning of the hidden folder's name.
  static func staging(for path: String) -> (folder: String, beginning: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return (parts.dropLast().map { "\($0)/" }.joined(), ".\(parts.last ?? "")-")
  }

  /// Makes the hidden folder and locks it, because another call would remove an unlocked folder as a leftover.
  private static func stagingFolder(for path: String) throws(Problem) -> (path: String, hold: Hold?) {
    let (folder, beginning) = staging(for: path)
    while true {
      var name = Array("\(folder)\(beginning)XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else { throw cannot("make", path) }
      let staging = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let hold = Hold(staging)
      // If the folder is gone, another call removed it before the lock. A file system without locks returns no hold,
      // but there no call removes a folder.
      if hold == nil, !isFolder(staging) { continue }
      let mask = umask(0)
      umask(mask)
      chmod(staging, 0o777 & ~mask)
      return (staging, hold)
    }
  }

  private static func write(_ text: String, to path: String, called name: String) throws(Problem) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw cannot("write", name) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0, count <= rest.count else { break }
      rest = rest.dropFirst(count)
    }
    let isWritten = rest.isEmpty && fsync(descriptor) == 0
    let number = errno
    close(descriptor)
    if !isWritten { throw cannot("write", name, number) }
  }

  /// Removes these files, and the folders that are then empty.
  static func remove(_ staging: String, _ files: [String]) {
    for file in files {
      unlink(file)
      var folder = file
      while let slash = folder.lastIndex(of: "/"), folder.utf8.count > staging.utf8.count {
        folder = String(folder[..<slash])
        rmdir(folder)
      }
    }
    rmdir(staging)
  }

  private static func cannot(_ what: String, _ path: String, _ number: Int32 = errno) -> Problem {
    Problem(.noSuchFile, "can't \(what) '\(path)': \(systemMessage(number))")
  }
}

extension NewFolder {
  /// Removes the hidden folders of killed calls: unlocked folders with only this call's files, or beginnings of them.
  static func removeLeftovers(of path: String, _ files: [(path: String, text: String)]) {
    let (folder, beginning) = staging(for: path)
    for name in names(in: folder.isEmpty ? "." : folder) ?? [] where isStaging(name, beginning) {
      let leftover = folder + name
      guard let hold = Hold(leftover) else { continue }
      defer { hold.release() }
      if isOurs(leftover, "", files) { remove(leftover, files.map { "\(leftover)/\($0.path)" }) }
    }
  }

  /// Returns true if `mkdtemp` may have made a name from this beginning.
  private static func isStaging(_ name: String, _ beginning: String) -> Bool {
    let rest = name.utf8.dropFirst(beginning.utf8.count)
    return name.utf8.starts(with: beginning.utf8) && rest.count == 6
      && rest.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// Returns true if a folder contains only these files or beginnings of them. A folder with other files is kept.
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
    // One byte more than the text has, to notice a longer file.
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

  /// Returns the names in a folder; nil if it can't be read.
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

/// A *hold* is a call's lock on the folder that it writes; it ends with the process.
struct Hold {
  private let descriptor: Int32

  /// Locks the folder; nil if another call has locked it, or has removed it.
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
