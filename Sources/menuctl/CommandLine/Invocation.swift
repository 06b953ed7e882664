import Glibc
import ScriptHost

/// A parsed command line: the verb, its operands, and its options in their order.
struct Invocation {
  private(set) var verb: Verb
  private(set) var operands: [String] = []
  private(set) var options: [(option: Option, value: String)] = []
  /// The usage that errors show for a command of the REPL; nil for the verb's usage.
  private var usage: String?

  init(_ words: [String]) throws(Problem) {
    guard let first = words.first else {
      verb = .overview
      return
    }
    switch first {
    case "--help", "-h": verb = .help
    case "--version": verb = .version
    default:
      guard let known = Verb.named(first) else { throw Self.unknown(first) }
      verb = known
    }
    try read(words.dropFirst())
    tidyPaths()
    if has(.help) { turnToHelp() } else { try check() }
  }

  /// Removes redundant parts from paths, such as './'. Messages show the rest as written.
  private mutating func tidyPaths() {
    for index in operands.indices where isFile(index) { operands[index] = operands[index].withoutDots }
    for index in options.indices where [.plugin, .plugins].contains(options[index].option) {
      options[index].value = options[index].value.withoutDots
    }
  }

  private func isFile(_ index: Int) -> Bool {
    let operand = verb.operands.indices.contains(index) ? verb.operands[index] : verb.operands.last
    return operand?.kind == .file
  }

  /// The operands that name files or, instead, live apps.
  var files: [String] { operands.indices.filter(isFile).map { operands[$0] } }

  /// Parses a command of the REPL, whose app is known.
  init(_ verb: Verb, of app: String, _ words: [String], usage: String) throws(Problem) {
    self.verb = verb
    self.usage = usage
    operands = [app]
    try read(words[...])
    if has(.help) { turnToHelp() } else { try check() }
  }

  /// Turns `--help` of a verb into the verb `help`.
  private mutating func turnToHelp() {
    if verb.name != Verb.help.name { operands = [verb.name] }
    verb = .help
    options = []
  }

  func has(_ option: Option) -> Bool { options.contains { $0.option == option } }
  func values(_ option: Option) -> [String] { options.filter { $0.option == option }.map(\.value) }
}

extension Invocation {
  static let helpHint = "'menuctl help' lists the verbs"

  private static func unknown(_ word: String) -> Problem {
    let kind = word.utf8.first == UInt8(ascii: "-") ? "option" : "verb"
    let known = kind == "verb" ? Verb.all.map(\.name) : ["--help", "--version"]
    // If the word is a file, `load` was probably meant.
    let isThere = kind == "verb" && access(word, R_OK) == 0
    return Problem(
      .usage, "there is no \(kind) '\(word)'\(didYouMean(word, among: known))",
      help: isThere ? "to load it: menuctl load \(word.shellWord)" : helpHint)
  }

  private mutating func read(_ words: ArraySlice<String>) throws(Problem) {
    var words = words
    while let word = words.popFirst() {
      if word == "--" {
        operands += words
        return
      }
      // '-' alone is an operand: the script comes from stdin.
      if word.utf8.first != UInt8(ascii: "-") || word == "-" {
        operands.append(word)
      } else {
        try read(option: word, &words)
      }
    }
  }

