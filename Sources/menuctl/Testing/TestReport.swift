import ScriptHost

/// The results of a run of tests.
struct TestReport {
  /// A test file with its results, in the order of the run.
  struct File {
    let name: String
    var error: LoadError?
    /// The requested tests, even those that were not run.
    let tests: [ScriptTest]
    var results: [ScriptTestResult] = []
  }

  let settings: TestSettings
  let seed: UInt64?
  var files: [File]
  let problems: [Problem]
  var notRun = 0
  /// The coverage of each subject.
  private(set) var coverages: [ScriptCoverage] = []

  init(_ plan: TestPlan, _ settings: TestSettings) {
    self.settings = settings
    seed = plan.seed
    problems = plan.problems
    files = plan.files.map { file in
      switch file.content {
      case .success(let content): File(name: file.name, tests: content.tests)
      case .failure(let error): File(name: file.name, error: error, tests: [])
      }
    }
  }

  mutating func add(_ result: ScriptTestResult) {
    guard let index = files.firstIndex(where: { $0.name.utf8.elementsEqual(result.test.file.utf8) }) else { return }
    files[index].results.append(result)
    guard let coverage = result.coverage else { return }
    if let index = coverages.firstIndex(where: { $0.subject.utf8.elementsEqual(coverage.subject.utf8) }) {
      coverages[index].merge(coverage)
    } else {
      coverages.append(coverage)
    }
  }

  /// Whether the run ended early, because too many tests spent their limits.
  var isImpatient: Bool { notRun > 0 && results.count { $0.limit != nil } >= Patience.most }

  /// Whether there were no tests to run, and no files with errors.
  var isEmpty: Bool { notRun == 0 && files.allSatisfy { $0.error == nil && $0.results.isEmpty } }

  var results: [ScriptTestResult] { files.flatMap(\.results) }

  func count(_ status: ScriptTestResult.Status) -> Int { results.count { $0.status == status } }

  /// Returns the command line that runs a test again.
  func again(_ test: ScriptTest) -> String {
    settings.again(test, among: files.first { $0.name.utf8.elementsEqual(test.file.utf8) }?.tests ?? [])
  }

  /// The highest exit status of all results, files and problems.
  var status: ExitStatus {
    let isUncovered = uncovered != nil
    let statuses =
      results.map(\.exitStatus) + files.compactMap { $0.error.map(ExitStatus.init) } + problems.map(\.status)
    return (statuses + (isUncovered ? [.no] : [])).max() ?? .done
  }

  /// The first subject whose coverage is below `--min-coverage`; nil if there is none.
  var uncovered: ScriptCoverage? {
    settings.leastCoverage.flatMap { least in coverages.first { $0.percent < least } }
  }
}

extension ScriptTestResult {
  fileprivate var exitStatus: ExitStatus {
    if status != .failed { return .done }
    if isCancelled { return .interrupted }
    return limit == nil ? .no : .limit
  }
}
