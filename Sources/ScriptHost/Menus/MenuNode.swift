/// A *node* is the place of an element in a tree: there it has an id, a parent and children.
final class MenuNode {
  let element: Element
  /// The id that a section gave to its row.
  let rowID: String?
  /// The role of a section's child that is no row: `header`, `footer` or `empty`.
  let edge: String?
  /// The parent, which the tree retains. An item's alternates have the same parent as the item.
  unowned(unsafe) var parent: MenuNode? {
    didSet { for alternate in alternates { alternate.parent = parent } }
  }
  var children: [MenuNode] = [] { didSet { forgetRowCount() } }
  /// What `rowCount` and `isList` were when they were last asked for; nil since children changed.
  private var rowCounts: (rows: Int, isList: Bool)?
  /// The rows of a section; for a row that was asked for by number, itself.
  var rows: SectionRows?
  /// The rows of a section that are asked for by number (P12); they stand before its footer.
  var numbered: NumberedRows? { didSet { forgetRowCount() } }
  /// Whether a branch of a pane's tree is open (P12): then what stands in it is listed below it.
  var isOpen = false { didSet { forgetRowCount() } }
  /// The place among its section's rows; -1 if it is none of them.
  var rowPlace: Int32 = -1
  /// The nodes that replace it while modifiers are held, in the order of the element's alternates.
  var alternates: [MenuNode] = []
  /// The id, unique in the tree.
  var id = ""
  /// The index in `MenuTree.actions` of the action that it performs.
  var action: Int32 = -1
  /// Whether a `look` ever gave it a state.
  var hasState = false
  /// The request with which it is validated, kept for the next pass.
  var request: Request?
  /// How its action is performed when it is picked, kept for the next time.
  var picked: PerformOptions?

  init(_ element: Element, rowID: String? = nil, edge: String? = nil) {
    self.element = element
    self.rowID = rowID
    self.edge = edge
  }

  /// The id from its section or its declaration, which wins over its path. A section in the menu of a row has none: such sections have the
  /// same name in each row.
  var givenID: String? { rowID ?? (element.id == nil || isInnerSection ? nil : element.id) }

  /// Whether it is a section in a menu that a row made (M16).
  var isInnerSection: Bool { element.section != nil && isBelowRow }

  private var isBelowRow: Bool {
    var node = parent
    while let known = node {
      if known.rowPlace >= 0 { return true }
      node = known.parent
    }
    return false
  }

  /// Makes nodes for an element and all below it.
  convenience init(wholly element: Element, rowID: String? = nil, parent: MenuNode? = nil) {
    self.init(element, rowID: rowID)
    self.parent = parent
    fill()
  }

  /// Adds nodes for the element's children and alternates.
  func fill() {
    if let menu = element.menu {
      children.reserveCapacity(menu.children.count)
      for child in menu.children { children.append(MenuNode(wholly: child, parent: self)) }
    }
    for alternate in element.alternates { alternates.append(MenuNode(wholly: alternate.element, parent: parent)) }
  }

  /// The kind and the subject of a row's context menu: its section's `kind`, and the value that the row is made of. Nil if there is none.
  var subject: (kind: String, value: Value)? {
    guard edge == nil, let section = parent, let kind = section.element.section?.kind else { return nil }
    return valueOfRow.map { (kind, $0) }
  }

  /// The value that its section made it of; nil if it is no row of a section.
  var valueOfRow: Value? {
    if isLoneRow, let rows { return rows.rows.first.map(rows.value) }
    guard let rows = parent?.rows, rows.rows.indices.contains(Int(rowPlace)) else { return nil }
    return rows.value(of: rows.rows[Int(rowPlace)])
  }

  /// A copy with all that stands below it now.
  func copy() -> MenuNode {
    let copy = MenuNode(element, rowID: rowID, edge: edge)
    copy.rowPlace = rowPlace
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

  /// How many rows it takes in a list, with what stands in the list below it: a menu that isn't inline takes one.
  var rowCount: Int { counting.rows }
  /// Whether each of its children takes one row.
  var isList: Bool { counting.isList }

  private var counting: (rows: Int, isList: Bool) {
    if let rowCounts { return rowCounts }
    func below() -> Int { children.reduce(0) { $0 + $1.rowCount } }
    let count =
      switch element.kind {
      case .item, .label, .separator: 1
      // The two edges of an inline menu are separators.
      case .menu: element.isInline ? below() + 2 : isOpen ? below() + 1 : 1
      case .section: below() + (numbered?.count ?? 0)
      case .pane, .text, .beside, .stack, .tabs: below()
      }
    let made = (count, children.allSatisfy { $0.rowCount == 1 && !$0.element.kind.isArea })
    rowCounts = made
    return made
  }

  /// The rows that it takes in a list, as `rowCount` counts them; nil for an edge of an inline menu.
  var listed: [MenuNode?] {
    switch element.kind {
    case .item, .label, .separator: [self]
    case .menu:
      element.isInline
        ? [nil] + children.flatMap(\.listed) + [nil] : [self] + (isOpen ? children.flatMap(\.listed) : [])
    case .section, .pane, .text, .beside, .stack, .tabs: children.flatMap(\.listed)
    }
  }

  /// Whether it only holds together what is drawn between separators.
  var isGroup: Bool { element.menu?.isGroup ?? false }

  /// Whether it is a row that was asked for by number.
  var isLoneRow: Bool { rows != nil && element.section == nil }

  /// Whether it is an item or a menu, and not declared as hidden.
  var canBePicked: Bool { (element.kind == .item || element.kind == .menu) && !element.facts.hidden }

  private func forgetRowCount() {
    var node: MenuNode? = self
    while let known = node, known.rowCounts != nil {
      known.rowCounts = nil
      node = known.parent
    }
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

  /// The path of titles of the menus around it; sections are left out.
  var pathAbove: String {
    var path: String?
    var node = parent
    while let known = node, known.parent != nil {
      if known.element.kind == .pane {
        let id = known.element.id ?? ""
        return path.map { "\(id)/\($0)" } ?? id
      }
      if known.element.kind != .section, !known.element.kind.isLayout, !known.isGroup {
        let title = MenuNode.escaped(known.element.title)
        path = path.map { "\(title)/\($0)" } ?? title
      }
      node = known.parent
    }
    return path ?? ""
  }

  /// Its own path of titles, given the path of the menus around it.
  func path(below above: String) -> String {
    let title = MenuNode.escaped(element.title)
    return above.isEmpty && !title.isEmpty ? title : "\(above)/\(title)"
  }

  /// A title as a part of a path, with each `/` escaped.
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

extension MenuNode {
  /// The id of the pane around it; nil if there is none.
  var paneID: String? {
    var node: MenuNode? = self
    while let known = node, known.element.kind != .pane { node = known.parent }
    return node?.element.id
  }

  /// What `row` is for it: the value that a section made it of, else its id.
  var rowValue: Value {
    valueOfRow ?? .text(id)
  }
}

/// The rows of a section that are asked for by number.
class NumberedRows {
  /// How many there are.
  var count: Int { 0 }
}
