/// A *tree* is one menu as it stands: what was declared, the rows of its sections, and what builders made of both.
final class MenuTree {
  let root: MenuNode
  /// What stands in the body of a face, where that is declared: a root of its own in the same name space.
  let panel: MenuNode?
  /// Whether `root` is the panel's now.
  var isEditingPanel = false
  /// The sections that were declared, in order.
  let sections: [MenuNode]
  var byID = NodeTable()
  /// Where to go on counting equal paths.
  var counts: [ByteText: Int] = [:]
  /// Whether no path has another number because of an id that was given.
  var isTidy = true
  /// The distinct actions of its items, and where each was found last.
  var actions: [MenuAction] = []
  var actionNumbers: [ByteText: Int32] = [:]
  var count = 0
  /// The keys that pick its items, made when they are looked at. Rows that are exchanged in it are plain items, which have none.
  private(set) lazy var keys = MenuKeys(below: roots)
  /// Whether it was ever said of something in it whether it is on.
  var hasStates = false
  /// What can be asked in one go; found out again when somebody else may answer.
  var questions: TreeQuestions?

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
    for root in roots { byID.insert(root) }
  }

  /// The menu's root and the panel's.
  var roots: [MenuNode] { [root, panel].compactMap { $0 } }

  /// Goes through all that stands in the menus and the panel, these themselves included.
  func forEach(_ body: (MenuNode) throws -> Void) rethrows { for root in roots { try root.forEach(body) } }

  /// Goes on knowing what was said to have a state in the tree before, of the same elements alone where others were declared.
  func keepStates(of old: MenuTree, ofSameElements isSame: Bool) {
    var known: [ByteText: Element] = [:]
    old.forEach { if $0.hasState { known[ByteText($0.id)] = $0.element } }
    forEach { node in
      guard let before = known[ByteText(node.id)], !isSame || before === node.element else { return }
      (node.hasState, hasStates) = (true, true)
    }
  }

  subscript(id: String) -> MenuNode? { byID[id] }

  /// What its items ask in one go on a walk.
  func questions(on pass: ValidationPass, by dispatcher: Dispatcher, subject: Value) -> TreeQuestions {
    if let known = questions, known.isCurrent(on: pass.walk, by: dispatcher) { return known }
    let made = TreeQuestions(below: roots, on: pass, by: dispatcher, subject: subject) {
      resolution($0.action, on: pass.walk, by: dispatcher)
    }
    questions = made
    return made
  }

  /// The ids nearest to one that is not there.
  func ids(near id: String) -> [String] {
    nearest(toID: id, among: byID.all.filter { $0.element.kind != .separator }.map(\.id))
  }

  /// Every node that a person could mean by its id.
  var all: [MenuNode] { byID.all }
}

/// A distinct action of a tree's items.
struct MenuAction {
  let reference: Reference
  /// Who takes it, as far as it was found without asking.
  var resolution: Resolution?
}

/// Why something can't stand in a tree.
struct TreeConflict: Error {
  let message: String
  let place: Place?
  let other: Place?

  /// The message with the place of the other.
  var description: String { other.map { "\(message) (the other is at \($0))" } ?? message }
}

extension MenuTree {
  /// Who takes the action of a number on a walk; found again when that may have changed.
  func resolution(_ number: Int32, on walk: Walk, by dispatcher: Dispatcher) -> Resolution {
    let index = Int(number)
    if let known = actions[index].resolution, known.walk === walk, known.isCurrent { return known }
    let reference = actions[index].reference
    let found = Resolution(reference, raw: reference.id, on: walk, dispatcher: dispatcher, isKept: true)
    actions[index].resolution = found
    return found
  }
}
