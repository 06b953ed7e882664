/// One difference between two snapshots. Applied in order, the changes make the new snapshot of the old one.
public enum MenuChange: Sendable, Equatable {
  /// An element came in, with what is new below it: into a parent, behind a sibling, or first where there is none.
  case insert(MenuElement, parent: String, after: String?)
  /// An element went, with all that is still below it.
  case remove(id: String)
  /// An element stands elsewhere, with all below it.
  case move(id: String, parent: String, after: String?)
  /// An element looks otherwise; what stands below it is not part of this.
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
public struct MenuChanges: Sendable, Equatable {
  /// All of it, in the order in which it is applied.
  public private(set) var all: [MenuChange] = []
  /// What of it was declared, and order.
  public private(set) var declared: [MenuChange] = []
  /// What of it was said by those who take the actions.
  public private(set) var validated: [MenuChange] = []

  /// Whether nothing did.
  public var isEmpty: Bool { all.isEmpty }

  mutating func add(_ change: MenuChange) {
    all.append(change)
    declared.append(change)
  }

  /// Notes an element that stands in both, where it differs.
  mutating func compare(_ old: MenuElement, _ new: MenuElement) {
    let isDeclared = old.isDeclared(as: new), isValidated = old.isValidated(as: new)
    if isDeclared && isValidated { return }
    let change = MenuChange.update(new.alone)
    all.append(change)
    if !isDeclared { declared.append(change) }
    if !isValidated { validated.append(change) }
  }
}
