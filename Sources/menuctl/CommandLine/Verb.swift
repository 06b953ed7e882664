import LiveHost

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
