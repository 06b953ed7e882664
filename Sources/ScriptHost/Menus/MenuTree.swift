/// A *tree* is one menu as it stands: what was declared, the rows of its sections, and what builders made of both.
final class MenuTree {
  let root: MenuNode
  /// The sections that were declared, in order.
  let sections: [MenuNode]
  private var byID = NodeTable()
  /// Where to go on counting equal paths.
  private var counts: [ByteText: Int] = [:]
  /// The distinct actions of its items, and where each was found last.
  private(set) var actions: [MenuAction] = []
  private var actionNumbers: [ByteText: Int32] = [:]
  private(set) var count = 0
  /// What can be asked in one go; found out again when somebody else may answer.
  private var questions: TreeQuestions?

  static let limit = 100_000

  init(_ declared: [Element]) {
    root = MenuNode(Element(Facts(.menu), id: "root"))
    root.id = "root"
    for element in declared { root.children.append(MenuNode(wholly: element, parent: root)) }
    var sections: [MenuNode] = []
    root.forEach { if $0.element.section != nil { sections.append($0) } }
    self.sections = sections
    byID.insert(root)
  }

  subscript(id: String) -> MenuNode? { byID[id] }

  /// What its items ask in one go on a walk.
  func questions(on pass: ValidationPass, by dispatcher: Dispatcher, subject: Value) -> TreeQuestions {
    if let known = questions, known.isCurrent(on: pass.walk, by: dispatcher) { return known }
    let made = TreeQuestions(self, on: pass, by: dispatcher, subject: subject)
    questions = made
    return made
  }

  /// The ids nearest to one that is not there.
  func ids(near id: String) -> [String] { nearest(to: id, among: byID.all.lazy.map(\.id)) }

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
  /// Gives ids to nodes that came in; nothing is changed where one would stand twice.
  func register(_ nodes: [MenuNode]) throws(TreeConflict) {
    var entering = Entering()
    for node in nodes { node.forEach { enter($0, &entering) } }
    if let conflict = entering.conflict ?? tooMany(entering.count, nodes) {
      for node in entering.entered { byID.remove(node) }
      throw conflict
    }
    makeRoom(for: entering.waiting)
    var parent: MenuNode?
    var above = ""
    for node in nodes where node.needsPath {
      if parent == nil || parent !== node.parent { (parent, above) = (node.parent, node.pathAbove) }
      givePaths(node, below: above)
    }
    count += entering.count
  }

  /// Nodes that are coming in.
  private struct Entering {
    var count = 0
    /// Those that have the id that they were given.
    var entered: [MenuNode] = []
    /// Those whose id somebody has as a path, who makes room when all fit.
    var waiting: [MenuNode] = []
    var waitingByID: [ByteText: MenuNode] = [:]
    var conflict: TreeConflict?
  }

  /// Gives a node the id that it was given, if that is free.
  private func enter(_ node: MenuNode, _ entering: inout Entering) {
    entering.count += 1
    if let action = node.element.action { node.action = number(of: action.reference) }
    guard entering.conflict == nil, let id = node.givenID else { return }
    node.id = id
    guard let other = byID.insert(node) else {
      entering.entered.append(node)
      return
    }
    var holder: MenuNode? = other
    if other.givenID == nil {
      holder = entering.waitingByID.updateValue(node, forKey: ByteText(id))
      entering.waiting.append(node)
    }
    if let holder { entering.conflict = MenuTree.conflict(id, node.element, holder.element, isRoot: holder === root) }
  }

  private func tooMany(_ added: Int, _ nodes: [MenuNode]) -> TreeConflict? {
    count + added > MenuTree.limit ? MenuTree.tooMany(at: nodes.first?.element.place) : nil
  }

  private static func tooMany(at place: Place?) -> TreeConflict {
    TreeConflict(message: "a menu can have \(MenuTree.limit) elements at most", place: place, other: nil)
  }

  private static func conflict(_ id: String, _ element: Element, _ other: Element, isRoot: Bool) -> TreeConflict {
    let what =
      isRoot ? "'root' is the id of the tree itself" : "the id '\(id)' stands twice, on \(other.described) too"
    return TreeConflict(message: what, place: element.place, other: isRoot ? nil : other.place)
  }

  /// Has those who have only their path give way to nodes that were given it as their id.
  private func makeRoom(for nodes: [MenuNode]) {
    for node in nodes {
      guard let other = byID[node.id] else { continue }
      byID.remove(other)
      byID.insert(node)
      other.id = freePath(node.id)
      byID.insert(other)
    }
  }

  /// Gives its path as id to whatever was given none.
  private func givePaths(_ node: MenuNode, below above: String) {
    if node.givenID == nil {
      node.id = freePath(node.edge.map { "\(node.parent?.id ?? "")/\($0)" } ?? node.path(below: above))
      byID.insert(node)
    }
    for alternate in node.alternates { givePaths(alternate, below: above) }
    guard !node.children.isEmpty else { return }
    let below = node.element.kind == .section ? above : node.path(below: above)
    for child in node.children { givePaths(child, below: below) }
  }

  /// The path, or the next of its numbers that is free.
  private func freePath(_ path: String) -> String {
    if byID[path] == nil { return path }
    var count = counts[ByteText(path)] ?? 1
    while true {
      count += 1
      let numbered = "\(path)#\(count)"
      if byID[numbered] != nil { continue }
      counts[ByteText(path)] = count
      return numbered
    }
  }

  /// Takes ids away from nodes that go.
  func unregister(_ nodes: [MenuNode]) {
    for node in nodes {
      node.forEach { node in
        count -= 1
        byID.remove(node)
      }
    }
  }

  /// Puts back ids that were taken away.
  func reregister(_ nodes: [MenuNode]) {
    for node in nodes {
      node.forEach { node in
        count += 1
        byID.insert(node)
      }
    }
  }

  /// Whether declared elements fit together in one tree.
  static func check(_ elements: [Element]) throws(TreeConflict) {
    var declared = Declared()
    for element in elements { declared.add(element) }
    if let conflict = declared.conflict { throw conflict }
    if declared.count > limit { throw tooMany(at: elements.first?.place) }
  }

  /// Declared elements that are gone through.
  private struct Declared {
    var count = 0
    private var met: [ByteText: Element] = [:]
    private(set) var conflict: TreeConflict?

    mutating func add(_ element: Element) {
      count += 1
      if conflict == nil, let id = element.id {
        if id.hasSameBytes(as: "root") {
          conflict = MenuTree.conflict(id, element, element, isRoot: true)
        } else if let other = met.updateValue(element, forKey: ByteText(id)) {
          conflict = MenuTree.conflict(id, element, other, isRoot: false)
        }
      }
      for alternate in element.alternates { add(alternate.element) }
      guard let menu = element.menu else { return }
      if menu.unseenCount > 0 { count += menu.unseenCount } else { for child in menu.children { add(child) } }
    }
  }

  private func number(of reference: Reference) -> Int32 {
    if let last = actions.last, last.reference.id.hasSameBytes(as: reference.id) { return Int32(actions.count - 1) }
    let key = ByteText(reference.id)
    if let known = actionNumbers[key] { return known }
    let number = Int32(truncatingIfNeeded: actions.count)
    actions.append(MenuAction(reference: reference, resolution: nil))
    actionNumbers[key] = number
    return number
  }

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

extension MenuNode {
  /// Whether it, or something below it, may have its path as its id.
  fileprivate var needsPath: Bool { givenID == nil || !children.isEmpty || !alternates.isEmpty }
}
