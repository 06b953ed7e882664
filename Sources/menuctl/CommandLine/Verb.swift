import LiveHost

/// A *verb* is one thing that the tool does, as it stands on a command line; its `VerbBody` does it.
struct Verb: Sendable {
  /// What stands after the verb.
  struct Operand: Sendable {
    let name: String
    var isOptional = false
    var isRepeated = false
    /// What it can be.
    var kind = Kind.other
    /// What of the app it names, which is the operand before. Beside the kind, not in it: the leak sanitizer doesn't know an array again
    /// whose pointer an enum has marked.
    var names: [AppName] = []

    enum Kind: Sendable, Equatable {
      /// `subject` is whatever the help can be asked about, `live` a live app; in place of a file too, where a verb asks one.
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
  /// What stands in what it shows, sign by sign.
  let legend: [(sign: String, meaning: String)]
  /// Made when they are asked for: of the verbs that there are, one is run.
  private let madeOptions: @Sendable () -> [Option]
  /// Whether it can ask a live app as well.
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
  /// Whether an app that it loads begins: not where it is only read.
  var starts: Bool { !["check", "stubs", "plugin", Verb.complete.name].contains(name) }
  /// Whether it only reads the app: nobody is asked for what the app is to be granted.
  var readsOnly: Bool { ["check", "stubs", Verb.complete.name].contains(name) }
  /// Whether what the app stores is there: a replay is given what was there then.
  var hasStores: Bool { starts && name != Verb.replay.name }
  /// Whether what is done may be written down.
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
    plugin, ui, serve, sessions, stop, new, stubs, completions, help, version,
  ]

  static func named(_ name: String) -> Verb? {
    all.first { $0.name == name } ?? (name == complete.name ? complete : nil)
  }
}