  private mutating func read(option word: String, _ rest: inout ArraySlice<String>) throws(Problem) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    guard let option = verb.options.first(where: { $0.name == name }) else {
      let near = didYouMean(name, among: verb.options.map(\.name))
      throw Problem(.usage, "'\(verb.name)' has no option '\(name)'\(near)", help: hint)
    }
    guard let value = option.value else {
      if parts.count > 1 { throw Problem(.usage, "'\(name)' takes no value", help: hint) }
      options.append((option, ""))
      return
    }
    guard let given = parts.count > 1 ? parts[1] : option.isValueOptional ? "" : rest.popFirst() else {
      throw Problem(.usage, "'\(name)' needs a value: \(option.name) \(value)", help: hint)
    }
    options.append((option, given))
  }

  private func check() throws(Problem) {
    let needed = verb.operands.filter { !$0.isOptional }
    if operands.count < needed.count {
      let missing = needed[operands.count].name
      let isHere = missing == "APP" && operands.isEmpty && access("app.lua", R_OK) == 0
      throw Problem(
        .usage, "\(missing) is missing",
        help: isHere ? "that of this folder: menuctl \(verb.name) ." : hint)
    }
    if operands.count > verb.operands.count, verb.operands.last?.isRepeated != true {
      throw Problem(.usage, "'\(operands[verb.operands.count])' is one argument too many", help: argumentsMeant ?? hint)
    }
  }

  /// The help if extra words follow an action: they are probably its arguments.
  private var argumentsMeant: String? {
    guard verb.name == Verb.perform.name, (try? Reference.parse(operands[1]))?.arguments == nil else { return nil }
    let words = operands[2...].joined(separator: " ")
    let isNamed = words.contains(":") || words.contains("=")
    let arguments = isNamed ? words.split(separator: "=").joined(separator: ": ") : "NAME: \(words)"
    let call = "\(operands[1])(\(arguments))"
    return "arguments have names and stand in parentheses: menuctl perform \(operands[0].shellWord) \(call.shellWord)"
  }

  var hint: String { "usage: \(usage ?? verb.usage + (verb.options.isEmpty ? "" : " [OPTIONS]"))" }
}

/// Returns "; did you mean 'x'?" if a known word is similar; else an empty text.
func didYouMean(_ word: String, among known: [String]) -> String {
  nearest(to: word, among: known).first.map { "; did you mean '\($0)'?" } ?? ""
}

// Reading the values of options.

extension Invocation {
  /// Returns the values of a `KEY=VALUE` option. A value that no reference can contain is a string.
  func pairs(_ option: Option) throws(Problem) -> Arguments {
    var pairs = Arguments()
    for word in values(option) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw Problem(.usage, "'\(word)' is no KEY=VALUE: \(option.usage)")
      }
      pairs[parts[0]] = Value(spelling: parts[1])
    }
    return pairs
  }

  /// Returns the capabilities that `--allow` grants.
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

  /// Returns the folders of plugins: those of the command line, which must be readable, then the user's, if they exist.
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

  /// Returns the value of an option with a fixed set of words; nil if the option is missing.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: Option, of type: Choice.Type
  ) throws(Problem) -> Choice? {
    guard let word = values(option).last else { return nil }
    if let choice = Choice(rawValue: word) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    let help = known.dropLast().joined(separator: ", ") + " or " + known[known.count - 1]
    throw Problem(.usage, "'\(option.name)' can't be '\(word)'\(didYouMean(word, among: known))", help: help)
  }

  /// Returns the value of an option with a whole number; nil if the option is missing.
  func whole(_ option: Option, most: Int) throws(Problem) -> Int? {
    guard let word = values(option).last else { return nil }
    guard let number = Int(word), number > 0, number <= most else {
      throw Problem(
        .usage, "'\(option.name) \(word)': \(option.value ?? "it") is a whole number from 1 on, \(most) at most")
    }
    return number
  }

  /// Returns the value of an option with a number above 0; nil if the option is missing.
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
  /// Reads the limits from a command line.
  init(_ invocation: Invocation) throws(Problem) {
    self.init()
    if let megabytes = try invocation.number(.memory, most: 1_048_576) { memory = Int(megabytes * 1_048_576) }
    if let kilobytes = try invocation.whole(.source, most: Self.mostSource) {
      source = kilobytes << 10
      innerSource = source / 2
    }
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

  /// The kilobytes of the longest allowed script, which needs a stack of 128 MiB.
  private static let mostSource = 1024
  /// The number of performs that a test survives if each spends its whole limit.
  private static let performs: UInt64 = 10
}

/// The format of test results.
enum TestForm: String, CaseIterable {
  case pretty, tap, junit, json
}
