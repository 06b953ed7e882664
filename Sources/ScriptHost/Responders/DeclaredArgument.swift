/// What an action is declared to take under one key.
///
/// ```swift
/// let grid = try host.responder("grid")
/// grid.takes("rate", .integer("rating", in: 0...5, title: "Stars"))
/// grid.takes("export", .oneOf("format", ["jpeg", "png"]).preset("jpeg"), .folder("to").optional())
/// grid.on("rate") { command in .integer(try command.context["rating", as: Int.self] ?? 0) }
/// grid.on("export") { command in command.arguments["format"] ?? .null }
/// try host.focus(grid)
/// print(host.perform("rate(rating: 9)").reason ?? "")  // 'rating' must be an integer from 0 to 5, not 9
/// print(host.perform("rate").asks?.arguments.map(\.key) ?? [])  // ["rating"]
/// print(host.perform("export").result)  // text("jpeg")
/// ```
public struct DeclaredArgument {
  /// What is known of it without asking anybody.
  public internal(set) var facts: AskedArgument
  /// Asked what may be given.
  var choosing: Handler?
  /// Asked what is taken where nothing is given.
  var presetting: Handler?
  /// Asked what a form begins with.
  var proposing: Handler?
  /// Whether a string matches what it has to; nil where nothing has to be.
  var isMatching: ((String) throws -> Bool)?

  init(_ facts: AskedArgument) { self.facts = facts }

  var key: String { facts.key }

  /// Whether nobody has to be asked to tell whether a value is taken.
  var isFixed: Bool { choosing == nil && presetting == nil && proposing == nil && isMatching == nil }
}

/// All that an action is declared to take, in the order of the keys.
final class Takes {
  let arguments: [DeclaredArgument]
  /// What the script assigned, to give it back.
  let source: AnyObject?
  /// Where it was declared, by a script.
  let place: Place?
  let isFixed: Bool
  let hasSecrets: Bool

  init(_ arguments: [DeclaredArgument], source: AnyObject? = nil, at place: Place? = nil) {
    self.place = place
    self.arguments = arguments.sorted { $0.key.precedesByBytes($1.key) }
    self.source = source
    hasSecrets = arguments.contains(where: \.facts.isSecret)
    isFixed = !hasSecrets && arguments.allSatisfy(\.isFixed)
  }

  func argument(_ key: String) -> DeclaredArgument? { arguments.first { $0.key.hasSameBytes(as: key) } }
}

/// What an action is called where no item says so.
public struct About: Sendable, Equatable {
  public var title: String
  /// A sentence about it.
  public var help: String?
  /// The name of an icon.
  public var icon: String?

  public init(_ title: String, help: String? = nil, icon: String? = nil) {
    self.title = title
    self.help = help
    self.icon = icon
  }
}

/// A confirmation that is always the same.
final class SaidConfirmation: Handler {
  let text: String

  init(_ text: String, owner: Owner) {
    self.text = text
    super.init(owner: owner)
  }

  override func value(for responder: Responder, in context: Context) -> Result<Value, Failure> {
    .success(.text(text))
  }
}
