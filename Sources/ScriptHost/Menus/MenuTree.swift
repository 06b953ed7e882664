/// A menu made from its declarations, the rows of its sections, and the edits of builders.
final class MenuTree {
  let root: MenuNode
  /// The panel in the body of a face; nil if none is declared. Menus and panel share one name space of ids.
  let panel: MenuNode?
  /// Whether the panel is divided into panes.
  let hasPanes: Bool
  /// Whether builders edit the panel now, so that the id `root` means the panel.
  var isEditingPanel = false
  /// The declared sections, in order.
  let sections: [MenuNode]
  var byID: [ByteText: MenuNode] = [:]
  /// The last number given to each path that occurs more than once.
  var counts: [ByteText: Int] = [:]
  /// The distinct actions of its items, each with its last resolution.
  var actions: [MenuAction] = []
  var actionNumbers: [ByteText: Int32] = [:]
  var count = 0
  /// The total bytes of the paths that are ids.
  var pathBytes = 0
  /// The keys that pick its items, collected on first use.
  private(set) lazy var keys = MenuKeys(below: roots)
  /// The items with keys, and the nodes around them, for the bound keys `by`; nil before the first use.
  private var keyed: (by: BoundKeys, nodes: Set<ObjectIdentifier>)?
  /// Whether a `look` ever gave one of its items a state.
  var hasStates = false

  static let limit = 100_000
  /// The most bytes of all paths together. A path contains the titles of all menus around it.
  static let mostPathBytes = 32 << 20

  init(_ declared: [Element], panel declaredPanel: [Element]? = nil) {
    root = MenuNode(Element(Facts(.menu), id: "root"))
    root.id = "root"
    for element in declared { root.children.append(MenuNode(wholly: element, parent: root)) }
    hasPanes = declaredPanel?.contains(where: \.kind.isArea) ?? false
    panel = declaredPanel.map { elements in
      let panel = MenuNode(Element(Facts(.section), id: MenuElement.panelID))
      panel.id = MenuElement.panelID
      for element in elements { panel.children.append(MenuNode(wholly: element, parent: panel)) }
      return panel
    }
    panel?.parent = root
    var sections: [MenuNode] = []
    for root in [root, panel].compactMap({ $0 }) {
      root.forEach { if $0.element.section != nil { sections.append($0) } }
    }
    self.sections = sections
    for root in roots { enter(root) }
  }

  /// The roots of the menus and the panel.
  var roots: [MenuNode] { [root, panel].compactMap { $0 } }

  /// Visits every node of the menus and the panel, including roots.
  func forEach(_ body: (MenuNode) throws -> Void) rethrows { for root in roots { try root.forEach(body) } }

  /// Returns the items that keys perform, and the nodes around them. Collected once for a tree and its bound keys.
  func keyed(by bound: BoundKeys) -> Set<ObjectIdentifier> {
    if let keyed, keyed.by === bound { return keyed.nodes }
    var nodes: Set<ObjectIdentifier> = []
    func add(_ node: MenuNode) -> Bool {
      var isKeyed = bound.performs(node.element.facts)
      for child in node.children where add(child) { isKeyed = true }
      if isKeyed { nodes.insert(ObjectIdentifier(node)) }
      return isKeyed
    }
    for root in roots { _ = add(root) }
    keyed = (bound, nodes)
    return nodes
  }

  /// Copies from the old tree which nodes have a state. With `isSame`, only for nodes with the same element.
  func keepStates(of old: MenuTree, ofSameElements isSame: Bool) {
    var known: [ByteText: Element] = [:]
    old.forEach { if $0.hasState { known[ByteText($0.id)] = $0.element } }
    forEach { node in
      guard let before = known[ByteText(node.id)], !isSame || before === node.element else { return }
      (node.hasState, hasStates) = (true, true)
    }
  }

  subscript(id: String) -> MenuNode? { byID[ByteText(id)] }

  /// Returns the ids nearest to an unknown one.
  func ids(near id: String) -> [String] {
    nearest(toID: id, among: all.filter { $0.element.kind != .separator }.map(\.id))
  }

  /// Every node that a person could mean by its id.
  var all: [MenuNode] {
    var all: [MenuNode] = []
    forEach { all.append($0) }
    return all
  }
}

/// A distinct action of a tree's items.
struct MenuAction {
  let reference: Reference
  /// The last resolution, which may be stale.
  var resolution: Resolution?
}

