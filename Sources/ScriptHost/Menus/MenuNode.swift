/// A *node* is the place of an element in a tree: there it has an id, a parent and children.
final class MenuNode {
  let element: Element
  /// The id that a section gave to its row.
  let rowID: String?
  /// What it is to its section, where it is no row: `header`, `footer` or `empty`.
  let edge: String?
  /// Held by the tree, which holds this. What stands in its place while modifiers are held stands there too.
  unowned(unsafe) var parent: MenuNode? {
    didSet { for alternate in alternates { alternate.parent = parent } }
  }
  var children: [MenuNode] = []
  var rows: SectionRows?
  /// What stands in its place while modifiers are held, in the order of the element's alternates.
  var alternates: [MenuNode] = []
  /// No two nodes of a tree have the same.
  var id = ""
  /// Which of the tree's actions it performs.
  var action: Int32 = -1
  /// Which of the tree's questions an item asks, or which of its menus this is; -1 for what is asked by itself.
  var number: Int32 = -1
  /// Whether it was ever said whether it is on.
  var hasState = false
  /// What it asks, kept for the next pass.
  var request: Request?
  /// How its action is performed when it is picked, kept for the next time.
  var picked: PerformOptions?

  init(_ element: Element, rowID: String? = nil, edge: String? = nil) {
    self.element = element
    self.rowID = rowID
    self.edge = edge
  }

  /// The id that it was given, which wins over its path.
  var givenID: String? { rowID ?? element.id }

  /// A place for an element with all below it.
  convenience init(wholly element: Element, rowID: String? = nil, parent: MenuNode? = nil) {
    self.init(element, rowID: rowID)
    self.parent = parent
    fill()
  }

  /// Gives it what its element holds.
  func fill() {
    if let menu = element.menu {
      children.reserveCapacity(menu.children.count)
      for child in menu.children { children.append(MenuNode(wholly: child, parent: self)) }
    }
    for alternate in element.alternates { alternates.append(MenuNode(wholly: alternate.element, parent: parent)) }
  }

  /// What the context menu of a row is of: the kind that its section says, and the value that the row is made of. Nil for what has none.
  var subject: (kind: String, value: Value)? {
    guard edge == nil, let section = parent, let kind = section.element.section?.kind else { return nil }
    guard let rows = section.rows, let row = rows.rows.first(where: { $0.element === element }) else { return nil }
    return (kind, rows.value(of: row))
  }

  /// A copy with all that stands below it now.
  func copy() -> MenuNode {
    let copy = MenuNode(element, rowID: rowID, edge: edge)
    copy.children = children.map { child in
      let child = child.copy()
      child.parent = copy
      return child
    }
    copy.alternates = alternates.map { $0.copy() }
    return copy
  }

  /// Visits it and all below it, parents first.
  func forEach(_ body: (MenuNode) throws -> Void) rethrows {
    try body(self)
    for alternate in alternates { try alternate.forEach(body) }
    for child in children { try child.forEach(body) }
  }

  /// How deep it stands; the tree itself is 0.
  var depth: Int {
    var depth = 0
    var node = parent
    while let known = node {
      depth += 1
      node = known.parent
    }
    return depth
  }

  /// How many levels it and what is below it take.
  var height: Int { children.isEmpty ? 1 : 1 + (children.map(\.height).max() ?? 0) }

  /// The path of titles below which its own stands; a section is on no path.
  var pathAbove: String {
    var path: String?
    var node = parent
    while let known = node, known.parent != nil {
      if known.element.kind != .section {
        let title = MenuNode.escaped(known.element.title)
        path = path.map { "\(title)/\($0)" } ?? title
      }
      node = known.parent
    }
    return path ?? ""
  }

  /// Its path of titles below another.
  func path(below above: String) -> String {
    let title = MenuNode.escaped(element.title)
    return above.isEmpty && !title.isEmpty ? title : "\(above)/\(title)"
  }

  /// A title as a part of a path.
  static func escaped(_ title: String) -> String {
    guard title.utf8.contains(UInt8(ascii: "/")) else { return title }
    var escaped = ""
    for scalar in title.unicodeScalars {
      if scalar == "/" { escaped.unicodeScalars.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}
