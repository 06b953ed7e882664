import Glibc

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
