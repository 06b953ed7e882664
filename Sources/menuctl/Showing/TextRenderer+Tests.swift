import LiveHost
import ScriptHost

extension TextRenderer {
  func heading(of file: String) -> String { palette(file.visible, .strong) }

  /// Returns the result of one test: failures with places, output, and the command line that runs it again.
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

  /// Returns the diagnostics of the test's host, each once, without those that repeat a failure of the test.
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

  /// Returns the reason why a file doesn't load.
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

  /// Returns the numbers of tests that passed, failed and were skipped or not run, and the coverage.
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
      ? ["\(Patience.most) tests spent their limits, so the run ends; to give each less time: --timeout S"] : []
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
  /// The failures of `start`, a line each, for a test that passes anyway. A failed test already shows them.
  var startNotes: [String] { status == .failed ? [] : startFailures.prefix(5).map { "start failed: \($0.line)" } }
}

extension Failure {
  /// The failure in a line, with its place.
  fileprivate var line: String { (place.map { "\($0.visible): " } ?? "") + message.visible }
}

extension TextRenderer {
  /// Returns the coverage of a subject, with the uncovered parts.
  func text(_ coverage: ScriptCoverage) -> String {
    let heading =
      "coverage of \(coverage.subject.visible): \(coverage.share) % (\(coverage.seen) of \(coverage.total))"
    let items = coverage.items.compactMap { item -> (String, String)? in
      let lacks = lacks(item)
      return lacks.isEmpty ? nil : ("item \(item.id)", lacks.joined(separator: ", "))
    }
    let handlers = coverage.handlers.filter { !$0.hasRun }.map { ($0.name, "never ran") }
    let reasons = coverage.reasons.filter { !$0.isShown }.map { reason in
      (reason.name, reason.text.map { "never shown: \($0)" } ?? "never said no")
    }
    let rows = (items + handlers + reasons).map { ($0.0.visible, $0.1.visible) }
    let width = rows.map(\.0.count).max() ?? 0
    return ([palette(heading, .strong)] + rows.map { "  \($0.padded(to: width))  \($1)" }).joined(separator: "\n")
  }

  private func lacks(_ item: ScriptCoverage.Item) -> [String] {
    if item.action == nil { return item.isSeenDisabled ? [] : ["never seen"] }
    if !item.isSeenEnabled, !item.isSeenDisabled, !item.isPerformed { return ["never seen"] }
    return (item.isSeenEnabled ? [] : ["never enabled"]) + (item.isSeenDisabled ? [] : ["never disabled"])
      + (item.isPerformed ? [] : ["never performed"])
  }

  func problem(_ coverage: ScriptCoverage, least: Double) -> String {
    let sentence = "of \(coverage.subject) \(coverage.share) % was seen, and '--min-coverage' asks for \(least.plain) %"
    return problem(sentence, help: nil)
  }
}

extension ScriptCoverage {
  /// The percentage, rounded down, so that only complete coverage is 100.
  var share: Int { Int(percent) }
}

extension ScriptCoverage.Handler {
  /// The handler in the notation of scripts.
  fileprivate var name: String { action.map { "\(responder).on.\($0)" } ?? "\(responder).unknown" }
}

extension ScriptCoverage.Reason {
  fileprivate var name: String { text == nil ? "\(responder).can.\(action)" : "\(responder).needs.\(action)" }
}

extension Double {
  /// The number without a point if it is whole.
  fileprivate var plain: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}

extension TextRenderer {
  private static let mostDifferences = 10

  /// Returns the result of a replay: all steps as recorded, or the first difference.
  func text(_ replay: Replay) -> String {
    let steps = "\(replay.steps) step\(replay.steps == 1 ? "" : "s")"
    if replay.isImpatient {
      return "ended after \(replay.same) of \(steps), all as recorded: \(Patience.most) of them spent their limits"
    }
    guard let difference = replay.difference else {
      return replay.isInterrupted ? "interrupted after \(replay.same) of \(steps)" : "\(steps), all as recorded"
    }
    var lines = [
      "\(palette("✗", .no)) step \(difference.number) of \(replay.steps), \(difference.deed.text.visible) "
        + palette("(\(difference.place.visible))", .faint)
    ]
    let shown = difference.differences.prefix(Self.mostDifferences)
    lines += shown.map { "  \($0.path.visible): expected \(text($0.expected)), found \(text($0.found))" }
    let more = difference.differences.count - shown.count
    if more > 0 { lines.append("  … \(more) more") }
    lines += difference.unknown.map { unknown in
      let call = "\(unknown.call)(\(unknown.arguments.map(JSONText.text).joined(separator: ", ")))"
      return "  what \(call.visible.cut(to: 200)) gave is not recorded"
    }
    return lines.joined(separator: "\n")
  }

  private func text(_ value: JSON?) -> String { value.map { JSONText.text($0).visible.cut(to: 200) } ?? "nothing" }

  /// Returns a remark of the tool, as a line.
  func remark(_ text: String) -> String { "menuctl: \(text.visible)" }
}

extension JSONRenderer {
  static func members(_ replay: Replay) -> [(String, JSON)] {
    let members: [(String, JSON)] = [("steps", .integer(replay.steps)), ("same", .integer(replay.same))]
    guard let difference = replay.difference else { return members }
    let differences = difference.differences.map { part in
      JSON.object(
        [("path", .text(part.path))] + (part.expected.map { [("expected", $0)] } ?? [])
          + (part.found.map { [("found", $0)] } ?? []))
    }
    let unknown = difference.unknown.map { unknown in
      JSON.object([("call", .text(unknown.call)), ("args", .list(unknown.arguments))])
    }
    return members + [
      (
        "difference",
        .object(
          [
            ("step", .integer(difference.number)), ("file", .text(difference.place.file)),
            ("line", .integer(difference.place.line)), ("do", difference.deed.json()),
            ("differences", .list(differences)),
          ] + (unknown.isEmpty ? [] : [("unrecorded", .list(unknown))]))
      )
    ]
  }
}
