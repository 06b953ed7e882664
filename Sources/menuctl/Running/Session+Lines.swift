import LiveHost
import ScriptHost

// Lines of Lua from the command line.

extension Session {
  /// Throws if a line is no Lua; nothing is run.
  func check(line: String) throws(Problem) {
    do {
      try host.read(line: line, name: Self.lineName)
    } catch {
      let failure = error.failure
      throw Problem(
        .usage, Diagnostic(.error, failure.code.rawValue, failure.message, place: failure.place),
        in: Source(name: Self.lineName, bytes: Array(line.utf8)))
    }
  }

  /// A new name for a line, under which its text is kept, so that errors can show it.
  func nextLineName(_ line: String) -> String {
    lines += 1
    let name = lines == 1 ? Self.lineName : "\(Self.lineName) \(lines)"
    output.add(Source(name: name, bytes: Array(line.utf8)))
    return name
  }

  /// Whether a line is an expression: `return LINE` can be read.
  func isExpression(_ line: String) -> Bool { (try? host.read(line: "return \(line)")) != nil }

  private static let lineName = "--eval"
}
