// Updates a tree in place when only rows of sections were added, removed or moved.

extension MenuTree {
  /// How many actions that no item has any more a tree may keep.
  private static let oldActions = 100

  /// Updates the sections' rows to their answers, in a tree that no builder edited. False if a new tree has to be made: this one may be
  /// half updated by then, and serves only as the old tree.
  func adjust(to answers: [Answer]) -> Bool {
    var changes: [(section: MenuNode, rows: SectionRows, origin: SectionRows.Origin)] = []
    for (section, answer) in zip(sections, answers) {
      guard case .success(let rows) = answer else { return false }
      if section.rows === rows { continue }
      guard let origin = rows.origin, section.rows === origin.rows else { return false }
      changes.append((section, rows, origin))
    }
    if changes.isEmpty { return true }
    guard isTidy, actions.count <= count + MenuTree.oldActions else { return false }
    return changes.allSatisfy { adjust($0.section, to: $0.rows, from: $0.origin) }
  }

  private func adjust(_ section: MenuNode, to rows: SectionRows, from origin: SectionRows.Origin) -> Bool {
    let old = section.children
    let first = section.element.section?.header == nil ? 0 : 1
    let oldCount = origin.rows.rows.count
    guard !rows.rows.isEmpty, oldCount > 0, old.count >= first + oldCount else { return false }
    var stays = [Bool](repeating: false, count: oldCount)
    var coming: [MenuNode] = []
    var children = Array(old[..<first])
    children.reserveCapacity(rows.rows.count + 2)
    for (row, source) in zip(rows.rows, origin.sources) {
      if source >= 0 {
        stays[Int(source)] = true
        children.append(old[first + Int(source)])
      } else {
        let node = MenuNode(wholly: row.element, rowID: row.id, parent: section)
        coming.append(node)
        children.append(node)
      }
    }
    children += old[(first + oldCount)...]
    guard replaceNodes(stays.indices.filter { !stays[$0] }.map { old[first + $0] }, for: coming) else { return false }
    section.children = children
    section.rows = rows
    rows.origin = nil
    return true
  }

  /// Replaces nodes by others with given ids; false, with `byID` as it was, if an id is taken or there would be too many nodes.
  private func replaceNodes(_ going: [MenuNode], for coming: [MenuNode]) -> Bool {
    guard count + coming.count - going.count <= MenuTree.limit else { return false }
    for node in going { byID.remove(node) }
    for (index, node) in coming.enumerated() {
      node.id = node.givenID ?? ""
      if let action = node.element.action { node.action = number(of: action.reference) }
      guard byID.insert(node) != nil else { continue }
      for node in coming[..<index] { byID.remove(node) }
      for node in going { byID.insert(node) }
      return false
    }
    count += coming.count - going.count
    return true
  }
}
