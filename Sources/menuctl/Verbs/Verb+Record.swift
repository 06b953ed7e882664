import LiveHost
import ScriptHost

extension Verb {
  static let record = Verb(
    name: "record", operands: [.app],
    summary: "do what the options say, and write what was done and what came of it as JSON lines, or as a test",
    options: [.perform, .press, .pick, .focus, .eval, .output, .asTest] + Option.loading.filter { $0 != .json }
  ) { session in
    let deeds = try session.deeds()
    try session.useTestClock()
    session.output.isData = true
    try session.load()
    for deed in deeds {
      if try session.carryOut(deed).status == .interrupted { return Reply(status: .interrupted) }
    }
    session.output.isData = false
    let path = session.invocation.values(.output).last
    if session.invocation.has(.asTest) { return try session.writeTest(to: path) }
    let text = try RecordingText.text(session.record, of: session.source?.name, settings: session.host.settings)
    try session.write(text, to: path)
    return Reply()
  }
}

extension Session {
  /// Writes the record as a test, which is run to see that it passes.
  func writeTest(to path: String?) throws -> Reply {
    let test = try RecordedTest(record, of: self, at: path)
    try write(test.text, to: path)
    guard let failure = test.failures(with: host.limits, settings: host.settings).first else { return Reply() }
    output.remark { $0.problem("the test does not pass: \(failure)", help: nil) }
    return Reply(status: .no)
  }

  /// Writes a text to a file, or to stdout.
  fileprivate func write(_ text: String, to path: String?) throws(Problem) {
    if let path { return try AtomicFile.write(text.utf8, to: path) }
    output.say { _ in String(text.dropLast()) }
  }
}
