import Glibc
import ScriptHost

/// The tests that a command line requests, by files.
struct TestPlan {
  struct File {
    let name: String
    /// The loaded file, or the reason why it doesn't load.
    let content: Result<ScriptTestFile, LoadError>
    var tests: [ScriptTest]
  }

  var files: [File] = []
  /// The errors of missing files and tests.
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

/// Random numbers that depend only on a seed (SplitMix64).
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

/// A file of tests on the command line: all of its tests, or those at some lines.
struct TestPath: Equatable {
  let file: String
  /// The lines of the tests to run; nil for all.
  var lines: [Int]?
}

extension TestPath {
  private static let suffix = "_test.lua"
  /// The deepest searched folder; a deeper folder counts as a cycle.
  private static let deepest = 64

  /// Returns the files of a word: `*_test.lua` below a folder, a file, or FILE:LINE. Other names become problems.
  static func find(_ word: String, _ problems: inout [Problem]) throws(Problem) -> [TestPath] {
    switch kind(of: word) {
    case .folder:
      let known = problems.count
      let found = files(below: word == "." ? "" : word, depth: 0, &problems)
      if found.isEmpty, problems.count == known {
        throw Problem(.noSuchFile, "there are no tests below '\(word)': no *\(suffix)")
      }
      return found.map { TestPath(file: $0) }
    case .file: return [TestPath(file: word)]
    case nil: break
    }
    let missing = Problem(.noSuchFile, "can't read '\(word)': \(systemMessage(errno))")
    guard let colon = word.lastIndex(of: ":"), let line = Int(word[word.index(after: colon)...]), line > 0 else {
      throw missing
    }
    let file = String(word[..<colon])
    switch kind(of: file) {
    case .file: return [TestPath(file: file, lines: [line])]
    case .folder: throw Problem(.usage, "'\(file)' is a folder, and FILE:LINE names a line of a file")
    case nil: throw missing
    }
  }

  /// Returns each file once, with the lines of all its paths; all lines if one path names the whole file.
  static func merged(_ paths: [TestPath]) -> [TestPath] {
    var merged: [TestPath] = []
    for path in paths {
      guard let index = merged.firstIndex(where: { $0.file.utf8.elementsEqual(path.file.utf8) }) else {
        merged.append(path)
        continue
      }
      merged[index].lines = merged[index].lines.flatMap { before in path.lines.map { before + $0 } }
    }
    return merged
  }

  private enum Kind { case file, folder }

  private static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  /// Returns the test files below a folder, sorted by bytes. Skips hidden folders and links to folders.
  private static func files(below folder: String, depth: Int, _ problems: inout [Problem]) -> [String] {
    guard depth < deepest, let stream = opendir(folder.isEmpty ? "." : folder) else { return [] }
    var names: [(name: String, isFolder: Bool)] = []
    var unnamed: [String] = []
    while let entry = readdir(stream) {
      let name = FileName(entry)
      var status = stat()
      guard !name.isHidden, lstat(name.path(in: folder.isEmpty ? "." : folder), &status) == 0 else { continue }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      guard isFolder || name.hasSuffix(suffix) else { continue }
      if let text = name.text {
        names.append((joined(folder, text), isFolder))
      } else {
        unnamed.append(joined(folder, name.shown))
      }
    }
    closedir(stream)
    unnamed.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    problems += unnamed.map { Problem(.noSuchFile, "can't read '\($0)': its name is not UTF-8") }
    names.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    var found: [String] = []
    for (name, isFolder) in names {
      found += isFolder ? files(below: name, depth: depth + 1, &problems) : [name]
    }
    return found
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }
}

/// The options of `menuctl test`.
struct TestSettings: Sendable {
  let invocation: Invocation
  let limits: HostLimits
  let filter: String?
  let form: TestForm
  let jobs: Int
  let stopsAtFailure: Bool
  let seed: UInt64?
  let measures: Bool
  /// The least coverage in percent; nil without a limit.
  let leastCoverage: Double?

  init(_ invocation: Invocation) throws(Problem) {
    self.invocation = invocation
    limits = try HostLimits(invocation)
    _ = try invocation.pairs(.set)
    filter = invocation.values(.filter).last
    form = try Self.form(invocation)
    jobs = try invocation.whole(.jobs, most: 256) ?? min(256, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    stopsAtFailure = invocation.has(.failFast)
    seed = try Self.seed(invocation)
    leastCoverage = try invocation.number(.minCoverage, most: 100)
    measures = invocation.has(.coverage) || leastCoverage != nil
  }

  var paths: [String] { invocation.operands.isEmpty ? ["."] : invocation.operands }

  /// Returns the command line that runs just this test again.
  func again(_ test: ScriptTest, among all: [ScriptTest]) -> String {
    var words = ["menuctl", "test", "\(test.file):\(test.place.line)"]
    if all.written(at: test.place.line).count > 1 { words += ["--filter", test.name] }
    for (option, value) in invocation.options where Self.kept.contains(option) { words += [option.name, value] }
    return words.map(\.shellWord).joined(separator: " ")
  }

  /// The options that can change a test's result.
  private static let kept: [Option] = [.allow, .set, .memory, .testBudget, .testTimeout]

  private static func form(_ invocation: Invocation) throws(Problem) -> TestForm {
    let form = try invocation.choice(.reporter, of: TestForm.self)
    guard invocation.has(.json) else { return form ?? .pretty }
    if let form, form != .json {
      throw Problem(.usage, "'--json' is '--reporter json', and there is '--reporter \(form.rawValue)' too")
    }
    return .json
  }

  private static func seed(_ invocation: Invocation) throws(Problem) -> UInt64? {
    guard let word = invocation.values(.shuffle).last else { return nil }
    if word.isEmpty { return .random(in: 1...999_999) }
    guard let seed = UInt64(word) else {
      throw Problem(.usage, "'--shuffle=\(word)': SEED is a whole number from 0 on")
    }
    return seed
  }
}

extension String {
  /// The text as one word of a shell's command line, quoted if needed.
  var shellWord: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & ~0x20) || "_-./:=,+@%".utf8.contains(byte)
      }
    return isPlain ? self : "'" + unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}
