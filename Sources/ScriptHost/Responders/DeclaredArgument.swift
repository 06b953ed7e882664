/// One declared argument of an action.
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
  /// The facts that need no call of a function.
  public internal(set) var facts: AskedArgument
  /// The default as the script wrote it, if it is a list: each action gets a copy.
  var presetList: Value?
  /// Returns the possible values.
  var choosing: Handler?
  /// Returns the values that forms suggest. A caller may pass others.
  var suggesting: Handler?
  /// Returns the default, which an action gets if the caller passes no value.
  var presetting: Handler? { didSet { facts.isPresetComputed = presetting != nil } }
  /// Returns the value with which a form begins.
  var proposing: Handler?
  /// Returns whether the argument is wanted, given the earlier arguments. If not, it is optional, and forms hide it.
  var applying: Handler? { didSet { facts.isConditional = applying != nil } }
  /// Returns whether a string matches the declared pattern; nil if there is no pattern.
  var isMatching: ((String) throws -> Bool)?

  init(_ facts: AskedArgument) { self.facts = facts }

  var key: String { facts.key }

  /// True if a value can be checked in a few steps, without calling a function.
  var isFixed: Bool {
    choosing == nil && presetting == nil && proposing == nil && applying == nil && isMatching == nil && !facts.isMany
      && facts.choices?.count ?? 0 <= 256
  }
}

/// All declared arguments of an action, in the order of their keys.
final class Takes {
  /// The most arguments that a script may declare for one action: each is compared with each passed argument.
  static let most = 256
  let arguments: [DeclaredArgument]
  /// The keys alone: a declared argument is too large to copy for each comparison.
  let keys: [String]
  /// The table that the script assigned, for when the script reads it back.
  let source: AnyObject?
  /// The line of the script that declares it.
  let place: Place?
  /// The indices of the arguments in the order of the form.
  private let order: [Int]
  let isFixed: Bool
  let hasSecrets: Bool
  /// True if a function lists the values of an argument, returns its default, or decides whether it is wanted.
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

  /// The arguments in the order of the form.
  var inOrder: [DeclaredArgument] { order.map { arguments[$0] } }

  func argument(_ key: String) -> DeclaredArgument? { arguments.first { $0.key.hasSameBytes(as: key) } }
}

/// The title, help and icon of an action, for use where no item has them.
public struct About: Sendable, Equatable {
  public var title: String
  /// A sentence about the action.
  public var help: String?
  /// The name of an icon.
  public var icon: String?
  /// Whether picking the action without arguments shows its form, even if no argument is missing.
  public var showsForm = false
  /// Whether the action only moves or shows something, so that undo doesn't warn that it can't be undone (U15).
  public var onlyLooks = false
  /// Whether only the app's own keys, rows and scripts perform it, so that no palette and no assistant lists it.
  public var isInternal = false

  public init(
    _ title: String, help: String? = nil, icon: String? = nil, showsForm: Bool = false, onlyLooks: Bool = false,
    isInternal: Bool = false
  ) {
    self.isInternal = isInternal
    self.showsForm = showsForm
    self.onlyLooks = onlyLooks
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
