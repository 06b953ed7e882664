/// One difference between two snapshots. Applied in order, the changes make the new snapshot of the old one.
public enum MenuChange: Sendable, Equatable {
  /// An element came in, with what is new below it: into a parent, behind a sibling, or first where there is none.
  case insert(MenuElement, parent: String, after: String?)
  /// An element went, with all that is still below it.
  case remove(id: String)
  /// An element stands elsewhere, with all below it.
  case move(id: String, parent: String, after: String?)
  /// An element looks different; its children are not part of the change.
  case update(MenuElement)

  /// The id of the element that changed.
  public var id: String {
    switch self {
    case .insert(let element, _, _), .update(let element): element.id
    case .remove(let id), .move(let id, _, _): id
    }
  }
}

/// What changed between two snapshots.
package struct MenuChanges: Sendable, Equatable {
  /// All changes, in the order in which they are applied.
  package private(set) var all: [MenuChange] = []
  /// The changes of what was declared, and of order.
  package private(set) var declared: [MenuChange] = []
  /// The changes of what handlers answered when items were validated.
  package private(set) var validated: [MenuChange] = []

  /// Whether nothing changed.
  package var isEmpty: Bool { all.isEmpty }

  mutating func add(_ change: MenuChange) {
    all.append(change)
    declared.append(change)
  }

  /// Adds an update for an element of both snapshots, if it differs.
  mutating func compare(_ old: MenuElement, _ new: MenuElement) {
    let isDeclared = old.isDeclared(as: new), isValidated = old.isValidated(as: new)
    if isDeclared && isValidated { return }
    let change = MenuChange.update(new.alone)
    all.append(change)
    if !isDeclared { declared.append(change) }
    if !isValidated { validated.append(change) }
  }
}

extension MenuChange {
  /// What kind of change it is, for programs.
  var name: String {
    switch self {
    case .insert: "insert"
    case .remove: "remove"
    case .move: "move"
    case .update: "update"
    }
  }
}

extension MenuChange: Codable {
  private enum Key: String, CodingKey {
    case change, id, parent, after, element
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .change)
    try container.encode(id, forKey: .id)
    switch self {
    case .insert(_, let parent, let after), .move(_, let parent, let after):
      try container.encode(parent, forKey: .parent)
      try container.encodeIfPresent(after, forKey: .after)
    case .remove, .update: break
    }
    switch self {
    case .insert(let element, _, _), .update(let element): try container.encode(element, forKey: .element)
    case .remove, .move: break
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let id = try container.decode(String.self, forKey: .id)
    switch try container.decode(String.self, forKey: .change) {
    case "insert":
      self = .insert(
        try container.decode(MenuElement.self, forKey: .element),
        parent: try container.decode(String.self, forKey: .parent),
        after: try container.decodeIfPresent(String.self, forKey: .after))
    case "move":
      self = .move(
        id: id, parent: try container.decode(String.self, forKey: .parent),
        after: try container.decodeIfPresent(String.self, forKey: .after))
    case "remove": self = .remove(id: id)
    case "update": self = .update(try container.decode(MenuElement.self, forKey: .element))
    case let other:
      throw DecodingError.dataCorruptedError(
        forKey: .change, in: container, debugDescription: "there is no change '\(other)'")
    }
  }
}
