import Glibc
import ScriptHost

// Reading the values of options.

extension Invocation {
  /// The values of an option that is written `KEY=VALUE`. A value that can't be read as in a reference is a string.
  func pairs(_ option: Option) throws(Problem) -> Arguments {
    var pairs = Arguments()
    for word in values(option) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw Problem(.usage, "'\(word)' does not name a value: \(option.usage)")
      }
      pairs[parts[0]] = Value(spelling: parts[1])
    }
    return pairs
  }

  /// The capabilities that `--allow` grants.
  func capabilities() throws(Problem) -> [Capability] {
    var capabilities: [Capability] = []
    for word in values(.allow) {
      do throws(Misuse) {
        capabilities.append(try Capability.parse(word))
      } catch {
        throw Problem(.usage, "'--allow \(word)': \(error.message)")
      }
    }
    return capabilities
  }

  /// The folders of plugins: those of the command line, which must be readable, then the user's own, which need not exist.
  func pluginFolders() throws(Problem) -> [String] {
    let named = values(.plugins)
    for folder in named {
      guard let stream = opendir(folder) else {
        throw Problem(.noSuchFile, "'--plugins \(folder)': \(systemMessage(errno))")
      }
      closedir(stream)
    }
    return named + Settings.pluginFolders
  }

  /// The value of an option with a fixed set of words; nil if the option isn't given.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: Option, of type: Choice.Type
  ) throws(Problem) -> Choice? {
    guard let word = values(option).last else { return nil }
    if let choice = Choice(rawValue: word) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    let help = known.dropLast().joined(separator: ", ") + " or " + known[known.count - 1]
    throw Problem(.usage, "'\(option.name)' can't be '\(word)'\(didYouMean(word, among: known))", help: help)
  }

  /// The value of an option that takes a whole number; nil if the option isn't given.
  func whole(_ option: Option, most: Int) throws(Problem) -> Int? {
    guard let word = values(option).last else { return nil }
    guard let number = Int(word), number > 0, number <= most else {
      throw Problem(
        .usage, "'\(option.name) \(word)': \(option.value ?? "it") is a whole number from 1 on, \(most) at most")
    }
    return number
  }

  /// The value of an option that takes a number above 0; nil if the option isn't given.
  func number(_ option: Option, most: Double) throws(Problem) -> Double? {
    guard let word = values(option).last else { return nil }
    guard let number = Double(word), number > 0, number <= most else {
      throw Problem(
        .usage, "'\(option.name) \(word)': \(option.value ?? "it") is a number above 0, \(Int(most)) at most")
    }
    return number
  }
}

extension HostLimits {
  /// The limits that a command line gives.
  init(_ invocation: Invocation) throws(Problem) {
    self.init()
    if let megabytes = try invocation.number(.memory, most: 1_048_576) { memory = Int(megabytes * 1_048_576) }
    if let instructions = try invocation.number(.budget, most: 1e15) {
      load.instructions = UInt64(instructions.rounded(.up))
      perform.instructions = load.instructions
    }
    if let instructions = try invocation.number(.testBudget, most: 1e15) {
      load.instructions = UInt64(instructions.rounded(.up))
      perform.instructions = load.instructions
      test.instructions = Self.performs * load.instructions
    }
    if let seconds = try invocation.number(.timeout, most: 86_400) {
      load.nanoseconds = UInt64((seconds * 1e9).rounded(.up))
      perform.nanoseconds = load.nanoseconds
    }
    if let seconds = try invocation.number(.testTimeout, most: 86_400) {
      test.nanoseconds = UInt64((seconds * 1e9).rounded(.up))
      // A test must outlive its performs, so that it can report their outcomes.
      perform.nanoseconds = min(perform.nanoseconds, test.nanoseconds / Self.performs)
    }
  }

  /// The number of performs that a test can survive, if each spends its whole limit.
  private static let performs: UInt64 = 10
}
