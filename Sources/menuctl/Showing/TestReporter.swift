import LiveHost
import ScriptHost

/// Writes the results of tests as they come, in the format of `--reporter`.
struct TestReporter {
  let report: TestReport
  let output: Output
  let logLevel: LogLevel
  private var lastFile: String?
  private var number = 0

  init(_ report: TestReport, _ output: Output, _ logLevel: LogLevel) {
    self.report = report
    self.output = output
    self.logLevel = logLevel
  }

  private var form: TestForm { report.settings.form }

  /// Writes the facts before the first test: problems, files that don't load, the seed.
  mutating func begin(count: Int) {
    for problem in report.problems { output.remark { $0.text(problem) } }
    for file in report.files {
      if let error = file.error { output.remark { $0.text(error, of: file.name) } }
    }
    switch form {
    case .pretty: if let seed = report.seed { output.say { _ in "shuffled with --shuffle=\(seed)\n" } }
    case .tap:
      output.say { _ in TAPText.heading(count: count + report.files.count { $0.error != nil }, seed: report.seed) }
      for file in report.files {
        guard let error = file.error else { continue }
        number += 1
        output.say { _ in TAPText.text(error, of: file.name, number: number) }
      }
    case .junit, .json: break
    }
  }

  mutating func tell(_ result: ScriptTestResult) {
    for entry in result.output.log where entry.level >= logLevel { output.log(entry) }
    switch form {
    case .pretty:
      let isFirst = lastFile == nil
      let isOther = lastFile != result.test.file
      lastFile = result.test.file
      output.say { renderer in
        let heading = isOther ? "\(isFirst ? "" : "\n")\(renderer.heading(of: result.test.file))\n" : ""
        return heading + renderer.text(result, again: report.again(result.test))
      }
    case .tap:
      number += 1
      output.say { _ in TAPText.text(result, number: number, again: report.again(result.test)) }
    case .json: for line in result.output.printed { output.script(line) }
    case .junit: break
    }
  }

  /// Returns the answer at the end, with all results; nil if all was written already.
  func answer(_ report: TestReport) -> Shown? {
    if form == .tap || form == .junit {
      for coverage in report.coverages { output.remark { $0.text(coverage) } }
    }
    if let uncovered = report.uncovered, let least = report.settings.leastCoverage {
      output.remark { $0.problem(uncovered, least: least) }
    }
    return switch form {
    // There was nothing to run; `begin` has written the reason.
    case .pretty where !report.problems.isEmpty && report.isEmpty: nil
    case .pretty, .json: .tests(report)
    case .tap: report.notRun == 0 ? nil : .text(TAPText.ending(report))
    case .junit: .text(JUnitText.text(report))
    }
  }
}

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
      ? "Bail out! \(Patience.most) tests spent their limits"
      : "Bail out! a test failed, and --fail-fast stops there"
  }

  /// Returns a YAML block; its strings are JSON, which is a part of YAML.
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

/// Writes the results of tests as JUnit XML, which continuous integration reads.
enum JUnitText {
  static func text(_ report: TestReport) -> String {
    let totals = counts(report.results, unloadable: report.files.count { $0.error != nil })
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites\(attributes([("name", "menuctl")] + totals))>",
    ]
    for file in report.files where file.error != nil || !file.results.isEmpty { lines += suite(file, report) }
    return (lines + ["</testsuites>"]).joined(separator: "\n")
  }

  private static func suite(_ file: TestReport.File, _ report: TestReport) -> [String] {
    let counts = counts(file.results, unloadable: file.error == nil ? 0 : 1)
    var lines = ["  <testsuite\(attributes([("name", file.name)] + counts))>"]
    if let seed = report.seed {
      lines.append("    <properties><property\(attributes([("name", "seed"), ("value", "\(seed)")]))/></properties>")
    }
    if let error = file.error {
      lines.append("    <testcase\(attributes([("name", file.name), ("classname", file.name)]))>")
      lines += [element(error.failure), "    </testcase>"]
    }
    for result in file.results { lines += testCase(result, again: report.again(result.test)) }
    return lines + ["  </testsuite>"]
  }

  private static func testCase(_ result: ScriptTestResult, again: String) -> [String] {
    let opening =
      "    <testcase"
      + attributes([
        ("name", result.test.name), ("classname", result.test.file), ("file", result.test.file),
        ("line", "\(result.test.place.line)"), ("time", seconds(result.seconds)),
      ])
    var inner = result.failures.map { element($0.failure) }
    if result.status == .skipped { inner.append("      <skipped\(attributes([("message", result.reason ?? "")]))/>") }
    var said = result.output.printed.map(\.visibleLines)
    if result.status == .failed { said.append("again: \(again)") }
    if !said.isEmpty { inner.append("      <system-out>\(escaped(said.joined(separator: "\n")))</system-out>") }
    if !result.startNotes.isEmpty {
      inner.append("      <system-err>\(escaped(result.startNotes.joined(separator: "\n")))</system-err>")
    }
    return inner.isEmpty ? [opening + "/>"] : [opening + ">"] + inner + ["    </testcase>"]
  }

  /// Returns a `failure` element for a failed expectation, else an `error` element.
  private static func element(_ failure: Failure) -> String {
    let name = failure.code == .expectation ? "failure" : "error"
    let attributes = attributes([
      ("message", failure.message), ("type", failure.limit?.rawValue ?? failure.code.rawValue),
    ])
    return "      <\(name)\(attributes)>\(escaped("\(failure)"))</\(name)>"
  }

  private static func counts(_ results: [ScriptTestResult], unloadable: Int) -> [(String, String)] {
    let failed = results.filter { $0.status == .failed }
    let failures = failed.count { $0.failures.allSatisfy { $0.failure.code == .expectation } }
    return [
      ("tests", "\(results.count + unloadable)"), ("failures", "\(failures)"),
      ("errors", "\(failed.count - failures + unloadable)"),
      ("skipped", "\(results.count { $0.status == .skipped })"),
      ("time", seconds(results.reduce(0) { $0 + $1.seconds })),
    ]
  }

  private static func seconds(_ seconds: Double) -> String {
    let thousandths = Int((seconds * 1000).rounded())
    let rest = "\(thousandths % 1000)"
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
  }

  private static func attributes(_ attributes: [(String, String)]) -> String {
    attributes.map { #" \#($0.0)="\#(escaped($0.1))""# }.joined()
  }

  /// XML can't contain control characters, so they are shown escaped.
  private static func escaped(_ text: String) -> String {
    text.visibleLines.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(scalar)
      }
    }.joined()
  }
}
