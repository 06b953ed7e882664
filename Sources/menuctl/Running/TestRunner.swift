import ScriptHost

/// Runs tests, each in a thread of its own, so many at once; their results come in the order of the plan.
struct TestRunner {
  let settings: TestSettings
  let running: RunningTests

  /// Tells each result, until one is the last that is wanted; how many tests were not run.
  func run(_ steps: [(file: ScriptTestFile, test: ScriptTest)], tell: (ScriptTestResult) -> Void) -> Int {
    let results = Mailbox<(index: Int, result: ScriptTestResult)>()
    var early: [Int: ScriptTestResult] = [:]
    var (started, ended, told) = (0, 0, 0)
    var isOver = false
    while true {
      while !isOver, started < steps.count, started - ended < settings.jobs {
        start(steps[started], as: started, results)
        started += 1
      }
      if ended == started { break }
      let (index, result) = results.take()
      ended += 1
      early[index] = result
      // What is still running stands before or after it: those before count.
      if isLast(result) { isOver = true }
      while let next = early.removeValue(forKey: told) {
        tell(next)
        told += 1
        if isLast(next) {
          running.cancel()
          while ended < started {
            _ = results.take()
            ended += 1
          }
          return steps.count - told
        }
      }
    }
    return steps.count - told
  }

  private func start(
    _ step: (file: ScriptTestFile, test: ScriptTest), as index: Int,
    _ results: Mailbox<(index: Int, result: ScriptTestResult)>
  ) {
    let measures = settings.measures
    HostThread.start { results.put((index, step.file.run(step.test, coverage: measures))) }
  }

  private func isLast(_ result: ScriptTestResult) -> Bool {
    result.isCancelled || settings.stopsAtFailure && result.status == .failed
  }
}
