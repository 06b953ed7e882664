/// A *verb* is one thing that the tool does.
struct Verb: Sendable {
  /// What stands after the verb.
  struct Operand: Sendable {
    let name: String
    var isOptional = false
    var isRepeated = false
    /// What it can be.
    var kind = Kind.other

    enum Kind: Sendable, Equatable {
      /// `subject` is whatever the help can be asked about.
      case file, subject, other
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
  /// Made when they are asked for: of the verbs that there are, one is run.
  private let madeOptions: @Sendable () -> [Option]
  let run: @Sendable (Session) throws -> Reply

  init(
    name: String, operands: [Operand], summary: String, options: @autoclosure @escaping @Sendable () -> [Option],
    run: @escaping @Sendable (Session) throws -> Reply
  ) {
    self.name = name
    self.operands = operands
    self.summary = summary
    madeOptions = options
    self.run = run
  }

  var options: [Option] { madeOptions() }
  var usage: String { (["menuctl", name] + operands.map(\.usage)).joined(separator: " ") }
}

extension Verb.Operand {
  static let app = Verb.Operand(name: "APP", kind: .file)
  static let reference = Verb.Operand(name: "REF")
  /// An action, an item by its id, or a key.
  static let target = Verb.Operand(name: "REF|ID|KEY")
}

extension Verb {
  /// Every verb, in the order of the help.
  static let all: [Verb] = [
    load, menu, perform, press, pick, validate, why, chain, context, keys, check, test, repl, record, replay, plugin,
    new,
    stubs,
    completions, help, version,
  ]

  static func named(_ name: String) -> Verb? { all.first { $0.name == name } }
}

/// What a verb comes to.
struct Reply {
  /// Nil where all was said already.
  var answer: Answer?
  var status = ExitStatus.done
}
