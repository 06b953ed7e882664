/// One argument that an action is declared to take.
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
  /// What is known of the argument without asking a function.
  public internal(set) var facts: AskedArgument
  /// Asked for the values that may be given.
  var choosing: Handler?
  /// Asked for values that forms suggest. Others may be given too.
  var suggesting: Handler?
  /// Asked for the default, which is used if nothing is given.
  var presetting: Handler? { didSet { facts.isPresetComputed = presetting != nil } }
  /// Asked for the value with which a form begins.
  var proposing: Handler?
  /// Asked whether it is wanted at all, after the arguments known so far. Where it isn't, it is optional, and forms leave it out.
  var applying: Handler?
  /// Whether a string matches the declared pattern; nil if there is none.
  var isMatching: ((String) throws -> Bool)?

  init(_ facts: AskedArgument) { self.facts = facts }

  var key: String { facts.key }

  /// Whether a value is checked without asking a function, in a few steps.
  var isFixed: Bool {
    choosing == nil && presetting == nil && proposing == nil && applying == nil && isMatching == nil && !facts.isMany
      && facts.choices?.count ?? 0 <= 256
  }
}

/// All arguments that an action is declared to take, in the order of their keys.
final class Takes {
  /// The most arguments that a script may declare for one action: each is compared with each that is given.
  static let most = 256
  let arguments: [DeclaredArgument]
  /// Their keys alone: a declared argument is too large to be copied for each comparison.
  let keys: [String]
  /// The table that the script assigned, for when it reads the declaration back.
  let source: AnyObject?
  /// Where a script declared it.
  let place: Place?
  /// The indices of the arguments in the order in which a form asks for them.
  private let order: [Int]
  let isFixed: Bool
  let hasSecrets: Bool
  /// Whether a function lists the values of an argument, gives its default, or says whether it is wanted.
  let asksFunctions: Bool

  init(_ arguments: [DeclaredArgument], source: AnyObject? = nil, at place: Place? = nil) {
    self.place = place
    self.arguments = arguments.sorted { $0.key.precedesByBytes($1.key) }
    keys = self.arguments.map(\.key)
    self.source = source
    hasSecrets = arguments.contains(where: \.facts.isSecret)
    let sorted = self.arguments
    order = sorted.indices.sorted { AskedArgument.isBefore(sorted[$0].facts, sorted[$1].facts) }
    asksFunctions = arguments.contains { $0.choosing != nil || $0.presetting != nil || $0.applying != nil }
    isFixed = !hasSecrets && arguments.allSatisfy(\.isFixed)
  }

  /// The arguments in the order in which a form asks for them.
  var inOrder: [DeclaredArgument] { order.map { arguments[$0] } }

  func argument(_ key: String) -> DeclaredArgument? { arguments.first { $0.key.hasSameBytes(as: key) } }
}

/// The title, help and icon of an action for which no item gives them.
public struct About: Sendable, Equatable {
  public var title: String
  /// A sentence about it.
  public var help: String?
  /// The name of an icon.
  public var icon: String?
  /// Whether a person who picks it without arguments is shown its form, even if no argument is missing.
  public var showsForm = false

  public init(_ title: String, help: String? = nil, icon: String? = nil, showsForm: Bool = false) {
    self.showsForm = showsForm
    self.title = title
    self.help = help
    self.icon = icon
  }
}

/// A `confirm` that is always the same text.
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
