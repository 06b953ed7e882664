import ScriptHost

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
