import LiveHost
import ScriptHost

/// A *verb* is one command of the tool, such as `load`: its words, operands and options. Its `VerbBody` runs it.
struct Verb: Sendable {
  /// An operand of a verb.
  struct Operand: Sendable {
    let name: String
    var isOptional = false
    var isRepeated = false
    /// The kind of the operand.
    var kind = Kind.other
    /// The kinds of names in the app (the previous operand) that complete the operand. They aren't in `Kind`, because
    /// the leak sanitizer doesn't recognize an array in an enum's case.
    var names: [AppName] = []

    enum Kind: Sendable, Equatable {
      /// `subject` is a page of the help, `live` is a live app. Verbs with `asksLive` accept a live app as `file` too.
      case file, live, subject, other
      case oneOf([String])
    }

    var usage: String {
      let name = isRepeated ? "\(name)…" : name
      return isOptional ? "[\(name)]" : name
    }
  }

  let name: String
  let operands: [Operand]
  let summary: String
  /// The signs in the verb's answer and their meanings, for the help.
  let legend: [(sign: String, meaning: String)]
  /// Makes the options on demand, because the tool runs a single verb.
  private let madeOptions: @Sendable () -> [Option]
  /// Whether the verb accepts a live app (`@NAME`).
  let asksLive: Bool

  init(
    name: String, operands: [Operand], summary: String, legend: [(sign: String, meaning: String)] = [],
    options: @autoclosure @escaping @Sendable () -> [Option],
    asksLive: Bool = false
  ) {
    self.name = name
    self.operands = operands
    self.summary = summary
    self.legend = legend
    madeOptions = options
    self.asksLive = asksLive
  }

  var options: [Option] { madeOptions() }
  /// Whether the verb starts the app that it loads; verbs that only read the app don't.
  var starts: Bool { !["check", "stubs", "plugin", Verb.complete.name].contains(name) }
  /// Whether the verb only reads the app, so that it grants nothing and asks no person.
  var readsOnly: Bool { ["check", "stubs", Verb.complete.name].contains(name) }
  /// Whether the app has its stores; a replay uses the recorded contents instead.
  var hasStores: Bool { starts && name != Verb.replay.name }
  /// Whether the user's keymap for the app applies. A verb that performs does the same for every user.
  var looksForKeymap: Bool { ["ui", "serve", "mcp", "keys", "why", "check", "load"].contains(name) }
  /// Whether the verb may write a recording.
  var records: Bool { [Verb.record.name, Verb.repl.name].contains(name) }
  var usage: String { (["menuctl", name] + operands.map(\.usage)).joined(separator: " ") }
}

extension Verb.Operand {
  static let app = Verb.Operand(name: "APP", kind: .file)
  static let live = Verb.Operand(name: "@NAME", kind: .live)
  static let reference = Verb.Operand(name: "REF", names: [.names])
  /// An action, an item by its id, or a key.
  static let target = Verb.Operand(name: "REF|ID|KEY", names: [.names, .ids, .keys])
}

extension Verb {
  /// Every verb, in the order of the help.
  static let all: [Verb] = [
    load, menu, perform, press, pick, validate, why, chain, context, actions, keys, check, test, repl, record, replay,
    plugin, ui, serve, mcp, sessions, stop, apps, new, stubs, completions, help, version,
  ]

  static func named(_ name: String) -> Verb? {
    all.first { $0.name == name } ?? (name == complete.name ? complete : nil)
  }
}

/// An option of a verb: its name, its value, and its purpose.
struct Option: Sendable, Equatable {
  let name: String
  /// The name of its value in the help; nil for an option without a value.
  var value: String?
  /// Whether the value is optional; an optional value can only follow '='.
  var isValueOptional = false
  /// The allowed values; empty for any value.
  var choices: [String] = []
  /// The kinds of app names that complete the value.
  var names: [AppName] = []
  let summary: String

  /// The option in the notation of the help.
  var usage: String { value.map { isValueOptional ? "\(name)[=\($0)]" : "\(name) \($0)" } ?? name }
}

