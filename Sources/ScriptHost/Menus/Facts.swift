/// The *facts* of an element are what was declared of it, as snapshots show it. Snapshots share them, so they never change.
final class Facts: Sendable {
  let kind: MenuElement.Kind
  let title: String
  /// The reference as it is written; empty where there is none.
  let action: String
  let key: String?
  let state: Look.State
  /// Whether no title was declared, so that it is titled after its action.
  let isUntitled: Bool
  /// Whether a state was declared, even off.
  let isStated: Bool
  let hidden: Bool
  let destructive: Bool
  let keepsOpen: Bool
  /// What few elements have.
  let details: Details?

  struct Details: Sendable, Equatable {
    var subtitle: String?
    var icon: String?
    var confirm: String?
    /// A sentence about it.
    var help: String?
    var arguments: LiteralObject?
    /// The character of its title by which it is picked in an open menu.
    var mnemonic: String?
    /// What is styled of it.
    var styled: Styled?

    /// Whether all of its fields are empty.
    var isEmpty: Bool {
      subtitle == nil && icon == nil && confirm == nil && help == nil && arguments == nil && mnemonic == nil
        && styled == nil
    }
  }

  /// What is shown of an element with styles, beside its plain texts; nil where all of that is plain.
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

    /// The bytes that the host keeps of it.
    var keptBytes: Int {
      ([title, subtitle].compactMap { $0 } + (cells ?? [])).reduce(0) { $0 + $1.keptBytes }
    }
  }

  init(
    _ kind: MenuElement.Kind, title: String = "", isUntitled: Bool = false, action: String = "", key: String? = nil,
    state: Look.State = .off,
    isStated: Bool = false, hidden: Bool = false, destructive: Bool = false, keepsOpen: Bool = false,
    details: Details? = nil
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
    self.keepsOpen = keepsOpen
    self.details = details
  }
}

extension Facts {
  /// The facts of a label, or of a pane, whose title may be styled.
  convenience init(_ kind: MenuElement.Kind, styled: StyledText, key: String? = nil, hidden: Bool = false) {
    let details = Styled(title: styled.unlessPlain).map { Details(styled: $0) }
    self.init(kind, title: styled.text, key: key, hidden: hidden, details: details)
  }

  /// A copy with another text of the action.
  func showing(action: String, _ arguments: LiteralObject?) -> Facts {
    var details = details
    details?.arguments = arguments
    return Facts(
      kind, title: title, isUntitled: isUntitled, action: action, key: key, state: state, isStated: isStated,
      hidden: hidden, destructive: destructive, keepsOpen: keepsOpen, details: details)
  }
}

extension Facts: Equatable {
  static func == (left: Facts, right: Facts) -> Bool {
    if left === right { return true }
    return left.kind == right.kind && left.title.hasSameBytes(as: right.title)
      && left.action.hasSameBytes(as: right.action) && left.key == right.key && left.state == right.state
      && left.hidden == right.hidden && left.destructive == right.destructive && left.keepsOpen == right.keepsOpen
      && left.details == right.details
  }
}

// A7: secret arguments of an item's action are in no snapshot.

extension Dispatcher {
  /// The facts as they are shown: without secrets.
  func shown(_ element: Element) -> Facts {
    guard chain.hasSecrets, let action = element.action, !action.arguments.isEmpty else { return element.facts }
    let secrets = secrets(of: action.reference)
    guard action.arguments.members.contains(where: { secrets.contains($0.key) }) else { return element.facts }
    let arguments = element.facts.details?.arguments.map { $0.masking(secrets) }
    return element.facts.showing(action: masked(action.raw, action.reference), arguments)
  }
}
