import LiveHost
import ScriptHost

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

  /// A failed expectation is a `failure`; anything else that ends a test is an `error`.
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