/// Why an element can't be in a tree.
struct TreeConflict: Error {
  let message: String
  let place: Place?
  let other: Place?

  /// The message, with the place of the other element.
  var description: String { other.map { "\(message) (the other is at \($0))" } ?? message }
}

extension MenuTree {
  /// Returns the resolution of an action by number on a walk, cached until it may change.
  func resolution(_ number: Int32, on walk: Walk, by dispatcher: Dispatcher) -> Resolution {
    let index = Int(number)
    if let known = actions[index].resolution, known.walk === walk, known.isCurrent { return known }
    let reference = actions[index].reference
    let found = Resolution(reference, raw: reference.id, on: walk, dispatcher: dispatcher, isKept: true)
    actions[index].resolution = found
    return found
  }
}

// Checks that elements fit together in one tree.

extension MenuTree {
  static func tooMany(at place: Place?) -> TreeConflict {
    TreeConflict(message: "a menu can have \(MenuTree.limit) elements at most", place: place, other: nil)
  }

  static func longPaths(at place: Place?) -> TreeConflict {
    let message = "the titles are too long: the paths of a menu can have \(mostPathBytes) bytes together"
    return TreeConflict(message: message, place: place, other: nil)
  }

  static func conflict(_ id: String, _ element: Element, _ other: Element, isRoot: Bool) -> TreeConflict {
    let what =
      isRoot
      ? "'\(id)' is the id of the \(id.hasSameBytes(as: MenuElement.panelID) ? "panel" : "tree") itself"
      : "the id '\(id)' is used twice, on \(other.described) too"
    return TreeConflict(message: what, place: element.place, other: isRoot ? nil : other.place)
  }

  /// Throws if declared elements don't fit in one tree: an id occurs twice, or there are too many.
  static func check(_ elements: [Element], panel: [Element]?) throws(TreeConflict) {
    var declared = Declared(ofRoots: panel == nil ? ["root"] : ["root", MenuElement.panelID])
    if let area = elements.lazy.compactMap(\.firstArea).first { throw strayArea(area) }
    let elements = elements + (panel ?? [])
    for element in elements { declared.add(element) }
    try checkLayout(panel ?? [])
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

    mutating func add(_ element: Element, in pane: String? = nil) {
      count += 1
      let isRow = pane != nil && element.kind != .section
      if conflict == nil, let given = element.id {
        let id = isRow ? "\(pane ?? "")/\(given)" : given
        if ofRoots.contains(where: id.hasSameBytes) {
          conflict = MenuTree.conflict(id, element, element, isRoot: true)
        } else if let other = met.updateValue(element, forKey: ByteText(id)) {
          conflict = MenuTree.conflict(id, element, other, isRoot: false)
        }
      }
      let pane = element.kind == .pane ? element.id : pane
      for alternate in element.alternates { add(alternate.element, in: pane) }
      for child in element.menu?.children ?? [] { add(child, in: pane) }
    }
  }
}

extension BoundKeys {
  /// Returns true if an item has its own keys, or a binding performs the same reference.
  func performs(_ item: Facts) -> Bool {
    item.kind == .item && (item.key != nil || !item.action.isEmpty && references.contains(ByteText(item.action)))
  }
}

extension MenuTree {
  static func strayArea(_ area: Element) -> TreeConflict {
    TreeConflict(message: "\(area.described) must be in a panel", place: area.place, other: nil)
  }

  /// Throws if a panel's elements don't fit: loose items beside panes, too many panes, or two with one responder.
  static func checkLayout(_ panel: [Element]) throws(TreeConflict) {
    var layout = Layout()
    for element in panel { layout.add(element, depth: 1) }
    layout.checkTexts()
    let loose = panel.first { !$0.kind.isArea }
    if let loose, let area = panel.first(where: \.kind.isArea) {
      throw TreeConflict(
        message: "\(loose.described) is beside \(area.described): if a panel has panes, put every element into one",
        place: loose.place, other: area.place)
    }
    if let conflict = layout.conflict { throw conflict }
  }

  private struct Layout {
    private var panes: [Element] = []
    private(set) var conflict: TreeConflict?

