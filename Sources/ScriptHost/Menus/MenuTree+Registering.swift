// Gives nodes their ids: the given id, or else the path of titles, with a number if several paths are equal.

extension MenuTree {
  /// Registers new nodes under their ids. Throws without changing `byID` if a given id occurs twice, there are too many
  /// nodes, or their paths are too long.
  func register(_ nodes: [MenuNode]) throws(TreeConflict) {
    var entering = Entering()
    for node in nodes {
      if node.isLeaf { enter(node, &entering) } else { node.forEach { enter($0, &entering) } }
    }
    if let conflict = entering.conflict ?? tooMany(entering.count, nodes) {
      for node in entering.entered { leave(node) }
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
    guard pathBytes > MenuTree.mostPathBytes else { return }
    unregister(nodes)
    throw MenuTree.longPaths(at: nodes.first?.element.place)
  }

  /// Registers a node under its id. If another node has the id, returns that node and does nothing.
  @discardableResult
  func enter(_ node: MenuNode) -> MenuNode? {
    let other = byID.updateValue(node, forKey: ByteText(node.id))
    if let other { byID[ByteText(node.id)] = other }
    return other
  }

  /// Removes a node from `byID`, if its id refers to it.
  private func leave(_ node: MenuNode) {
    if byID[ByteText(node.id)] === node { byID[ByteText(node.id)] = nil }
  }

  /// The state of one call of `register`.
  private struct Entering {
    var count = 0
    /// The nodes registered under their given ids.
    var entered: [MenuNode] = []
    /// The nodes whose given id is another node's path. The other node gets a new id later.
    var waiting: [MenuNode] = []
    var waitingByID: [ByteText: MenuNode] = [:]
    var conflict: TreeConflict?
  }

  /// Registers a node under its given id, if that is free. Otherwise records that it waits, or the conflict.
  private func enter(_ node: MenuNode, _ entering: inout Entering) {
    entering.count += 1
    if let action = node.element.action { node.action = number(of: action.reference) }
    if let menu = node.element.menu, menu.isOpen, node.paneID != nil { node.isOpen = true }
    guard entering.conflict == nil, let given = node.givenID else { return }
    let id = node.idInRow(given) ?? (hasPanes ? node.idInPane(given) : given)
    node.id = id
    guard let other = enter(node) else {
      entering.entered.append(node)
      return
    }
    var holder: MenuNode? = other
    if other.givenID == nil {
      holder = entering.waitingByID.updateValue(node, forKey: ByteText(id))
      entering.waiting.append(node)
    }
    if let holder {
      let isRoot = roots.contains { $0 === holder }
      entering.conflict = MenuTree.conflict(id, node.element, holder.element, isRoot: isRoot)
    }
  }

  private func tooMany(_ added: Int, _ nodes: [MenuNode]) -> TreeConflict? {
    count + added > MenuTree.limit ? MenuTree.tooMany(at: nodes.first?.element.place) : nil
  }

  /// Gives another id to each node whose path is now the given id of one of these nodes.
  private func makeRoom(for nodes: [MenuNode]) {
    for node in nodes {
      guard let other = self[node.id] else { continue }
      leave(other)
      enter(node)
      pathBytes -= other.id.utf8.count
      other.id = freePath(node.id)
      pathBytes += other.id.utf8.count
      enter(other)
    }
  }

  /// Assigns paths as ids to nodes without given ids, at and below a node, up to the byte limit.
  private func givePaths(_ node: MenuNode, below above: String) {
    guard pathBytes <= MenuTree.mostPathBytes else { return }
    if node.givenID == nil {
      node.id = freePath(node.edge.map { "\(node.parent?.id ?? "")/\($0)" } ?? node.ownPath(below: above))
      pathBytes += node.id.utf8.count
      enter(node)
    }
    for alternate in node.alternates { givePaths(alternate, below: above) }
    guard !node.children.isEmpty else { return }
    let below = node.pathOfChildren(below: above)
    for child in node.children { givePaths(child, below: below) }
  }

  /// Returns the path if it is free, or else the path with the next free number.
  private func freePath(_ path: String) -> String {
    guard byID[ByteText(path)] != nil else { return path }
    var count = counts[ByteText(path)] ?? 1
    while true {
      count += 1
      let numbered = "\(path)#\(count)"
      if byID[ByteText(numbered)] != nil { continue }
      counts[ByteText(path)] = count
      return numbered
    }
  }

  /// Removes nodes from `byID`, with all below them.
  func unregister(_ nodes: [MenuNode]) {
    for node in nodes {
      node.forEach { node in
        count -= 1
        if node.givenID == nil { pathBytes -= node.id.utf8.count }
        leave(node)
      }
    }
  }

  /// Registers nodes again after `unregister`.
  func reregister(_ nodes: [MenuNode]) {
    for node in nodes {
      node.forEach { node in
        count += 1
        if node.givenID == nil { pathBytes += node.id.utf8.count }
        enter(node)
      }
    }
  }

  /// Returns the index in `actions` of a reference's id, which it adds if it is new.
  func number(of reference: Reference) -> Int32 {
    let last = actions.count - 1
    if last >= 0, actions[last].reference.isExact == reference.isExact,
      actions[last].reference.id.hasSameBytes(as: reference.id)
    {
      return Int32(truncatingIfNeeded: last)
    }
    let key = ByteText(reference.isExact ? "\(reference.id)\0" : reference.id)
    if let known = actionNumbers[key] { return known }
    let number = Int32(truncatingIfNeeded: actions.count)
    actions.append(MenuAction(reference: reference, resolution: nil))
    actionNumbers[key] = number
    return number
  }
}

extension MenuNode {
  /// Returns a row's id. In a pane, the pane's name precedes the given id (P9).
  fileprivate func idInPane(_ given: String) -> String {
    guard element.kind != .section, !element.kind.isArea, let pane = paneID else { return given }
    return "\(pane)/\(given)"
  }

  /// Returns the id of a row in another row's menu, which the other row's id precedes; nil for all other rows.
  fileprivate func idInRow(_ given: String) -> String? {
    guard rowID != nil, let section = parent, section.isInnerSection, let around = section.parent else { return nil }
    return "\(around.id)/\(given)"
  }

  /// Returns the path that is its id. For a layout this is its kind.
  fileprivate func ownPath(below above: String) -> String {
    if let id = element.id, isInnerSection { return above.isEmpty ? id : "\(above)/\(id)" }
    return element.kind.isLayout ? element.kind.rawValue : path(below: above)
  }

  /// Returns the path that its children's paths begin with.
  fileprivate func pathOfChildren(below above: String) -> String {
    switch element.kind {
    case .section, .beside, .stack, .tabs: above
    case .menu where isGroup: above
    case .pane, .text: element.id ?? ""
    default: path(below: above)
    }
  }

  /// Whether it, or a node below it, may have its path as its id.
  fileprivate var needsPath: Bool { givenID == nil || !isLeaf }

  /// Whether there are no nodes below it.
  var isLeaf: Bool { children.isEmpty && alternates.isEmpty }
}
