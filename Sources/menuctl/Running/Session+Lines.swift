import ScriptHost

// Lines of Lua from the command line.

extension Session {
  /// A line that can be read; the host runs nothing for that.
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

  /// Evaluates a line, and tells what came of it.
  ///
  /// - Parameter name: what errors call it; where it is left out, an error is shown too.
  func evaluating(_ line: String, as name: String? = nil) -> Answer.Evaluated {
    let shown = name == nil ? nextLineName(line) : nil
    let before = host.menus()
    var values: [Value] = []
    var failure: Failure?
    do {
      values = try host.evaluate(line, name: name ?? shown ?? Self.lineName)
    } catch {
      failure = error.failure
      if shown != nil {
        output.show(Diagnostic(.error, error.failure.code.rawValue, error.failure.message, place: error.failure.place))
      }
    }
    // What one may show counts for all together.
    var left = host.limits.output
    return Answer.Evaluated(
      line: line, values: values.map { host.tree(of: $0, within: &left) }, inspected: values.map { host.inspect($0) },
      failure: failure,
      changes: Answer.Changes(before: before, all: host.changes()))
  }

  /// Each line has a name of its own, so that errors can show it.
  private func nextLineName(_ line: String) -> String {
    lines += 1
    let name = lines == 1 ? Self.lineName : "\(Self.lineName) \(lines)"
    output.add(Source(name: name, bytes: Array(line.utf8)))
    return name
  }

  /// Whether a line is one that stands behind `return` as it is.
  func isExpression(_ line: String) -> Bool { (try? host.read(line: "return \(line)")) != nil }

  private static let lineName = "--eval"
}