    /// Records a conflict for a text that refers to a missing pane.
    mutating func checkTexts() {
      for text in panes {
        for id in text.area?.text?.of ?? [] where id != TextPart.focus {
          if panes.contains(where: { $0.area?.text == nil && $0.id.map { $0.hasSameBytes(as: id) } ?? false }) {
            continue
          }
          let near = nearest(to: id, among: panes.filter { $0.area?.text == nil }.compactMap(\.id)).first
          fail(
            "\(text.described) has of = '\(id)', but that is no pane\(near.map { "; did you mean '\($0)'?" } ?? "")",
            text)
        }
      }
    }

    mutating func add(_ element: Element, depth: Int) {
      if element.kind.isPane { return add(pane: element) }
      guard element.kind.isLayout else { return }
      if depth > AreaPart.deepest {
        fail("\(element.described) is nested more than \(AreaPart.deepest) deep", element)
      }
      for child in element.menu?.children ?? [] {
        if !child.kind.isArea {
          fail("\(child.described) is in \(element.described), which can hold only panes and texts", child)
        }
        add(child, depth: depth + 1)
      }
    }

    private mutating func add(pane: Element) {
      if let responder = pane.area?.responder,
        let other = panes.first(where: { $0.area?.responder === responder })
      {
        fail("'\(responder.name)' is the responder of \(other.described) too", pane, other)
      }
      panes.append(pane)
      if panes.count > AreaPart.most { fail("a panel can have \(AreaPart.most) panes and texts at most", pane) }
      for child in pane.menu?.children ?? [] where child.kind.isArea || pane.kind == .text {
        let held = pane.kind == .text ? "lines" : "rows"
        fail("\(child.described) is in \(pane.described), which can hold only \(held)", child)
      }
    }

    private mutating func fail(_ message: String, _ element: Element, _ other: Element? = nil) {
      if conflict == nil { conflict = TreeConflict(message: message, place: element.place, other: other?.place) }
    }
  }
}

/// Returns the ids that an unknown one may mean: those with similar spelling, or else those with the same last part.
/// A row's id begins with its pane's, so `teas/Mint` with a section's id means `shelf/Mint`, not `teas`.
package func nearest(toID wanted: String, among ids: [String]) -> [String] {
  let near = nearest(to: wanted, among: ids)
  let slash = UInt8(ascii: "/")
  let paths = wanted.utf8.contains(slash) ? near.filter { $0.utf8.contains(slash) } : near
  if !paths.isEmpty { return paths }
  for part in [wanted, String(wanted.split(separator: "/").last ?? "")] {
    let end = "/\(part)".utf8
    let same = ids.filter { $0.utf8.count > end.count && $0.utf8.suffix(end.count).elementsEqual(end) }
    if !same.isEmpty { return same.sorted { $0.precedesByBytes($1) } }
  }
  return near
}

// The edits of builders.

/// An edit that fails, with a sentence that says why.
struct EditRefusal: Error {
  let code: String
  let message: String
}

extension MenuTree {
  /// Where to insert an element.
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

  /// Inserts nodes before, after or into an element.
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
    if [.menu, .section, .pane].contains(node.element.kind) { return }
    throw EditRefusal(code: "no-menu", message: "'\(node.id)' is no menu, so nothing can be added to it")
  }

  private func place(of node: MenuNode) throws(EditRefusal) -> (parent: MenuNode, index: Int) {
    guard let parent = node.parent, let index = parent.children.firstIndex(where: { $0 === node }) else {
      let isRoot = roots.contains { $0 === node }
      let why = isRoot ? "it is the whole tree" : "an alternate belongs to its item"
      throw EditRefusal(code: "no-place", message: "'\(node.id)' can't be an anchor: \(why)")
    }
    return (parent, index)
  }

  private func put(_ nodes: [MenuNode], into parent: MenuNode, at index: Int) throws(EditRefusal) {
    try replaceRange(parent, index..<index, with: nodes)
  }

  /// Replaces a range of a parent's children. If it throws, the tree is unchanged.
  private func replaceRange(_ parent: MenuNode, _ range: Range<Int>, with nodes: [MenuNode]) throws(EditRefusal) {
    let room = Element.depthLimit - parent.depth
    if let deep = nodes.first(where: { $0.height > room }) {
      throw EditRefusal(
        code: "too-deep", message: "\(deep.element.described) would be more than \(Element.depthLimit) deep")
    }
    if let area = nodes.lazy.compactMap(\.element.firstArea).first {
      throw EditRefusal(code: "no-place", message: MenuTree.strayArea(area).message)
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
