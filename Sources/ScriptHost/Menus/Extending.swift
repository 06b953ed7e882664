// Additions by any owner to menus, sections and layouts, by id (M15).

/// An owner's declaration of the main menu, of the panel, or of an addition.
struct MenuDeclaration {
  let owner: Owner
  var isPanel = false
  /// Whether typing unbound letters finds a row of the panel.
  var findsTyped = true
  let place: Place?
  let elements: [Element]
  /// Where the elements are added, by id; nil for a main menu or panel.
  var extends: ExtensionPoint?
}

/// The place of an owner's additions.
struct ExtensionPoint {
  enum Position {
    case first, last
    case before(String)
    case after(String)
    case group(String)
  }

  /// The id of a menu, a section, a pane or a layout.
  let id: String
  let position: Position
  /// Orders additions at the same place; lower numbers come first.
  let order: Double

  /// The most additions of one owner.
  static let mostOfOwner = 256
}

/// Inserts additions into the declared elements.
struct Extending {
  /// Additions not placed yet, by the id of their place, in order.
  private var byID: [ByteText: [MenuDeclaration]] = [:]
  /// Additions at the end of their place, because their neighbour is missing.
  private(set) var misplaced: [(declaration: MenuDeclaration, message: String)] = []

  init(_ declarations: [MenuDeclaration]) {
    let ordered = declarations.enumerated().filter { $1.extends != nil }
      .sorted { one, other in
        let (first, second) = (one.element.extends?.order ?? 0, other.element.extends?.order ?? 0)
        return first == second ? one.offset < other.offset : first < second
      }
    for (_, declaration) in ordered { byID[ByteText(declaration.extends?.id ?? ""), default: []].append(declaration) }
  }

  /// Additions not placed yet.
  var waiting: [MenuDeclaration] { byID.sorted { $0.key.text.precedesByBytes($1.key.text) }.flatMap(\.value) }

  /// Returns the elements below a root, with additions at any depth.
  mutating func extended(_ elements: [Element], ofRoot id: String) -> [Element] {
    if byID.isEmpty { return elements }
    return children(elements, of: id, below: "", pane: nil)
  }

  private mutating func children(_ children: [Element], of id: String, below path: String, pane: String?) -> [Element] {
    var line = ExtendedLine(children, below: path)
    // An addition beside another addition waits until the other is placed.
    var late: [MenuDeclaration] = []
    for declaration in byID.removeValue(forKey: ByteText(id)) ?? [] {
      if let position = declaration.extends?.position, line.put(declaration.elements, position) { continue }
      late.append(declaration)
    }
    for declaration in late { put(declaration, into: &line) }
    return line.elements.flatMap { child -> [Element] in
      if byID.isEmpty { return [child] }
      if child.section != nil, let id = child.id { return beside(child, id) }
      guard let menu = child.menu else { return [child] }
      let own = child.path(below: path)
      let id = child.id.map { pane == nil || child.kind.isArea ? $0 : "\(pane ?? "")/\($0)" } ?? own
      let within = child.kind.isPane ? child.id ?? "" : child.kind.isLayout || menu.isGroup ? path : own
      return [
        child.holding(
          self.children(menu.children, of: id, below: within, pane: child.kind.isPane ? child.id : pane))
      ]
    }
  }

  /// Returns a section with its additions before or after it, because the rows belong to the section.
  private mutating func beside(_ section: Element, _ id: String) -> [Element] {
    var line = ExtendedLine([section], below: "")
    for declaration in byID.removeValue(forKey: ByteText(id)) ?? [] {
      if case .first? = declaration.extends?.position {
        _ = line.put(declaration.elements, .first)
      } else {
        _ = line.put(declaration.elements, .last)
      }
    }
    return line.elements
  }

  private mutating func put(_ declaration: MenuDeclaration, into line: inout ExtendedLine) {
    guard let point = declaration.extends else { return }
    let known = line.names
    if line.put(declaration.elements, point.position) { return }
    _ = line.put(declaration.elements, .last)
    let (what, name) =
      switch point.position {
      case .group(let name): ("no group", name)
      case .before(let name), .after(let name): ("nothing", name)
      case .first, .last: ("nothing", "")
      }
    let near = nearest(to: name, among: known).first.map { "; did you mean '\($0)'?" } ?? ""
    misplaced.append(
      (declaration, "there is \(what) '\(name)' in '\(point.id)', so the elements are added at its end\(near)"))
  }
}

