import Glibc

/// The script that a recorded test names as its subject, and the folder of the test.
struct TestedScript {
  /// The script's path, relative to `folder`.
  let path: String
  /// The folder of the test, with a slash at the end; empty for the working folder.
  let folder: String

  /// - Parameter test: the path of the test; nil for beside the script.
  init(_ script: String, of test: String?) throws(Problem) {
    let own = Self.folder(of: script)
    guard let test else {
      folder = own
      path = String(script.dropFirst(own.count))
      return
    }
    folder = Self.folder(of: test)
    guard let real = Self.resolved(script) else {
      throw Problem(.noSuchFile, "a test needs its script as a file, and '\(script)' is none")
    }
    guard let root = Self.resolved(folder.isEmpty ? "." : folder) else {
      throw Problem(.noSuchFile, "can't write '\(test)': \(systemMessage(errno))")
    }
    let prefix = root == "/" ? root : root + "/"
    guard real.hasPrefix(prefix) else {
      throw Problem(
        .usage, "a test stands beside its script, or in a folder that the script's folder is in, and '\(test)' doesn't",
        help: "the script is '\(script)'")
    }
    path = String(real.dropFirst(prefix.count))
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }
}
