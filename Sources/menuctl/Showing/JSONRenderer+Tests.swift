import LiveHost
import ScriptHost

extension JSONRenderer {
  static func members(_ report: TestReport) -> [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("passed", .integer(report.count(.passed))), ("failed", .integer(report.count(.failed))),
      ("skipped", .integer(report.count(.skipped))),
    ]
    if report.notRun > 0 { members.append(("notRun", .integer(report.notRun))) }
    if let seed = report.seed { members.append(("seed", .text("\(seed)"))) }
    members.append(("tests", .list(report.results.map { test($0, again: report.again($0.test)) })))
    if report.settings.measures { members.append(("coverage", .list(report.coverages.map(coverage)))) }
    let unloadable = report.files.compactMap { file in
      file.error.map { error in
        Diagnostic(
          .error, error.failure.code.rawValue, error.failure.message,
          place: error.failure.place ?? Place(file: file.name, line: 1))
      }
    }
    let problems = report.problems.compactMap(\.diagnostic)
    if !unloadable.isEmpty || !problems.isEmpty {
      members.append(("diagnostics", .list((problems + unloadable).map(answers.json))))
    }
    return members
  }

  private static func test(_ result: ScriptTestResult, again: String) -> JSON {
    let test = result.test
    var members: [(String, JSON)] = [
      ("name", .text(test.name)), ("file", .text(test.file)), ("line", .integer(test.place.line)),
      ("status", .text(result.status.rawValue)), ("seconds", .number(result.seconds)),
    ]
    if let reason = result.reason, result.status == .skipped { members.append(("reason", .text(reason))) }
    if let first = result.failures.first {
      members.append(("message", .text(first.failure.message)))
      if let limit = result.limit { members.append(("limit", .text(limit.rawValue))) }
      members.append(("failures", .list(result.failures.map(failure))))
      members.append(("again", .text(again)))
    }
    if !result.output.printed.isEmpty {
      members.append(("printed", .list(result.output.printed.map { .text($0) })))
    }
    if !result.output.diagnostics.isEmpty {
      members.append(("diagnostics", .list(result.output.diagnostics.map(answers.json))))
    }
    return .object(members)
  }

  private static func failure(_ failure: ScriptTestFailure) -> JSON {
    guard case .object(var members) = answers.json(failure.failure) else { return .null }
    if !failure.callers.isEmpty { members.append(("callers", .list(failure.callers.map { .text("\($0)") }))) }
    if !failure.differences.isEmpty {
      members.append(
        (
          "differences",
          .list(
            failure.differences.map {
              .object([("path", .text($0.path)), ("expected", .text($0.expected)), ("found", .text($0.found))])
            })
        ))
    }
    if failure.moreDifferences > 0 { members.append(("moreDifferences", .integer(failure.moreDifferences))) }
    return .object(members)
  }
}

extension Problem {
  /// The problem as a diagnostic.
  fileprivate var diagnostic: Diagnostic? {
    switch content {
    case .sentence(let sentence, let help): Diagnostic(.error, "usage", sentence, help: help)
    case .script(let diagnostic): diagnostic
    case .reference: nil
    }
  }
}
