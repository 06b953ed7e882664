import Glibc
import Synchronization
import Testing

/// The folders that a test's processes use in place of the user's: home, settings, plugins, state and live apps.
///
/// Each test has its own, so that it sees nothing of the user's and nothing of another test's.
enum Surroundings {
  /// Variables for the environment of the tests themselves. Used to test the rest of this.
  @TaskLocal static var outside: [String: String] = [:]

  /// The environment of a process that the running test starts, unless the test sets another.
  static var environment: [String: String] {
    let home = folder
    return outside.merging([
      "HOME": home, "XDG_CONFIG_HOME": "\(home)/config", "XDG_DATA_HOME": "\(home)/data",
      "XDG_STATE_HOME": "\(home)/state", "XDG_RUNTIME_DIR": "\(home)/run",
    ]) { $1 }
  }

  /// The folder of the running test. Processes outside of a test share one.
  private static var folder: String {
    let test = Test.current.map { "\($0.id)" } ?? ""
    return folders.withLock { folders in
      if let folder = folders[test] { return folder }
      let folder = "\(root)/\(folders.count)"
      for path in [folder, "\(folder)/run"] { mkdir(path, 0o700) }
      folders[test] = folder
      return folder
    }
  }

  private static let folders = Mutex<[String: String]>([:])

  /// Deleted when the tests end.
  private static let root: String = {
    let template = strdup("/tmp/menuctl-home-XXXXXX")
    defer { free(template) }
    guard let template, mkdtemp(template) != nil else { fatalError("no folder can be made in /tmp") }
    atexit { system("rm -rf '\(Surroundings.root)'") }
    return String(cString: template)
  }()
}
