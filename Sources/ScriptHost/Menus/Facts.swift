/// The declared properties of an element, as snapshots show them. Snapshots share them, so they never change.
final class Facts: Sendable {
  let kind: MenuElement.Kind
  let title: String
  /// The reference, as written; empty if there is none.
  let action: String
  let key: String?
  let state: Look.State
  /// Whether no title is declared, so that the action provides it.
  let isUntitled: Bool
  /// Whether a state is declared, even off.
  let isStated: Bool
  let hidden: Bool
  let destructive: Bool
  /// Properties that few elements have.
  let details: Details?

  struct Details: Sendable, Equatable {
    var subtitle: String?
    var icon: String?
    var confirm: String?
    /// A sentence that describes the item.
    var help: String?
    var arguments: LiteralObject?
    /// The character of the title that picks the item in an open menu.
    var mnemonic: String?
    /// Whether the menu stays open when the item is picked.
    var keepsOpen = false
    /// The styled texts.
    var styled: Styled?

    /// The details; nil if all are empty.
    var unlessEmpty: Details? { self == Details() ? nil : self }
  }

  /// The styled texts of an element, next to its plain texts; nil if everything is plain.
  final class Styled: Sendable, Equatable {
    let title, subtitle: StyledText?
    let icon: TextStyle?
    /// The cells of a row.
    let cells: [StyledText]?

    init?(
      title: StyledText? = nil, subtitle: StyledText? = nil, icon: TextStyle? = nil, cells: [StyledText]? = nil
    ) {
      if title == nil, subtitle == nil, icon == nil, cells == nil { return nil }
      self.title = title
      self.subtitle = subtitle
      self.icon = icon
      self.cells = cells
    }

    static func == (left: Styled, right: Styled) -> Bool {
      left === right
        || left.title == right.title && left.subtitle == right.subtitle && left.icon == right.icon
          && left.cells == right.cells
    }

    /// The bytes that the host keeps.
    var keptBytes: Int {
      ([title, subtitle].compactMap { $0 } + (cells ?? [])).reduce(0) { $0 + $1.keptBytes }
    }
  }

  init(
    _ kind: MenuElement.Kind, title: String = "", isUntitled: Bool = false, action: String = "", key: String? = nil,
    state: Look.State = .off,
    isStated: Bool = false, hidden: Bool = false, destructive: Bool = false, details: Details? = nil
  ) {
    self.kind = kind
    self.title = title
    self.isUntitled = isUntitled
    self.action = action
    self.key = key
    self.state = state
    self.isStated = isStated || state != .off
    self.hidden = hidden
    self.destructive = destructive
    self.details = details
  }
}

extension Facts {
  /// Creates the facts of a label, a menu or a pane, whose title may be styled.
  convenience init(
    _ kind: MenuElement.Kind, styled: StyledText, cells: [StyledText]? = nil, key: String? = nil, hidden: Bool = false
  ) {
    let details = Styled(title: styled.unlessPlain, cells: cells).map { Details(styled: $0) }
    self.init(kind, title: styled.text, key: key, hidden: hidden, details: details)
  }

  /// Returns a copy with another text for the action.
  func showing(action: String, _ arguments: LiteralObject?) -> Facts {
    var details = details
    details?.arguments = arguments
    return Facts(
      kind, title: title, isUntitled: isUntitled, action: action, key: key, state: state, isStated: isStated,
      hidden: hidden, destructive: destructive, details: details)
  }
}

extension Facts: Equatable {
  static func == (left: Facts, right: Facts) -> Bool {
    if left === right { return true }
    return left.kind == right.kind && left.title.hasSameBytes(as: right.title)
      && left.action.hasSameBytes(as: right.action) && left.key == right.key && left.state == right.state
      && left.hidden == right.hidden && left.destructive == right.destructive
      && left.details == right.details
  }
}

// Snapshots contain no secret arguments of an item's action (A7).

extension Dispatcher {
  /// Returns the facts without secrets.
  func shown(_ element: Element) -> Facts {
    guard chain.hasSecrets, let action = element.action, !action.arguments.isEmpty else { return element.facts }
    let secrets = secrets(of: action.reference)
    guard action.arguments.members.contains(where: { secrets.contains($0.key) }) else { return element.facts }
    let arguments = element.facts.details?.arguments.map { $0.masking(secrets) }
    return element.facts.showing(action: masked(action.raw, action.reference), arguments)
  }
}

/// A text or a flag that a script declares for an item, and that snapshots show unchanged.
///
/// To add one, declare its property in `Facts.Details`, its row here, and its sentence in `language.lua`. The row
/// defines how Lua and JSON are read and written, and the schema.
package struct ItemFact: Sendable {
  let name: String
  /// The name as JSON writes it after other members.
  private let member: StaticString
  let kind: Kind

  enum Kind: Sendable {
    case text(WritableKeyPath<Facts.Details, String?> & Sendable)
    case flag(WritableKeyPath<Facts.Details, Bool> & Sendable)
  }

  static let all = [
    ItemFact("keeps_open", #", "keeps_open": "#, .flag(\.keepsOpen)),
    ItemFact("confirm", #", "confirm": "#, .text(\.confirm)),
    ItemFact("help", #", "help": "#, .text(\.help)),
    ItemFact("mnemonic", #", "mnemonic": "#, .text(\.mnemonic)),
  ]

  private init(_ name: String, _ member: StaticString, _ kind: Kind) {
    self.name = name
    self.member = member
    self.kind = kind
  }

  static func named(_ name: String) -> ItemFact? { all.first { $0.name == name } }

  /// The facts in the notation of `Shape`.
  package static var shape: String {
    all.map { fact in
      switch fact.kind {
      case .text: "\(fact.name)?: string"
      case .flag: "\(fact.name)?: true"
      }
    }.joined(separator: ", ")
  }

  func write(_ details: Facts.Details, to json: inout JSONWriter) {
    switch kind {
    case .text(let path): if let text = details[keyPath: path] { json.string(behind: member, text) }
    case .flag(let path):
      if details[keyPath: path] {
        json.raw(member)
        json.bool(true)
      }
    }
  }

  /// Returns the fact as a script value; nil if it isn't declared.
  func value(in details: Facts.Details) -> Value? {
    switch kind {
    case .text(let path): details[keyPath: path].map { .text($0) }
    case .flag(let path): details[keyPath: path] ? true : nil
    }
  }

  func read(_ value: Literal?, into details: inout Facts.Details) {
    switch (kind, value) {
    case (.text(let path), .text(let text)): details[keyPath: path] = text
    case (.flag(let path), .bool(let isOn)): details[keyPath: path] = isOn
    default: break
    }
  }
}

extension Facts.Details {
  /// The bytes of the plain facts.
  var plainBytes: Int {
    ItemFact.all.reduce(0) {
      if case .text(let path) = $1.kind { $0 + (self[keyPath: path]?.utf8.count ?? 0) } else { $0 }
    }
  }
}
