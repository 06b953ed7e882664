import Glibc

/// Makes a folder with files in it, all or nothing: everything is written to a hidden folder, which is then renamed.
enum NewFolder {
  /// Makes the folder. The path must not exist, or be an empty folder, which is replaced.
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
      throw Problem(.no, "'\(path)' exists already", help: "nothing was written; choose another name")
    }
  }

  /// The parent folder of a path, and the beginning of the hidden folder's name.
  static func staging(for path: String) -> (folder: String, beginning: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return (parts.dropLast().map { "\($0)/" }.joined(), ".\(parts.last ?? "")-")
  }

  /// Makes the hidden folder, and locks it, because another call would take it for a leftover and remove it.
  private static func stagingFolder(for path: String) throws(Problem) -> (path: String, hold: Hold?) {
    let (folder, beginning) = staging(for: path)
    while true {
      var name = Array("\(folder)\(beginning)XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else { throw cannot("make", path) }
      let staging = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let hold = Hold(staging)
      // If the folder is gone, another call removed it before it was locked. A file system without locks gives no hold, but then no call removes
      // anything.
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

  /// Removes these files, and the folders that are empty then.
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
