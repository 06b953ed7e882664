import ScriptHost

/// The tests that a command line asks for, by files.
struct TestPlan {
  struct File {
    let name: String
    /// The loaded file, or why it does not load.
    let content: Result<ScriptTestFile, LoadError>
    var tests: [ScriptTest]
  }

  var files: [File] = []
  /// Why something that the command line names was not found.
  var problems: [Problem] = []
  /// The seed of a random order; nil for the order of the files.
  private(set) var seed: UInt64?

  init(_ settings: TestSettings, running: RunningTests) {
    var paths: [TestPath] = []
    for word in settings.paths {
      do {
        paths += try TestPath.find(word, &problems)
      } catch {
        problems.append(error)
      }
    }
    for path in TestPath.merged(paths) { add(path, settings, running) }
    if isEmpty, problems.isEmpty || !files.isEmpty && settings.filter != nil { problems.append(nothing(settings)) }
    if let seed = settings.seed { shuffle(seed) }
  }

  /// The tests of all files in their order, each with its file.
  var steps: [(file: ScriptTestFile, test: ScriptTest)] {
    files.flatMap { file in
      guard case .success(let content) = file.content else { return [] as [(ScriptTestFile, ScriptTest)] }
      return file.tests.map { (content, $0) }
    }
  }

  private var isEmpty: Bool {
    files.allSatisfy { file in
      if case .failure = file.content { return false }
      return file.tests.isEmpty
    }
  }

  private mutating func add(_ path: TestPath, _ settings: TestSettings, _ running: RunningTests) {
    do {
      let file = try ScriptTestFile(path: path.file, below: ".", limits: settings.limits) { host in
        host.settings = try settings.invocation.pairs(.set)
        host.granted = try settings.invocation.capabilities()
        running.add(try host.canceller())
      }
      let meant = select(path, of: file)
      let named = settings.filter.map { filter in meant.filter { $0.name.contains(bytesOf: filter) } } ?? meant
      files.append(File(name: path.file, content: .success(file), tests: named))
    } catch {
      files.append(File(name: path.file, content: .failure(error), tests: []))
    }
  }

  private mutating func select(_ path: TestPath, of file: ScriptTestFile) -> [ScriptTest] {
    guard let lines = path.lines else { return file.tests }
    var numbers: Set<Int> = []
    for line in lines {
      let written = file.tests.written(at: line)
      if written.isEmpty { problems.append(.nothing(at: line, of: file)) }
      numbers.formUnion(written.map(\.number))
    }
    return file.tests.filter { numbers.contains($0.number) }
  }

  private func nothing(_ settings: TestSettings) -> Problem {
    guard let filter = settings.filter else {
      return Problem(.noSuchFile, "there are no tests in \(files.map { "'\($0.name)'" }.joined(separator: ", "))")
    }
    return Problem(.noSuchFile, "no test has '\(filter)' in its name")
  }

  // MARK: Order

  /// Shuffles the files, and the tests of each, by a seed.
  private mutating func shuffle(_ seed: UInt64) {
    self.seed = seed
    var numbers = SeededNumbers(seed: seed)
    numbers.shuffle(&files)
    for index in files.indices { numbers.shuffle(&files[index].tests) }
  }
}

extension Problem {
  fileprivate static func nothing(at line: Int, of file: ScriptTestFile) -> Problem {
    let nearest = file.tests.min { abs($0.place.line - line) < abs($1.place.line - line) }
    let help = nearest.map { "the nearest is '\($0.name)' at \($0.place)" }
    return Problem(.noSuchFile, "no test stands at \(file.name):\(line)", help: help)
  }
}

extension String {
  fileprivate func contains(bytesOf other: String) -> Bool { Array(utf8).contains(Array(other.utf8)) }
}

/// Random numbers that are always the same for a seed (SplitMix64).
struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Shuffles evenly: the remainder's bias is negligible for any real number of files.
  mutating func shuffle<Element>(_ elements: inout [Element]) {
    for last in elements.indices.reversed().dropLast() { elements.swapAt(last, Int(next() % UInt64(last + 1))) }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = state
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return number ^ (number >> 31)
  }
}
