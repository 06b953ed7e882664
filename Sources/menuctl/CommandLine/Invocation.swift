import Glibc
import ScriptHost

/// A parsed command line: the verb, its operands, and its options in their order.
struct Invocation {
  private(set) var verb: Verb
  private(set) var operands: [String] = []
  private(set) var options: [(option: Option, value: String)] = []
  /// The usage for errors, of a command of the REPL; nil for the verb's own.
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

  /// Removes redundant parts from paths, such as './'; otherwise paths are shown as they were written.
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

  /// The operands that name files, or live apps in their place.
  var files: [String] { operands.indices.filter(isFile).map { operands[$0] } }

  /// Parses the words of a command of the REPL, whose app is known.
  init(_ verb: Verb, of app: String, _ words: [String], usage: String) throws(Problem) {
    self.verb = verb
    self.usage = usage
    operands = [app]
    try read(words[...])
    if has(.help) { turnToHelp() } else { try check() }
  }

  /// Turns a request for a verb's help into one of the verb `help`.
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
      throw Problem(.usage, "'\(operands[verb.operands.count])' is too much", help: argumentsMeant ?? hint)
    }
  }

  /// Help for extra words behind an action, which are most likely its arguments.
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

/// "; did you mean 'x'?" if a known word is near; else empty.
func didYouMean(_ word: String, among known: [String]) -> String {
  nearest(to: word, among: known).first.map { "; did you mean '\($0)'?" } ?? ""
}
