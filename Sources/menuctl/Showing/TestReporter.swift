import LiveHost
import ScriptHost

/// Writes the results of tests as they come, in the form of `--reporter`.
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

  /// Writes what is known before the first test runs: problems, files that don't load, the seed.
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

  /// The answer at the end, with all results; nil if everything was written already.
  func answer(_ report: TestReport) -> Shown? {
    if form == .tap || form == .junit {
      for coverage in report.coverages { output.remark { $0.text(coverage) } }
    }
    if let uncovered = report.uncovered, let least = report.settings.leastCoverage {
      output.remark { $0.problem(uncovered, least: least) }
    }
    return switch form {
    // There was nothing to run; `begin` has written why.
    case .pretty where !report.problems.isEmpty && report.isEmpty: nil
    case .pretty, .json: .tests(report)
    case .tap: report.notRun == 0 ? nil : .text(TAPText.ending(report))
    case .junit: .text(JUnitText.text(report))
    }
  }
}
