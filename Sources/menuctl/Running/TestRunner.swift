import ScriptHost

/// Runs tests on several threads, and reports their results in the order of the plan.
struct TestRunner {
  /// A test to run, and its place in the plan.
  private struct Turn: Sendable {
    let index: Int
    let file: ScriptTestFile
    let test: ScriptTest
  }

  let settings: TestSettings
  let running: RunningTests

  /// Runs the tests and passes each result to `tell`, up to the last wanted one. Returns the number of tests not run.
  func run(_ steps: [(file: ScriptTestFile, test: ScriptTest)], tell: (ScriptTestResult) -> Void) -> Int {
    let results = Mailbox<(index: Int, result: ScriptTestResult)>()
    var early: [Int: ScriptTestResult] = [:]
    // Each thread runs many tests, because starting a thread takes longer than a small test.
    let jobs = Mailbox<Turn?>()
    var threads = 0
    defer { for _ in 0..<threads { jobs.put(nil) } }
    var (started, ended, told) = (0, 0, 0)
    var isOver = false
    var patience = Patience()
    while true {
      while !isOver, started < steps.count, started - ended < settings.jobs {
        if threads == started - ended {
          startThread(jobs, results)
          threads += 1
        }
        jobs.put(Turn(index: started, file: steps[started].file, test: steps[started].test))
        started += 1
      }
      if ended == started { break }
      let (index, result) = results.take()
      ended += 1
      early[index] = result
      // Running tests may come earlier in the plan; their results still count.
      patience.take(spent: result.limit != nil)
      if isLast(result) || patience.isOver { isOver = true }
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

  /// Starts a thread that runs jobs until it gets nil.
  private func startThread(_ jobs: Mailbox<Turn?>, _ results: Mailbox<(index: Int, result: ScriptTestResult)>) {
    let measures = settings.measures
    HostThread.start {
      while let job = jobs.take() { results.put((job.index, job.file.run(job.test, coverage: measures))) }
    }
  }

  private func isLast(_ result: ScriptTestResult) -> Bool {
    result.isCancelled || settings.stopsAtFailure && result.status == .failed
  }
}
