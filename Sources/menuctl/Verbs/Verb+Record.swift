import LiveHost
import ScriptHost

extension Verb {
  static let record = Verb(
    name: "record", operands: [.app],
    summary: "do what the options say, and write each step with its outcome, as JSON lines or as a test",
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
        "nothing is recorded without actions: add --perform REF, --press KEYS, --pick ID or --eval LUA")
    }
    return reply
  }
}

extension Session {
  /// Records the deeds of all clients of a live app, until it ends or an interrupt comes.
  fileprivate func recordLive() throws -> Reply {
    let name = invocation.operands[0]
    let ofOwn: [Option] = [.perform, .press, .pick, .choose, .focus, .eval]
    if invocation.has(.asTest) {
      throw Problem(
        .usage,
        "'\(Option.asTest.name)' needs an app that this command loads: a test begins with the load, and '\(name)' is running",
        help: "menuctl record FILE \(Option.asTest.name) --perform REF does it to an app that is read for it")
    }
    if let option = invocation.options.map(\.option).first(where: ofOwn.contains) {
      throw Problem(
        .usage, "'\(option.name)' is only for an app that this command loads: of '\(name)' it records what others do",
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

extension Verb {
  static let replay = Verb(
    name: "replay",
    operands: [Operand(name: "FILE", kind: .file), Operand(name: "APP", isOptional: true, kind: .file)],
    summary: "replay a recording against an app and show the first difference",
    options: Option.loading
  )
}

extension VerbBody {
  static let replay = VerbBody(.replay) { session in
    try session.refuseSwapped()
    let file = try Source(named: session.invocation.operands[0], most: Recording.longest)
    let recording = try Recording(file)
    try session.useTestClock(settings: recording.settings)
    let givens = session.give(from: recording)
    if let app = session.invocation.operands.dropFirst().first {
      // Diagnostics aren't shown: they were recorded too, or are the difference.
      try session.load(app, quietly: true)
    } else if let app = recording.source {
      try session.load(app, recordedIn: file)
    } else {
      try session.loadNothing()
    }
    let replay = session.replay(recording, with: givens, file: file.name)
    if replay.difference != nil { session.tellOfOrder() }
    return Reply(answer: .replay(replay), status: replay.status)
  }
}

extension Session {
  /// Refuses an app as the recording.
  fileprivate func refuseSwapped() throws(Problem) {
    let names = invocation.operands
    guard Source.isScript(names[0]) else { return }
    let other = names.count > 1 ? names[1] : "FILE"
    throw Problem(
      .usage, "'\(names[0])' is an app: name the recording before it",
      help: "menuctl replay \(other.shellWord) \(names[0].shellWord)")
  }

  /// Loads the app of a recording, if it is a script. A stranger's recording may name any file, and the error of
  /// another file would show its first line.
  fileprivate func load(_ app: String, recordedIn file: Source) throws {
    guard Source.isScript(app) else {
      throw Problem(
        .unloadable, "'\(file.name)' names '\(app)' as its app, which is no folder and doesn't end in '.lua'",
        help: "name the app: menuctl replay \(file.name.shellWord) APP")
    }
    try load(try Source(file: Source.path(of: app)), quietly: true)
  }
}
