// Whether elements fit together in one tree, and why not.

extension MenuTree {
  static func tooMany(at place: Place?) -> TreeConflict {
    TreeConflict(message: "a menu can have \(MenuTree.limit) elements at most", place: place, other: nil)
  }

  static func conflict(_ id: String, _ element: Element, _ other: Element, isRoot: Bool) -> TreeConflict {
    let what =
      isRoot
      ? "'\(id)' is the id of the \(id.hasSameBytes(as: MenuElement.panelID) ? "panel" : "tree") itself"
      : "the id '\(id)' stands twice, on \(other.described) too"
    return TreeConflict(message: what, place: element.place, other: isRoot ? nil : other.place)
  }

  /// Throws if declared elements don't fit in one tree: an id stands twice, or there are too many.
  static func check(_ elements: [Element], hasPanel: Bool) throws(TreeConflict) {
    var declared = Declared(ofRoots: hasPanel ? ["root", MenuElement.panelID] : ["root"])
    for element in elements { declared.add(element) }
    if let conflict = declared.conflict { throw conflict }
    if declared.count > limit { throw tooMany(at: elements.first?.place) }
  }

  /// Counts elements, and finds equal ids.
  private struct Declared {
    var count = 0
    private var met: [ByteText: Element] = [:]
    private(set) var conflict: TreeConflict?
    private let ofRoots: [String]

    init(ofRoots: [String]) { self.ofRoots = ofRoots }

    mutating func add(_ element: Element) {
      count += 1
      if conflict == nil, let id = element.id {
        if ofRoots.contains(where: id.hasSameBytes) {
          conflict = MenuTree.conflict(id, element, element, isRoot: true)
        } else if let other = met.updateValue(element, forKey: ByteText(id)) {
          conflict = MenuTree.conflict(id, element, other, isRoot: false)
        }
      }
      for alternate in element.alternates { add(alternate.element) }
      for child in element.menu?.children ?? [] { add(child) }
    }
  }
}