/// The elements of one place, including additions.
private struct ExtendedLine {
  /// The additions at the beginning, the declared elements, and the additions at the end.
  private var first: [Spot] = []
  private var own: [Spot]
  private var last: [Spot] = []
  private let path: String

  /// An element and the additions beside it, which may have additions beside them.
  private final class Spot {
    private let element: Element
    var before: [Spot] = []
    var after: [Spot] = []
    /// The elements of a group.
    var inner: [Spot]

    init(_ element: Element) {
      self.element = element
      inner = element.group?.children.map(Spot.init) ?? []
    }

    var title: String { element.title }
    var isGroup: Bool { element.group != nil }

    func isMeant(by name: String, below path: String) -> Bool {
      [element.id, title, element.path(below: path)].contains { $0?.hasSameBytes(as: name) ?? false }
    }

    /// This and all spots beside it, in order.
    var all: [Spot] { before.flatMap(\.all) + [self] + after.flatMap(\.all) }

    var whole: Element { isGroup ? element.holding(inner.flatMap(\.all).map(\.whole)) : element }
  }

  init(_ elements: [Element], below path: String) {
    own = elements.map(Spot.init)
    self.path = path
  }

  private var spots: [Spot] { (first + own + last).flatMap(\.all) }

  var elements: [Element] { spots.map(\.whole) }

  /// The names that additions can refer to.
  var names: [String] {
    spots.flatMap { [$0.title] + $0.inner.flatMap(\.all).map(\.title) }.filter { !$0.isEmpty }
  }

  /// Inserts elements at a position, behind earlier additions there. Returns false if the position doesn't exist.
  mutating func put(_ added: [Element], _ position: ExtensionPoint.Position) -> Bool {
    let added = added.map(Spot.init)
    switch position {
    case .first: first += added
    case .last: last += added
    case .before(let name):
      guard let spot = spot(name) else { return false }
      spot.before += added
    case .after(let name):
      guard let spot = spot(name) else { return false }
      spot.after += added
    case .group(let name):
      guard let group = spots.first(where: { $0.isGroup && $0.title.hasSameBytes(as: name) }) else { return false }
      group.inner += added
    }
    return true
  }

  /// Returns the element with a name, here or in a group.
  private func spot(_ name: String) -> Spot? {
    let spots = spots
    return (spots + spots.flatMap { $0.inner.flatMap(\.all) }).first { $0.isMeant(by: name, below: path) }
  }
}

extension Element {
  /// The group, if this is one; nil otherwise.
  fileprivate var group: MenuPart? { menu.flatMap { $0.isGroup ? $0 : nil } }

  /// Returns the path of titles, the id of an element without its own id.
  fileprivate func path(below above: String) -> String {
    let title = MenuNode.escaped(title)
    return above.isEmpty && !title.isEmpty ? title : "\(above)/\(title)"
  }
}

extension TreeEditor {
  /// Adds waiting additions to the elements from builders and sections. Returns those that still have no place.
  func extend(with waiting: [MenuDeclaration]) -> [MenuDeclaration] {
    waiting.filter { declaration in
      guard let point = declaration.extends, let node = tree[point.id],
        node.element.menu != nil || node.element.section != nil
      else { return true }
      var (position, anchor) = (MenuTree.Position.last, point.id)
      func beside(_ name: String) -> String? {
        node.children.first { $0.element.title.hasSameBytes(as: name) || $0.id.hasSameBytes(as: name) }?.id
      }
      switch point.position {
      case .first: position = .first
      case .before(let name): if let id = beside(name) { (position, anchor) = (.before, id) }
      case .after(let name): if let id = beside(name) { (position, anchor) = (.after, id) }
      case .last, .group: break
      }
      var elements = declaration.elements
      if position == .first || position == .after { elements.reverse() }
      for element in elements { _ = insert(MenuNode(wholly: element), position, anchor, at: declaration.place) }
      return false
    }
  }
}
