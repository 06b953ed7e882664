/// One difference between two snapshots. Applying all of them in order turns the old snapshot into the new one.
public enum MenuChange: Sendable, Equatable {
  /// An element was added, with all new elements below it: after a sibling, or first in its parent.
  case insert(MenuElement, parent: String, after: String?)
  /// An element was removed, with all that is still below it.
  case remove(id: String)
  /// An element moved, with all below it.
  case move(id: String, parent: String, after: String?)
  /// An element looks different. Its children aren't part of the change.
  case update(MenuElement)

  /// The id of the changed element.
  public var id: String {
    switch self {
    case .insert(let element, _, _), .update(let element): element.id
    case .remove(let id), .move(let id, _, _): id
    }
  }
}

/// The differences between two snapshots.
package struct MenuChanges: Sendable, Equatable {
  /// All changes, in the order of application.
  package private(set) var all: [MenuChange] = []
  /// The changes to declarations and order.
  package private(set) var declared: [MenuChange] = []
  /// The changes from validation by handlers.
  package private(set) var validated: [MenuChange] = []

  /// Whether there are no changes.
  package var isEmpty: Bool { all.isEmpty }

  mutating func add(_ change: MenuChange) {
    all.append(change)
    declared.append(change)
  }

  /// Adds an update for an element in both snapshots, if it differs.
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
  /// The kind of change, for programs.
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

extension MenuElement {
  /// Returns the snapshot after these changes. Changes that don't fit are ignored.
  public func applying(_ changes: some Sequence<MenuChange>) -> MenuElement {
    var redrawing = Redrawing(joined)
    for change in changes { redrawing.apply(change) }
    return redrawing.element(id).parted
  }
}

/// A snapshot taken apart: each element by its id, linked to its parent, siblings and children.
private struct Redrawing {
  private struct Part {
    var element: MenuElement
    var parent: String?
    var first: String?
    var last: String?
    var before: String?
    var after: String?
  }

  private var parts: [ByteText: Part] = [:]

  init(_ element: MenuElement) {
    enter(element)
  }

  private mutating func enter(_ element: MenuElement) {
    parts[ByteText(element.id)] = Part(element: element.alone)
    var last: String?
    for child in element.children {
      enter(child)
      link(child.id, into: element.id, after: last)
      last = child.id
    }
  }

  mutating func apply(_ change: MenuChange) {
    switch change {
    case .insert(let element, let parent, let after):
      guard parts[ByteText(element.id)] == nil, fits(parent, after) else { return }
      enter(element)
      link(element.id, into: parent, after: after)
    case .move(let id, let parent, let after):
      guard parts[ByteText(id)] != nil, fits(parent, after), !(after?.hasSameBytes(as: id) ?? false), !holds(id, parent)
      else { return }
      unlink(id)
      link(id, into: parent, after: after)
    case .remove(let id):
      guard parts[ByteText(id)]?.parent != nil else { return }
      unlink(id)
      forget(id)
    case .update(let element): parts[ByteText(element.id)]?.element = element.alone
    }
  }

  private func fits(_ parent: String, _ after: String?) -> Bool {
    guard parts[ByteText(parent)] != nil else { return false }
    guard let after else { return true }
    return parts[ByteText(after)]?.parent?.hasSameBytes(as: parent) ?? false
  }

  /// Returns true if the element `other` is `id` or below it.
  private func holds(_ id: String, _ other: String) -> Bool {
    var node: String? = other
    while let known = node {
      if known.hasSameBytes(as: id) { return true }
      node = parts[ByteText(known)]?.parent
    }
    return false
  }

  private mutating func link(_ id: String, into parent: String, after: String?) {
    let next = after.map { parts[ByteText($0)]?.after } ?? parts[ByteText(parent)]?.first
    parts[ByteText(id)]?.parent = parent
    parts[ByteText(id)]?.before = after
    parts[ByteText(id)]?.after = next
    if let after { parts[ByteText(after)]?.after = id } else { parts[ByteText(parent)]?.first = id }
    if let next { parts[ByteText(next)]?.before = id } else { parts[ByteText(parent)]?.last = id }
  }

  private mutating func unlink(_ id: String) {
    guard let part = parts[ByteText(id)], let parent = part.parent else { return }
    if let before = part.before {
      parts[ByteText(before)]?.after = part.after
    } else {
      parts[ByteText(parent)]?.first = part.after
    }
    if let after = part.after {
      parts[ByteText(after)]?.before = part.before
    } else {
      parts[ByteText(parent)]?.last = part.before
    }
    parts[ByteText(id)]?.parent = nil
  }

  private mutating func forget(_ id: String) {
    guard let part = parts.removeValue(forKey: ByteText(id)) else { return }
    var child = part.first
    while let known = child {
      child = parts[ByteText(known)]?.after
      forget(known)
    }
  }

  func element(_ id: String) -> MenuElement {
    guard let part = parts[ByteText(id)] else { return MenuElement(nothingOf: id) }
    var element = part.element
    var child = part.first
    while let known = child {
      element.children.append(self.element(known))
      child = parts[ByteText(known)]?.after
    }
    return element
  }
}

extension MenuElement {
  /// Creates an empty tree.
  init(nothingOf id: String) {
    self.init(id: id, facts: Facts(.menu), isEnabled: true, isHidden: false, state: .off)
  }
}
