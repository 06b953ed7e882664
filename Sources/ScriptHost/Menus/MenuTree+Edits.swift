// The edits that builders make to a tree.

/// An edit that can't be done, with a sentence that says why.
struct EditRefusal: Error {
  let code: String
  let message: String
}

extension MenuTree {
  /// Where an element is put.
  enum Position: String {
    case before = "insert_before"
    case after = "insert_after"
    case first = "insert_first"
    case last = "insert_last"
  }

  func find(_ id: String) throws(EditRefusal) -> MenuNode {
    if isEditingPanel, let panel, id.hasSameBytes(as: "root") { return panel }
    if let node = self[id] { return node }
    let near = ids(near: id).first.map { "; did you mean '\($0)'?" } ?? ""
    throw EditRefusal(code: "unknown-id", message: "there is no element '\(id)'\(near)")
  }

  /// Inserts nodes before or after an element, or into it.
  func insert(_ nodes: [MenuNode], _ position: Position, _ id: String) throws(EditRefusal) {
    let anchor = try find(id)
    switch position {
    case .first, .last:
      try checkHolds(anchor)
      try put(nodes, into: anchor, at: position == .first ? 0 : anchor.children.count)
    case .before, .after:
      let (parent, index) = try place(of: anchor)
      try put(nodes, into: parent, at: position == .before ? index : index + 1)
    }
  }

  func replace(_ id: String, with node: MenuNode) throws(EditRefusal) {
    let old = try find(id)
    let (parent, index) = try place(of: old)
    try replaceRange(parent, index..<index + 1, with: [node])
  }

  func replaceChildren(of id: String, with nodes: [MenuNode]) throws(EditRefusal) {
    let node = try find(id)
    try checkHolds(node)
    try replaceRange(node, node.children.indices, with: nodes)
  }

  func remove(_ id: String) throws(EditRefusal) {
    let node = try find(id)
    let (parent, index) = try place(of: node)
    unregister([node])
    parent.children.remove(at: index)
  }

  private func checkHolds(_ node: MenuNode) throws(EditRefusal) {
    if node.element.kind == .menu || node.element.kind == .section { return }
    throw EditRefusal(code: "no-menu", message: "'\(node.id)' is no menu: nothing can stand in it")
  }

  private func place(of node: MenuNode) throws(EditRefusal) -> (parent: MenuNode, index: Int) {
    guard let parent = node.parent, let index = parent.children.firstIndex(where: { $0 === node }) else {
      let isRoot = roots.contains { $0 === node }
      let why = isRoot ? "the tree itself has no place in it" : "an alternate stands with its item only"
      throw EditRefusal(code: "no-place", message: "'\(node.id)' can't be an anchor: \(why)")
    }
    return (parent, index)
  }

  private func put(_ nodes: [MenuNode], into parent: MenuNode, at index: Int) throws(EditRefusal) {
    try replaceRange(parent, index..<index, with: nodes)
  }

  /// Replaces a range of a parent's children; if it throws, the tree is unchanged.
  private func replaceRange(_ parent: MenuNode, _ range: Range<Int>, with nodes: [MenuNode]) throws(EditRefusal) {
    let room = Element.depthLimit - parent.depth
    if let deep = nodes.first(where: { $0.height > room }) {
      throw EditRefusal(
        code: "too-deep", message: "\(deep.element.described) would stand more than \(Element.depthLimit) deep")
    }
    let old = Array(parent.children[range])
    unregister(old)
    for node in nodes { node.parent = parent }
    do throws(TreeConflict) {
      try register(nodes)
    } catch {
      reregister(old)
      throw EditRefusal(code: "twice", message: error.description)
    }
    parent.children.replaceSubrange(range, with: nodes)
  }
}
