import LiveHost
import ScriptHost

/// Writes the results of tests in the Test Anything Protocol, version 14.
enum TAPText {
  static func heading(count: Int, seed: UInt64?) -> String {
    (["TAP version 14"] + (seed.map { ["# shuffled with --shuffle=\($0)"] } ?? []) + ["1..\(count)"])
      .joined(separator: "\n")
  }

  static func text(_ result: ScriptTestResult, number: Int, again: String) -> String {
    var lines = result.output.printed.flatMap { text in
      text.visibleLines.split(separator: "\n", omittingEmptySubsequences: false).map { "# \($0)" }
    }
    if result.output.leftOut > 0 { lines.append("# … and \(result.output.leftOut) more") }
    let name = escaped("\(result.test.file): \(result.test.name)")
    let skip = result.status == .skipped ? " # SKIP \(escaped(result.reason ?? ""))" : ""
    lines.append("\(result.status == .failed ? "not ok" : "ok") \(number) - \(name)\(skip)")
    if let first = result.failures.first {
      lines += details(first.failure, again: again, others: result.failures.dropFirst().map(\.failure.message))
    }
    lines += result.startNotes.map { "# \($0)" }
    return lines.joined(separator: "\n")
  }

  static func text(_ error: LoadError, of file: String, number: Int) -> String {
    let lines = ["not ok \(number) - \(escaped(file))"] + details(error.failure, again: nil, others: [])
    return lines.joined(separator: "\n")
  }

  static func ending(_ report: TestReport) -> String {
    if report.status == .interrupted { return "Bail out! interrupted" }
    return report.isImpatient
      ? "Bail out! \(Patience.most) tests spent what a test may"
      : "Bail out! a test failed, and --fail-fast stops there"
  }

  /// A YAML block; its strings are written as in JSON, which is a part of YAML.
  private static func details(_ failure: Failure, again: String?, others: [String]) -> [String] {
    var lines = ["  ---", "  message: \(JSONText.quoted(failure.message))", "  code: \(failure.code.rawValue)"]
    if let limit = failure.limit { lines.append("  limit: \(limit.rawValue)") }
    if let place = failure.place {
      lines += ["  at:", "    file: \(JSONText.quoted(place.file))", "    line: \(place.line)"]
      if let column = place.column { lines.append("    column: \(column)") }
    }
    if !others.isEmpty { lines.append("  others: [\(others.map(JSONText.quoted).joined(separator: ", "))]") }
    if let again { lines.append("  again: \(JSONText.quoted(again))") }
    return lines + ["  ..."]
  }

  private static func escaped(_ text: String) -> String {
    text.visible.unicodeScalars.map { $0 == "#" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  }
}