extension Option {
  static let json = Option(name: "--json", summary: "answer with one JSON object")
  static let help = Option(name: "--help", summary: "show this help")
  static let color = Option(
    name: "--color", value: "WHEN", choices: ColourChoice.allCases.map(\.rawValue),
    summary: "colour the text: auto (the default), always or never")
  static let log = Option(
    name: "--log", value: "LEVEL", choices: LogLevel.allCases.map(\.rawValue),
    summary: "show what scripts log at this level and above: debug, info, warn (the default) or error")
  static let perform = Option(
    name: "--perform", value: "REF", names: [.names], summary: "perform an action first; can be repeated")
  static let press = Option(
    name: "--press", value: "KEYS", names: [.keys], summary: "press keys first, as \"g g\"; can be repeated")
  static let pick = Option(name: "--pick", value: "ID", names: [.items], summary: "pick an item first; can be repeated")
  static let choose = Option(
    name: "--choose", value: "ROW", names: [.items], summary: "make a row of the panel current first; can be repeated")
  static let eval = Option(name: "--eval", value: "LUA", summary: "evaluate a line of Lua first; can be repeated")
  static let yes = Option(name: "--yes", summary: "answer yes to every confirmation")
  static let watch = Option(name: "--watch", summary: "load the app again whenever you save it, and show what changed")
  static let focus = Option(
    name: "--focus", value: "NAME", names: [.responders], summary: "give a responder the focus first; can be repeated")
  static let `as` = Option(
    name: "--as", value: "KIND", choices: ["id", "key", "ref"],
    summary: "read the argument as an id, a key or a reference")
  static let from = Option(
    name: "--from", value: "NAME", names: [.responders], summary: "begin the walk at this responder")
  static let to = Option(name: "--to", value: "NAME", names: [.responders], summary: "ask this responder alone")
  static let argument = Option(
    name: "--arg", value: "KEY=VALUE", names: [.arguments],
    summary: "add an argument, or replace the reference's; can be repeated")
  static let trace = Option(name: "--trace", summary: "show which responders the host asks, and their answers")
  static let skipValidation = Option(name: "--skip-validation", summary: "skip 'needs' and 'can'")
  static let set = Option(
    name: "--set", value: "KEY=VALUE", summary: "set app.settings.KEY for the script; can be repeated")
  static let memory = Option(
    name: "--memory", value: "MB", summary: "let scripts use MB megabytes of memory, 64 by default")
  static let source = Option(
    name: "--source", value: "KB", summary: "let a script be KB kilobytes long, 128 by default")
  static let budget = Option(
    name: "--budget", value: "N", summary: "let a load or an action run N instructions, 200000000 by default")
  static let timeout = Option(
    name: "--timeout", value: "S", summary: "let a load or an action run S seconds, 2 and 1 by default")

  static let plugin = Option(
    name: "--plugin", value: "PATH", summary: "load a plugin, by its path or its name; can be repeated")
  static let plugins = Option(
    name: "--plugins", value: "DIR", summary: "look for plugins in this folder too; can be repeated")
  static let keymap = Option(
    name: "--keymap", value: "FILE", summary: "bind keys as this file says, before the app's own")
  static let allow = Option(
    name: "--allow", value: "CAPABILITY",
    summary:
      "grant scripts fs.read, fs.write (=PATH), exec=PROGRAM, env=NAME, clipboard, notify or open; can be repeated")
  static let strict = Option(name: "--strict", summary: "end at the first line that fails")
  static let output = Option(name: "--output", value: "FILE", summary: "write to a file instead of stdout")
  static let asTest = Option(name: "--as-test", summary: "write a scripted test that expects the same")

  /// The options of every verb that loads a script.
  static let loading = [
    yes, plugin, plugins, keymap, allow, set, memory, source, budget, timeout, json, color, log, help,
  ]
}

extension Option {
  static let filter = Option(name: "--filter", value: "TEXT", summary: "run the tests that have this in their name")
  static let failFast = Option(name: "--fail-fast", summary: "stop at the first test that fails")
  static let jobs = Option(
    name: "--jobs", value: "N", summary: "run N tests at once, by default one for each processor")
  static let shuffle = Option(
    name: "--shuffle", value: "SEED", isValueOptional: true,
    summary: "run the tests in a random order, always the same for a seed")
  static let reporter = Option(
    name: "--reporter", value: "FORM", choices: TestForm.allCases.map(\.rawValue),
    summary: "write the results as pretty (the default), tap, junit or json")
  static let coverage = Option(
    name: "--coverage", summary: "show which items, handlers and reasons of their subjects the tests saw")
  static let minCoverage = Option(
    name: "--min-coverage", value: "N", summary: "fail if the tests saw less than N percent of them")
  static let testTimeout = Option(
    name: "--timeout", value: "S",
    summary: "let a test run S seconds, 10 by default, and an action a tenth of them, 1 at most")
  static let testBudget = Option(
    name: "--budget", value: "N",
    summary: "let a load or an action run N instructions, 200000000 by default, and a test ten times as many")

  /// The options of `test`, which loads many scripts.
  static let testing = [
    filter, failFast, jobs, shuffle, reporter, coverage, minCoverage, testTimeout, testBudget, allow, set, memory,
    source, json, color, log, help,
  ]
}
