import ScriptHost

/// The *shown menus* are a face's copy of the app's menus, a tree in which each change has a constant cost.
final class ShownMenus {
  /// A node of the tree: an element, with the nodes of its children.
  final class Node {
    /// The element. Its own `children` aren't used here.
    fileprivate(set) var element: MenuElement
    fileprivate(set) var children: [Node] = []
    fileprivate(set) weak var parent: Node?

    fileprivate init(_ element: MenuElement) { self.element = element }

    var id: String { element.id }
    /// Returns true if it is an unchanged menu without items.
    fileprivate func isClosed(as other: MenuElement) -> Bool {
      element.kind == .menu && children.isEmpty && element == other
    }
    /// The visible children.
    var shown: [Node] { children.filter { !$0.element.isHidden } }
  }

  private(set) var root = Node(.nothing)
  /// The panel, whose ids share the name space; without children if none is declared.
  private(set) var panel = Node(.emptyPanel)
  private var nodes: [ByteText: Node] = [:]
  /// One item of the menus for each written reference: its id and its title. Rows of a panel are things and don't name
  /// actions.
  private var doing: [String: (id: String, title: String)] = [:]
  /// The last title of an item for each reference, in view or not.
  private var lastTitles: [String: String] = [:]
  /// The number of changes so far. Data made from the menus are valid while it stays the same.
  private(set) var version = 0 {
    didSet { bar = root.children.filter { !$0.element.isHidden && $0.element.kind == .menu } }
  }
  /// The menus in the bar.
  private(set) var bar: [Node] = []
  /// The rows of the panel that the last changes ticked and unticked. A new ticked row counts only if exactly one row
  /// was unticked and no other ticked; else it may only have come into sight.
  private(set) var ticked: [String] = []
  private(set) var unticked: [String] = []
  /// The place of the panel's first child among all its rows, and the number of rows after the last.
  private(set) var rowsAround = (before: 0, after: 0)
  /// The number of changes of the panel that added, removed, moved, hid or showed rows, or changed a label's text.
  private(set) var shape = 0

  subscript(id: String) -> Node? { nodes[ByteText(id)] }

  /// Returns true if an element is in the panel.
  func isInPanel(_ id: String) -> Bool { self[id].map { holds(panel, $0) } ?? false }

  /// Returns the title of an item that performs this written reference.
  func title(of reference: String) -> String? { doing[reference]?.title }

  /// Returns false if the item that performs this written reference is disabled now.
  func canDo(_ reference: String) -> Bool { doing[reference].flatMap { self[$0.id] }?.element.isEnabled ?? true }

  /// Returns the last known title of an item with this reference.
  func lastTitle(of reference: String) -> String? { lastTitles[reference] }

  /// An item, with the titles of the menus around it, outermost first.
  typealias Item = (node: Node, path: [String])

  /// The visible items in order, those of the panel last.
  var items: [Item] {
    var items: [Item] = []
    func add(_ node: Node, _ path: [String]) {
      for child in node.children where !child.element.isHidden {
        if child.element.kind == .item {
          items.append((child, path))
        } else {
          // A division of a panel has no title.
          add(child, child.element.title.isEmpty ? path : path + [child.element.title])
        }
      }
    }
    add(root, [])
    add(panel, [])
    return items
  }

  // MARK: - Data from the app

  /// Replaces the menus. Unchanged closed menus keep their nodes.
  func replace(_ children: [MenuElement]) {
    let before = root.children
    let kept = children.indices.map { $0 < before.count && before[$0].isClosed(as: children[$0]) ? before[$0] : nil }
    for (index, node) in before.enumerated() where index >= kept.count || kept[index] == nil { forget(node) }
    root = enterRoot(MenuElement(rootOf: children), isPanel: false, keeping: kept)
    version += 1
  }

  /// - Parameter sight: the place of the first child among the panel's rows, from 0, and their number; nil if all are
  ///   here.
  func replacePanel(_ children: [MenuElement], sight: (first: Int, rows: Int)? = nil) {
    forgetAll(in: panel)
    panel = enterRoot(MenuElement(panelOf: children), isPanel: true)
    look(at: sight)
    version += 1
    shape += 1
  }

  /// Applies changes of the menus.
  func apply(_ changes: [MenuChange]) {
    for change in changes { apply(change, below: root) }
    version += 1
  }

