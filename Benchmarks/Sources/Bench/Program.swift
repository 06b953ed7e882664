import Glibc

/// A program that is run to its end.
struct Program {
  let path: String

  init(at path: String) { self.path = path }

  /// Finds a program on the PATH; nil where it isn't.
  init?(_ name: String) {
    guard let path = getenv("PATH") else { return nil }
    let folders = String(cString: path).split(separator: ":")
    let places: [String] = folders.map { folder in "\(folder)/\(name)" }
    guard let found = places.first(where: { place in access(place, X_OK) == 0 }) else { return nil }
    self.path = found
  }

  /// Runs it without input and returns what it printed. Where no environment is given, it has this program's.
  @discardableResult
  func run(_ arguments: [String], environment: [String]? = nil) throws -> String {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, let output = fdopen(ends[0], "r") else { throw BenchError("there is no pipe to \(path)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { fclose(output) }
    let child = Swift.Result { try start([path] + arguments, environment, output: ends[1]) }
    close(ends[1])
    let id = try child.get()
    let text = readAll(of: output)
    var status: Int32 = 0
    waitpid(id, &status, 0)
    guard status == 0 else { throw BenchError("'\(([path] + arguments).joined(separator: " "))' failed") }
    return text
  }

  private func start(_ words: [String], _ environment: [String]?, output: Int32) throws -> pid_t {
    let (argv, variables) = (copies(words), copies(environment ?? []))
    defer { for text in argv + variables { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var child: pid_t = 0
    let code =
      environment == nil
      ? posix_spawn(&child, path, &actions, nil, argv, environ)
      : posix_spawn(&child, path, &actions, nil, argv, variables)
    guard code == 0 else { throw BenchError("'\(path)' can't be run") }
    return child
  }

  /// Texts as C wants them in a list.
  private func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { text in strdup(text) } + [nil]
  }
}
