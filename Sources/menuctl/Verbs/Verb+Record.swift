import LiveHost
import ScriptHost

extension Verb {
  static let record = Verb(
    name: "record", operands: [.app],
    summary: "do what the options say, and write what was done and what came of it as JSON lines, or as a test",
    options: [.perform, .press, .pick, .choose, .focus, .eval, .output, .asTest]
      + Option.loading.filter { $0 != .json },
    asksLive: true
  )
}

extension VerbBody {
  static let record = VerbBody(.record) { session in
    if session.invocation.operands[0].hasPrefix("@") { return try session.recordLive() }
    let deeds = try session.deeds()
    try session.useTestClock()
    session.output.isData = true
    try session.load()
    var patience = Patience()
    for deed in deeds where !patience.isOver {
      let before = session.spent
      let status = try session.carryOut(deed).status
      if status == .interrupted { return Reply(status: .interrupted) }
      patience.take(spent: status == .limit || session.spent > before)
    }
    if patience.isOver { session.tellOfPatience() }
    session.output.isData = false
    let path = session.invocation.values(.output).last
    var reply = Reply()
    if session.invocation.has(.asTest) {
      reply = try session.writeTest(to: path)
    } else {
      let text = try RecordingText.text(session.record, of: session.source?.name, settings: session.host.settings)
      try session.write(text, to: path)
    }
    if deeds.isEmpty {
      session.help(
        "nothing is done, so nothing is recorded; --perform REF, --press KEYS, --pick ID and --eval LUA do something")
    }
    return reply
  }
}

extension Session {
  /// Records what all clients of a live app do, until it ends or somebody interrupts.
  fileprivate func recordLive() throws -> Reply {
    let name = invocation.operands[0]
    let ofOwn: [Option] = [.perform, .press, .pick, .choose, .focus, .eval]
    if invocation.has(.asTest) {
      throw Problem(
        .usage,
        "'\(Option.asTest.name)' needs an app of one's own: a test begins where the app does, and '\(name)' has begun",
        help: "menuctl record FILE \(Option.asTest.name) --perform REF does it to an app that is read for it")
    }
    if let option = invocation.options.map(\.option).first(where: ofOwn.contains) {
      throw Problem(
        .usage, "'\(option.name)' is for an app of one's own: of '\(name)' what others do is recorded",
        help: "menuctl load \(name) \(option.name) … does something meanwhile")
    }
    try askLive(name, quietly: true)
    guard let live = subject as? LiveSubject else { return Reply() }
    output.isData = true
    let steps = LiveSteps()
    do throws(Unanswered) { try steps.take(from: live, within: interrupts) } catch {
      guard error.isGone else { throw Problem(error) }
    }
    output.isData = false
    let text = ([RecordingText.header(of: live.source, Arguments())] + steps.all).map { JSONText.text($0) + "\n" }
      .joined()
    try write(text, to: invocation.values(.output).last)
    return Reply()
  }

  /// Writes the record as a test, and runs the test to check that it passes.
  func writeTest(to path: String?) throws -> Reply {
    let test = try RecordedTest(record, of: source, in: host, at: path)
    try write(test.text, to: path)
    guard let failure = test.failures(with: host.limits, settings: host.settings).first else { return Reply() }
    output.remark { $0.problem("the test does not pass: \(failure)", help: nil) }
    tellOfOrder()
    return Reply(status: .no)
  }

  /// Writes a text to a file, or to stdout if the path is nil.
  fileprivate func write(_ text: String, to path: String?) throws(Problem) {
    if let path { return try AtomicFile.write(recorded: text, to: path) }
    output.say { _ in String(text.dropLast()) }
  }
}
