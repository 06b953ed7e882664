import LiveHost
import ScriptHost

extension [Diagnostic] {
  /// Whether there is an error or a warning; notes don't count.
  var findsFault: Bool { contains { $0.severity != .note } }
}

extension Verb {
  static let check = Verb(
    name: "check", operands: [.app],
    summary: "find likely mistakes in an app, without performing anything; 'help CODE' explains",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let check = VerbBody(.check) { session in
    try session.load(quietly: true)
    let findings = try session.asking { subject throws(Unanswered) in try subject.findings() }
    // The text of a live app's script comes with its findings.
    if let live = session.subject as? LiveSubject, let text = live.text(ofFile: live.source) {
      session.output.add(Source(name: live.source, bytes: text))
    }
    findings.forEach(session.output.addText)
    return Reply(answer: .findings(findings, in: session.output.sources), status: findings.findsFault ? .no : .done)
  }
}

extension Verb {
  static let test = Verb(
    name: "test", operands: [Operand(name: "PATH", isOptional: true, isRepeated: true, kind: .file)],
    summary: "run the tests of *_test.lua below the paths, the working folder by default; FILE:LINE runs one",
    options: Option.testing
  )
}

extension VerbBody {
  static let test = VerbBody(.test) { session in
    let settings = try TestSettings(session.invocation)
    let logLevel = try session.logLevel()
    session.output.isJSON = settings.form == .json
    let running = RunningTests(watchdog: session.interrupts.watchdog)
    session.interrupts.cancel { running.cancel() }
    let plan = TestPlan(settings, running: running)
    var report = TestReport(plan, settings)
    var reporter = TestReporter(report, session.output, logLevel)
    let steps = plan.steps
    reporter.begin(count: steps.count)
    report.notRun = TestRunner(settings: settings, running: running).run(steps) { result in
      reporter.tell(result)
      report.add(result)
    }
    return Reply(answer: reporter.answer(report), status: report.status)
  }
}

extension Verb {
  static let new = Verb(
    name: "new", operands: [Operand(name: "NAME")],
    summary: "create an app with a test and editor settings", options: [.color, .help]
  )

  /// Returns the name of the new app: the last part of the path.
  fileprivate static func appName(in path: String) throws(Problem) -> String {
    let name = String(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    let isName = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "_-".unicodeScalars.contains($0)
    }
    guard isName, name.unicodeScalars.first?.properties.isAlphabetic == true, name.utf8.count <= 100 else {
      throw Problem(
        .usage, "'\(path)' is no name for an app",
        help: "a name begins with a letter; letters, digits, '_' and '-' follow")
    }
    return name
  }
}

extension VerbBody {
  static let new = VerbBody(.new) { session in
    let path = session.invocation.operands[0]
    let name = try Verb.appName(in: path)
    try NewFolder.make(path, NewApp(name: name).files)
    let test = path.isPlainWord ? path : "'\(path)'"
    return Reply(
      answer: .text(
        """
        made \(path.visible): app.lua, app_test.lua, .menuctl/stubs.lua, .luarc.json

        menuctl ui \(test)
        menuctl test \(test)
        """))
  }
}

extension String {
  /// Whether a shell reads the text as one word without quotes.
  fileprivate var isPlainWord: Bool {
    unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "_-./".unicodeScalars.contains($0)
    }
  }
}
