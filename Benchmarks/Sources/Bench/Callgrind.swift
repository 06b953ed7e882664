import Floor
import Glibc

/// Counts instructions by running this program under callgrind, which counts while `floor_measured` is on the stack.
struct Callgrind {
  let valgrind: String

  /// Whether this process is the one that is counted.
  static let isCounting = CommandLine.arguments.contains("--callgrind")

  /// Finds valgrind on the PATH; nil where it isn't.
  init?() {
    guard let path = getenv("PATH") else { return nil }
    let folders = String(cString: path).split(separator: ":")
    let programs: [String] = folders.map { folder in "\(folder)/valgrind" }
    guard let found = programs.first(where: { program in access(program, X_OK) == 0 }) else { return nil }
    valgrind = found
  }

  /// Instructions an iteration of one side of a row.
  ///
  /// The program is run by the path it was called by: a longer one moves the stack, and with it the hash seeds.
  func count(_ row: Row, _ side: Side) throws -> Double {
    let file = "/tmp/bench-callgrind.\(getpid())"
    defer { unlink(file) }
    try run([
      "--tool=callgrind", "--callgrind-out-file=\(file)", "--toggle-collect=floor_measured", CommandLine.arguments[0],
      "--callgrind", row.name, side.rawValue,
    ])
    guard let total = try total(in: readFile(file)) else {
      throw BenchError("callgrind counted nothing for \(row.name)")
    }
    return Double(total) / Double(row.states * row.counted * 2)
  }

  private func total(in text: String) -> Int? {
    let line = text.split(separator: "\n").last { $0.hasPrefix("totals: ") }
    return line.flatMap { Int($0.dropFirst("totals: ".count)) }
  }

  /// Texts as C wants them in a list.
  private func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { text in strdup(text) } + [nil]
  }

  private func run(_ arguments: [String]) throws {
    let argv = copies([valgrind] + arguments)
    // Swift's own hashing must not differ from run to run either.
    let environment = copies(["SWIFT_DETERMINISTIC_HASHING=1", "PATH=/usr/bin:/bin"])
    defer { for text in argv + environment { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var child: pid_t = 0
    guard posix_spawn(&child, valgrind, &actions, nil, argv, environment) == 0 else {
      throw BenchError("\(valgrind) can't be run")
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    guard status == 0 else { throw BenchError("\(arguments.suffix(3).joined(separator: " ")) failed under callgrind") }
  }
}

extension Row {
  /// Interpreters that a count is spread over: their hash seeds differ, and with them the lengths of chains in tables.
  var states: Int { min(128, max(16, iterations / 2)) }

  /// How often each does it while instructions are counted.
  var counted: Int { max(1, iterations / 64) }

  /// What the program does under callgrind.
  func runCounted(_ side: Side) throws {
    floor_fixSeeds()
    for _ in 0..<states {
      let sides = try make()
      try run(sides, side, counted)
      try run(sides, side, counted)
    }
  }
}
