import Glibc

/// The folder of the sockets of live apps, which belongs to the user and is closed to others.
package enum RuntimeFolder {
  /// The folder's path: `$XDG_RUNTIME_DIR/menuctl`, else `menuctl-UID` in the system's temporary folder.
  package static var path: String {
    if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") { return "\(runtime)/menuctl" }
    return "\(environment("TMPDIR") ?? "/tmp")/menuctl-\(geteuid())"
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Makes the folder if it isn't there, and checks that no other user can reach into it.
  static func prepared() throws(LiveError) -> String {
    let path = path
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system("can't make the folder '\(path)'") }
    try check(path)
    return path
  }

  /// Throws if the path is no folder, or a folder of another user or open to others.
  static func check(_ path: String) throws(LiveError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .system("can't look at the folder '\(path)'") }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw LiveError(.unsafe, "'\(path)' is no folder") }
    guard status.st_uid == geteuid() else {
      throw LiveError(.unsafe, "the folder '\(path)' belongs to another user, so no live app can be there")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw LiveError(
        .unsafe, "the folder '\(path)' is open to others, so no live app can be there: chmod 700 '\(path)'")
    }
  }

  /// The names of all sockets in the folder, sorted by bytes; their apps need not be alive.
  package static func names() throws(LiveError) -> [String] {
    if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return [] }
    try check(path)
    guard let stream = opendir(path) else { throw .system("can't look into the folder '\(path)'") }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if file.hasSuffix(suffix) { names.append(String(file.dropLast(suffix.count))) }
    }
    return names.filter(SessionName.isName).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The path of the socket of a name; a name with a '/' is a path itself.
  package static func socket(of name: String) -> String { name.contains("/") ? name : "\(path)/\(name)\(suffix)" }

  private static let suffix = ".sock"
}
