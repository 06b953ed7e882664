import LiveHost

/// A *verb* is one thing that the tool does, such as `load`: its words, operands and options. Its `VerbBody` carries it out.
struct Verb: Sendable {
  /// An operand of a verb.
  struct Operand: Sendable {
    let name: String
    var isOptional = false
    var isRepeated = false
    /// What kind of word it is.
    var kind = Kind.other
    /// The kinds of names of the app (the operand before) that it can be. They are not in `Kind`, because the leak sanitizer doesn't recognize an
    /// array in an enum's case.
    var names: [AppName] = []

    enum Kind: Sendable, Equatable {
      /// `subject` is anything that the help knows, `live` is a live app. Verbs with `asksLive` take a live app as `file` too.
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
  /// The signs in its answer and their meanings, for the help.
  let legend: [(sign: String, meaning: String)]
  /// Makes the options when they are needed, because only one of all verbs is run.
  private let madeOptions: @Sendable () -> [Option]
  /// Whether it takes a live app (`@NAME`) as well.
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
  /// Whether it starts the app that it loads; verbs that only read the app don't.
  var starts: Bool { !["check", "stubs", "plugin", Verb.complete.name].contains(name) }
  /// Whether it only reads the app, so that nobody is asked to grant what the app asks for.
  var readsOnly: Bool { ["check", "stubs", Verb.complete.name].contains(name) }
  /// Whether the app has its stores; a replay gets the recorded contents instead.
  var hasStores: Bool { starts && name != Verb.replay.name }
  /// Whether the keymap that the user has for the app counts. A verb that performs does the same for every user.
  var looksForKeymap: Bool { ["ui", "serve", "mcp", "keys", "why", "check", "load"].contains(name) }
  /// Whether it may write a recording.
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