  /// Applies changes of the panel.
  func apply(panel changes: [MenuChange], sight: (first: Int, rows: Int)? = nil) {
    (ticked, unticked) = ([], [])
    for change in changes { apply(change, below: panel) }
    if unticked.count == 1, ticked.isEmpty {
      ticked = changes.compactMap { change in
        guard case .insert(let row, _, _) = change, row.kind == .item, row.state == .on else { return nil }
        return row.id
      }
    }
    look(at: sight)
    version += 1
  }

  private func look(at sight: (first: Int, rows: Int)?) {
    let around = sight.map { (before: $0.first, after: max(0, $0.rows - $0.first - panel.children.count)) } ?? (0, 0)
    if around == rowsAround { return }
    rowsAround = around
    shape += 1
  }

  private func apply(_ change: MenuChange, below root: Node) {
    func place(_ id: String) -> Node? { id == root.id ? root : self[id] }
    let isSeen = root === panel
    switch change {
    case .insert(let element, let parent, let after):
      guard self[element.id] == nil, let parent = place(parent) else { return }
      link(enter(element, isSeen), into: parent, after: after)
    case .move(let id, let parent, let after):
      guard let node = self[id], let parent = place(parent), !holds(node, parent) else { return }
      unlink(node)
      link(node, into: parent, after: after)
    case .remove(let id):
      guard let node = self[id] else { return }
      unlink(node)
      forget(node)
    case .update(let element):
      guard let node = self[element.id] else { return }
      let before = node.element
      node.element = element
      forgetDoing(before)
      if !isSeen { enterDoing(element) }
      if isSeen, element.kind == .item, (before.state == .on) != (element.state == .on) {
        if element.state == .on { ticked.append(element.id) } else { unticked.append(element.id) }
      }
      // If a pane shows other rows, they are made anew.
      if element.kind == .pane,
        before.area?.first != element.area?.first || before.area?.rows != element.area?.rows
          || before.area?.filter != element.area?.filter
      {
        shape += 1
      }
      // A row that only changes its look keeps its place.
      let isShown = before.isHidden == element.isHidden
      if isSeen, isShown, element.kind != .label || before.title == element.title { return }
    }
    if isSeen { shape += 1 }
  }

  /// Makes the node of a root, which has no id.
  private func enterRoot(_ element: MenuElement, isPanel: Bool, keeping kept: [Node?] = []) -> Node {
    let root = Node(element)
    root.children = element.children.indices.map { index in
      (index < kept.count ? kept[index] : nil) ?? enter(element.children[index], isPanel)
    }
    for child in root.children { child.parent = root }
    return root
  }

  private func forgetAll(in root: Node) {
    for child in root.children { forget(child) }
  }

  private func enter(_ element: MenuElement, _ isInPanel: Bool) -> Node {
    let node = Node(element)
    nodes[ByteText(element.id)] = node
    if !isInPanel { enterDoing(element) }
    node.children = element.children.map { enter($0, isInPanel) }
    for child in node.children { child.parent = node }
    return node
  }

  private func link(_ node: Node, into parent: Node, after: String?) {
    let before = after.flatMap { self[$0] }.flatMap { one in parent.children.firstIndex { $0 === one } }
    parent.children.insert(node, at: before.map { $0 + 1 } ?? 0)
    node.parent = parent
  }

  private func unlink(_ node: Node) {
    node.parent?.children.removeAll { $0 === node }
    node.parent = nil
  }

  private func holds(_ node: Node, _ other: Node) -> Bool {
    var next: Node? = other
    while let known = next {
      if known === node { return true }
      next = known.parent
    }
    return false
  }

  /// Notes the references of an item and of its alternates.
  private func enterDoing(_ element: MenuElement) {
    if element.kind == .item, doing[element.action] == nil {
      doing[element.action] = (element.id, element.title)
      lastTitles[element.action] = element.title
    }
    for alternate in element.alternates { enterDoing(alternate.element) }
  }

  private func forgetDoing(_ element: MenuElement) {
    if doing[element.action]?.id == element.id { doing[element.action] = nil }
    for alternate in element.alternates { forgetDoing(alternate.element) }
  }

  private func forget(_ node: Node) {
    nodes[ByteText(node.id)] = nil
    forgetDoing(node.element)
    for child in node.children { forget(child) }
  }
}
