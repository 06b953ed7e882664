/// A *tree* is one menu as it stands: what was declared, the rows of its sections, and what builders made of both.
final class MenuTree {
  let root: MenuNode
  private var byID: [ByteText: MenuNode] = [:]
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
    byID[ByteText("root")] = root
    for element in declared { root.children.append(MenuNode(wholly: element, parent: root)) }
  }

  subscript(id: String) -> MenuNode? { byID[ByteText(id)] }

  /// What its items ask in one go on a walk.
  func questions(on pass: ValidationPass, by dispatcher: Dispatcher, subject: Value) -> TreeQuestions {
    if let known = questions, known.isCurrent(on: pass.walk, by: dispatcher) { return known }
    let made = TreeQuestions(self, on: pass, by: dispatcher, subject: subject)
    questions = made
    return made
  }

  /// The ids nearest to one that is not there.
  func ids(near id: String) -> [String] { nearest(toID: id, among: byID.keys.map(\.text)) }

  /// Every node that a person could mean by its id.
  var all: [MenuNode] { Array(byID.values) }
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
    try check(nodes)
    var added = 0
    for node in nodes { node.forEach { give($0, &added) } }
    for node in nodes { givePaths(node, below: node.pathAbove) }
    count += added
  }

  /// Whether the ids that nodes were given are free.
  private func check(_ nodes: [MenuNode]) throws(TreeConflict) {
    var added = 0
    var met: [ByteText: MenuNode] = [:]
    var conflict: TreeConflict?
    for node in nodes {
      node.forEach { node in
        added += 1
        guard conflict == nil, let id = node.givenID else { return }
        let other = met.updateValue(node, forKey: ByteText(id)) ?? byID[ByteText(id)]
        guard let other, other.givenID != nil else { return }
        conflict = MenuTree.conflict(id, node, other)
      }
    }
    if let conflict { throw conflict }
    if count + added > MenuTree.limit {
      throw TreeConflict(
        message: "a menu can have \(MenuTree.limit) elements at most", place: nodes.first?.element.place, other: nil)
    }
  }

  static func conflict(_ id: String, _ node: MenuNode, _ other: MenuNode) -> TreeConflict {
    let what =
      other.parent == nil
      ? "'root' is the id of the tree itself" : "the id '\(id)' stands twice, on \(other.element.described) too"
    return TreeConflict(message: what, place: node.element.place, other: other.element.place)
  }

  private func give(_ node: MenuNode, _ added: inout Int) {
    added += 1
    if let action = node.element.action { node.action = number(of: action.reference) }
    guard let id = node.givenID else { return }
    // Who has only its path makes room.
    if let other = byID.updateValue(node, forKey: ByteText(id)), other !== node {
      other.id = freePath(id)
      byID[ByteText(other.id)] = other
    }
    node.id = id
  }

  /// Gives its path as id to whatever was given none.
  private func givePaths(_ node: MenuNode, below above: String) {
    if node.givenID == nil {
      node.id = freePath(node.edge.map { "\(node.parent?.id ?? "")/\($0)" } ?? node.path(below: above))
      byID[ByteText(node.id)] = node
    }
    for alternate in node.alternates { givePaths(alternate, below: above) }
    guard !node.children.isEmpty else { return }
    let below = node.element.kind == .section ? above : node.path(below: above)
    for child in node.children { givePaths(child, below: below) }
  }

  /// The path, or the next of its numbers that is free.
  private func freePath(_ path: String) -> String {
    if byID[ByteText(path)] == nil { return path }
    var count = counts[ByteText(path)] ?? 1
    while true {
      count += 1
      let numbered = "\(path)#\(count)"
      if byID[ByteText(numbered)] != nil { continue }
      counts[ByteText(path)] = count
      return numbered
    }
  }

  /// Takes ids away from nodes that go.
  func unregister(_ nodes: [MenuNode]) {
    for node in nodes {
      node.forEach { node in
        count -= 1
        if byID[ByteText(node.id)] === node { byID[ByteText(node.id)] = nil }
      }
    }
  }

  /// Puts back ids that were taken away.
  func reregister(_ nodes: [MenuNode]) {
    for node in nodes {
      node.forEach { node in
        count += 1
        byID[ByteText(node.id)] = node
      }
    }
  }

  private func number(of reference: Reference) -> Int32 {
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
