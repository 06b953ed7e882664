/// The place of an element in a tree: it has an id, a parent and children.
final class MenuNode {
  let element: Element
  /// The id that a section gave to its row.
  let rowID: String?
  /// The role of a section's child that isn't a row: `header`, `footer` or `empty`.
  let edge: String?
  /// The parent, which the tree retains. An item's alternates have the same parent as the item.
  unowned var parent: MenuNode? {
    didSet { for alternate in alternates { alternate.parent = parent } }
  }
  /// The section that its row is in; nil if it is in none.
  var section: SectionPart? {
    var node = parent
    while let known = node, known.element.kind != .section { node = known.parent }
    return node?.element.section
  }
  var children: [MenuNode] = [] { didSet { forgetRowCount() } }
  /// The cached `rowCount` and `isList`; nil after children change.
  private var rowCounts: (rows: Int, isList: Bool)?
  /// The rows of a section; for a row requested by number, itself.
  var rows: SectionRows?
  /// The rows of a section that are requested by number (P12). They come before its footer.
  var numbered: NumberedRows? { didSet { forgetRowCount() } }
  /// Whether a branch of a pane's tree is open (P12), so that its children are listed below it.
  var isOpen = false { didSet { forgetRowCount() } }
  /// The index among its section's rows; -1 if it isn't a row.
  var rowPlace: Int32 = -1
  /// The nodes that replace it while modifiers are held, in the order of the element's alternates.
  var alternates: [MenuNode] = []
  /// The id, unique in the tree.
  var id = ""
  /// The index of its action in `MenuTree.actions`.
  var action: Int32 = -1
  /// Whether a `look` ever gave it a state.
  var hasState = false
  /// The request for validating it, cached for the next pass.
  var request: Request?
  /// The options for performing its action when picked, cached.
  var picked: PerformOptions?

  init(_ element: Element, rowID: String? = nil, edge: String? = nil) {
    self.element = element
    self.rowID = rowID
    self.edge = edge
  }

  /// The id from its section or declaration, which overrides its path. A section in a row's menu has none, because its
  /// name is the same in each row.
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

  /// Creates nodes for an element and all below it.
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

  /// The kind and subject of a row's context menu: the section's `kind`, and the row's value. Nil if there is none.
  var subject: (kind: String, value: Value)? {
    guard edge == nil, let section = parent, let kind = section.element.section?.kind else { return nil }
    return valueOfRow.map { (kind, $0) }
  }

  /// The value from which a section made the row; nil if it isn't a row.
  var valueOfRow: Value? {
    if isLoneRow, let rows { return rows.rows.first.map(rows.value) }
    guard let rows = parent?.rows, rows.rows.indices.contains(Int(rowPlace)) else { return nil }
    return rows.value(of: rows.rows[Int(rowPlace)])
  }

  /// Returns a copy with all nodes below it.
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

  /// The number of rows in a list, including those below; a menu that isn't inline has one.
  var rowCount: Int { counting.rows }
  /// Whether each of its children is one row.
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

  /// The rows in a list, as counted by `rowCount`; nil for an edge of an inline menu.
  var listed: [MenuNode?] {
    switch element.kind {
    case .item, .label, .separator: [self]
    case .menu:
      element.isInline
        ? [nil] + children.flatMap(\.listed) + [nil] : [self] + (isOpen ? children.flatMap(\.listed) : [])
    case .section, .pane, .text, .beside, .stack, .tabs: children.flatMap(\.listed)
    }
  }

  /// The number of branches around a row of a pane.
  var branchesAround: Int {
    var (count, node) = (0, parent)
    while let known = node, known.element.kind != .pane {
      if known.element.kind == .menu, !known.element.isInline { count += 1 }
      node = known.parent
    }
    return count
  }

  /// Whether it is only a group between separators.
  var isGroup: Bool { element.menu?.isGroup ?? false }

  /// Whether it is a row requested by number.
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

  /// The depth in the tree; the tree itself is 0.
  var depth: Int {
    var depth = 0
    var node = parent
    while let known = node {
      depth += 1
      node = known.parent
    }
    return depth
  }

  /// The number of levels at and below it.
  var height: Int { children.isEmpty ? 1 : 1 + (children.map(\.height).max() ?? 0) }

  /// The path of titles of the menus around it, without sections.
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

  /// Returns its path of titles, given the path of the menus around it.
  func path(below above: String) -> String {
    let title = MenuNode.escaped(element.title)
    return above.isEmpty && !title.isEmpty ? title : "\(above)/\(title)"
  }

  /// Escapes each `/` in a title, so that it can be part of a path.
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

  /// The value for `row`: the value from which a section made the row, or else its id.
  var rowValue: Value {
    valueOfRow ?? .text(id)
  }
}

/// The rows of a section that are requested by number.
class NumberedRows {
  /// The number of rows.
  var count: Int { 0 }
}
