import LiveHost
import ScriptHost

extension TextRenderer {
  func heading(of file: String) -> String { palette(file.visible, .strong) }

  /// The result of one test: its failures with their places, what it printed, and the command line that runs it again.
  func text(_ result: ScriptTestResult, again: String) -> String {
    var lines = ["  \(mark(result)) \(result.test.name.visible)\(remark(result))"]
    lines += result.failures.flatMap(self.lines).map { "      \($0)" }
    if result.status == .failed {
      lines += reported(result).prefix(5).map { "      reported: \(text($0, in: []))" }
    }
    lines += result.startNotes.map { "      \($0)" }
    for text in result.output.printed {
      lines += text.visibleLines.split(separator: "\n", omittingEmptySubsequences: false).map { "      │ \($0)" }
    }
    if result.output.leftOut > 0 { lines.append("      │ … and \(result.output.leftOut) more") }
    if result.status == .failed { lines.append("      again: \(again.visible)") }
    return lines.joined(separator: "\n")
  }

  /// The diagnostics of the test's host, each once, without those that repeat a failure of the test.
  private func reported(_ result: ScriptTestResult) -> [Diagnostic] {
    result.output.diagnostics.withoutRepeats.filter { diagnostic in
      !result.failures.contains {
        $0.failure.message == diagnostic.message && $0.failure.place?.line == diagnostic.place?.line
      }
    }
  }

  private func mark(_ result: ScriptTestResult) -> String {
    switch result.status {
    case .passed: palette("✓", .yes)
    case .failed: palette("✗", .no)
    case .skipped: palette("-", .faint)
    }
  }

  private func remark(_ result: ScriptTestResult) -> String {
    if let reason = result.reason { return palette("  skipped: \(reason.visible)", .faint) }
    return result.seconds >= 0.5 ? palette("  (\(result.seconds.tenths) s)", .faint) : ""
  }

  private func lines(_ failure: ScriptTestFailure) -> [String] {
    var lines = [failure.failure.line]
    lines += excerpt(failure.failure)
    if failure.differences.count > 1 {
      lines += failure.differences.map { difference in
        let path = difference.path.isEmpty ? "" : "\(difference.path): "
        return "  \(path)expected \(difference.expected), found \(difference.found)".visible
      }
      if failure.moreDifferences > 0 { lines.append("  … and \(failure.moreDifferences) more") }
    }
    return lines + failure.callers.map { "called from \($0.visible)" }
  }

  private func excerpt(_ failure: Failure) -> [String] {
    guard let text = failure.text, let excerpt = excerpt(of: Array(text.utf8), column: failure.place?.column) else {
      return []
    }
    return excerpt.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Why a file does not load.
  func text(_ error: LoadError, of file: String) -> String {
    let failure = error.failure
    let place = failure.place?.visible.description ?? (error.kind == .failed ? file.visible : "menuctl")
    let heading = "\(place): \(palette("error", .error)): \(failure.message.visible)"
    return ([heading] + excerpt(failure)).joined(separator: "\n")
  }

  func text(_ problem: Problem) -> String {
    switch problem.content {
    case .sentence(let sentence, let help): self.problem(sentence, help: help?.visible)
    case .reference(let error): text(error)
    case .script(let diagnostic): text(diagnostic, in: [])
    }
  }

  /// The numbers of tests that passed, failed and were skipped or not run, and the coverage.
  func summary(_ report: TestReport) -> String {
    var parts = ["\(report.count(.passed)) passed"]
    if report.count(.failed) > 0 { parts.append(palette("\(report.count(.failed)) failed", .no)) }
    if report.count(.skipped) > 0 { parts.append("\(report.count(.skipped)) skipped") }
    if report.notRun > 0 { parts.append("\(report.notRun) not run") }
    let unloadable = report.files.count { $0.error != nil }
    if unloadable > 0 {
      parts.append(palette("\(unloadable) \(unloadable == 1 ? "file does" : "files do") not load", .no))
    }
    let counts = (report.results.isEmpty ? "" : "\n") + parts.joined(separator: ", ")
    let reason =
      report.isImpatient
      ? ["\(Patience.most) tests spent what a test may, and the run ends there; '--timeout S' gives each less"] : []
    return ([counts] + reason + report.coverages.map(text)).joined(separator: "\n\n")
  }
}

extension Double {
  /// The number with one digit after the point.
  fileprivate var tenths: String {
    let tenths = Int((self * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension ScriptTestResult {
  /// Why `start` functions failed, a line each, for a test that passes all the same. One that fails shows it as reported.
  var startNotes: [String] { status == .failed ? [] : startFailures.prefix(5).map { "start failed: \($0.line)" } }
}

extension Failure {
  /// The failure in a line, with its place.
  fileprivate var line: String { (place.map { "\($0.visible): " } ?? "") + message.visible }
}
