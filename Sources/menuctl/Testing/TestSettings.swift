import Glibc
import ScriptHost

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
  /// The least coverage, in percent; nil if none is asked for.
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

  /// The command line that runs a test again, and no other.
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
  /// The text as one word of a shell's command line, quoted if necessary.
  var shellWord: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & ~0x20) || "_-./:=,+@%".utf8.contains(byte)
      }
    return isPlain ? self : "'" + unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}
