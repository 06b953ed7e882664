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
  func evaluating(_ line: String) -> Answer.Evaluated {
    lines += 1
    let name = lines == 1 ? Self.lineName : "\(Self.lineName) \(lines)"
    output.add(Source(name: name, bytes: Array(line.utf8)))
    let before = host.menus()
    var values: [Value] = []
    var failure: Failure?
    do {
      values = try host.evaluate(line, name: name)
    } catch {
      failure = error.failure
      output.show(Diagnostic(.error, error.failure.code.rawValue, error.failure.message, place: error.failure.place))
    }
    return Answer.Evaluated(
      line: line, values: values.map(host.tree), failure: failure,
      changes: Answer.Changes(before: before, all: host.changes()))
  }

  private static let lineName = "--eval"
}
