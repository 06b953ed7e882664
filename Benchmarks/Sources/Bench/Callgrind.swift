import Floor
import Glibc

/// Counts instructions by running this program under callgrind, which counts while `floor_measured` is on the stack.
struct Callgrind {
  /// Whether this process is the one that is counted.
  static let isCounting = CommandLine.arguments.contains("--callgrind")

  private let valgrind: Program

  /// Finds valgrind on the PATH; nil where it isn't.
  init?() {
    guard let valgrind = Program("valgrind") else { return nil }
    self.valgrind = valgrind
  }

  /// Instructions an iteration of one side of a row.
  ///
  /// The program is run by the path it was called by: a longer one moves the stack, and with it the hash seeds.
  func count(_ row: Row, _ side: Side) throws -> Double {
    let file = "/tmp/bench-callgrind.\(getpid())"
    defer { unlink(file) }
    // Swift's own hashing must not differ from run to run either.
    try valgrind.run(
      [
        "--tool=callgrind", "--callgrind-out-file=\(file)", "--toggle-collect=floor_measured", CommandLine.arguments[0],
        "--callgrind", row.name, side.rawValue,
      ], environment: ["SWIFT_DETERMINISTIC_HASHING=1", "PATH=/usr/bin:/bin"])
    guard let total = try total(in: readFile(file)) else {
      throw BenchError("callgrind counted nothing for \(row.name)")
    }
    return Double(total) / Double(row.states * row.counted * 2)
  }

  private func total(in text: String) -> Int? {
    let line = text.split(separator: "\n").last { $0.hasPrefix("totals: ") }
    return line.flatMap { Int($0.dropFirst("totals: ".count)) }
  }
}

extension Row {
  /// Interpreters that a count is spread over: their hash seeds differ, and with them the lengths of chains in tables.
  var states: Int { interpreters ?? min(128, max(16, iterations / 2)) }

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
