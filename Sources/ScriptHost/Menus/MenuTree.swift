/// A *tree* is one menu as it stands: what was declared, the rows of its sections, and what builders made of both.
final class MenuTree {
  let root: MenuNode
  /// The panel, which is shown in the body of a face; nil if none is declared. It shares the menus' name space of ids.
  let panel: MenuNode?
  /// Whether builders edit the panel now, so that the id `root` means the panel.
  var isEditingPanel = false
  /// The sections that were declared, in order.
  let sections: [MenuNode]
  var byID: [ByteText: MenuNode] = [:]
  /// The last number given to each path that stands more than once.
  var counts: [ByteText: Int] = [:]
  /// The distinct actions of its items, each with its last resolution.
  var actions: [MenuAction] = []
  var actionNumbers: [ByteText: Int32] = [:]
  var count = 0
  /// The keys that pick its items, collected on first use.
  private(set) lazy var keys = MenuKeys(below: roots)
  /// Whether a `look` ever gave one of its items a state.
  var hasStates = false

  static let limit = 100_000

  init(_ declared: [Element], panel declaredPanel: [Element]? = nil) {
    root = MenuNode(Element(Facts(.menu), id: "root"))
    root.id = "root"
    for element in declared { root.children.append(MenuNode(wholly: element, parent: root)) }
    panel = declaredPanel.map { elements in
      let panel = MenuNode(Element(Facts(.section), id: MenuElement.panelID))
      panel.id = MenuElement.panelID
      for element in elements { panel.children.append(MenuNode(wholly: element, parent: panel)) }
      return panel
    }
    panel?.parent = root
    var sections: [MenuNode] = []
    for root in [root, panel].compactMap({ $0 }) {
      root.forEach { if $0.element.section != nil { sections.append($0) } }
    }
    self.sections = sections
    for root in roots { enter(root) }
  }

  /// The menu's root and the panel's.
  var roots: [MenuNode] { [root, panel].compactMap { $0 } }

  /// Visits every node of the menus and the panel, roots included.
  func forEach(_ body: (MenuNode) throws -> Void) rethrows { for root in roots { try root.forEach(body) } }

  /// Takes over from the old tree which nodes have a state; with `isSame`, after declarations changed, only for nodes with the same element.
  func keepStates(of old: MenuTree, ofSameElements isSame: Bool) {
    var known: [ByteText: Element] = [:]
    old.forEach { if $0.hasState { known[ByteText($0.id)] = $0.element } }
    forEach { node in
      guard let before = known[ByteText(node.id)], !isSame || before === node.element else { return }
      (node.hasState, hasStates) = (true, true)
    }
  }

  subscript(id: String) -> MenuNode? { byID[ByteText(id)] }

  /// The ids nearest to an unknown one.
  func ids(near id: String) -> [String] {
    nearest(toID: id, among: all.filter { $0.element.kind != .separator }.map(\.id))
  }

  /// Every node that a person could mean by its id.
  var all: [MenuNode] {
    var all: [MenuNode] = []
    forEach { all.append($0) }
    return all
  }
}

/// A distinct action of a tree's items.
struct MenuAction {
  let reference: Reference
  /// Its last resolution, which may be stale.
  var resolution: Resolution?
}

/// Why something can't stand in a tree.
struct TreeConflict: Error {
  let message: String
  let place: Place?
  let other: Place?

  /// The message, with the place of the other element.
  var description: String { other.map { "\(message) (the other is at \($0))" } ?? message }
}

extension MenuTree {
  /// The resolution of the action with a number on a walk, cached until it may have changed.
  func resolution(_ number: Int32, on walk: Walk, by dispatcher: Dispatcher) -> Resolution {
    let index = Int(number)
    if let known = actions[index].resolution, known.walk === walk, known.isCurrent { return known }
    let reference = actions[index].reference
    let found = Resolution(reference, raw: reference.id, on: walk, dispatcher: dispatcher, isKept: true)
    actions[index].resolution = found
    return found
  }
}
