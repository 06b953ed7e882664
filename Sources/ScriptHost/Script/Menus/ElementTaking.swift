import CLua

// From what a script holds to what stands in a tree.

/// The way to an element that is being taken: how deep it is, and how many came before.
struct Taking {
  var inside: [ScriptElement] = []
  var count = 0

  /// The titles on the way.
  var path: String { inside.map(\.title).joined(separator: " → ") }
}

extension ScriptEngine {
  /// The element as it is declared now, with all below it.
  func take(_ element: ScriptElement, _ taking: inout Taking) throws -> Element {
    taking.count += 1
    guard taking.count <= MenuTree.limit else {
      throw LuaMisuse("a menu can have \(MenuTree.limit) elements at most")
    }
    switch element.form {
    case .whole(let whole): return whole
    case .placed(let node): return node.element
    case .named:
      if element.kind == .section { throw LuaMisuse("\(element.described) needs 'items' and 'row'") }
      let facts = Facts(element.kind, title: element.title)
      return Element(facts, menu: element.kind == .menu ? MenuPart() : nil, place: element.place)
    case .menu(let fields): return try take(element, fields, &taking)
    }
  }

  private func take(_ element: ScriptElement, _ fields: MenuFields, _ taking: inout Taking) throws -> Element {
    if taking.inside.contains(where: { $0 === element }) {
      throw LuaMisuse("\(element.described) holds itself: \(taking.path) → \(element.title)")
    }
    guard taking.inside.count < Element.depthLimit else {
      throw LuaMisuse("menus are nested more than \(Element.depthLimit) deep: \(taking.path)")
    }
    taking.inside.append(element)
    defer { taking.inside.removeLast() }
    let L = lua.L
    try lua.push(fields.table.reference, on: L)
    defer { clua_pop(L, 1) }
    let children = try children(at: clua_top(L), L, of: element.described, element.place, &taking)
    let part = MenuPart(
      inline: fields.inline, single: fields.single, auto: fields.auto, look: fields.look, children: children)
    return Element(
      Facts(.menu, title: element.title, hidden: fields.hidden), id: fields.id, menu: part, place: element.place)
  }

  /// The elements in a table: at all positive integer keys, in ascending order.
  func children(
    at index: Int32, _ L: OpaquePointer, of what: String, _ place: Place?, _ taking: inout Taking
  ) throws -> [Element] {
    var found: [(key: Int64, element: ScriptElement)] = []
    var isAscending = true
    let top = clua_top(L)
    guard clua_room(L, 24) else { throw LuaMisuse("menus are nested too deep") }
    defer { clua_setTop(L, top) }
    clua_pushNil(L)
    while clua_next(L, index) {
      defer { clua_pop(L, 1) }
      guard clua_isInteger(L, -2), clua_integer(L, -2) > 0 else {
        if clua_type(L, -2) != CLUA_TSTRING.rawValue { skip(L, what, place) }
        continue
      }
      guard let element = element(at: -1, on: L) else {
        if clua_bool(L, -1) { skip(L, what, place) }
        continue
      }
      let key = clua_integer(L, -2)
      if let last = found.last, last.key > key { isAscending = false }
      found.append((key, element))
    }
    clua_setTop(L, top)
    if !isAscending { found.sort { $0.key < $1.key } }
    return try found.map { key, element in
      let taken = try take(element, &taking)
      if taken.menu != nil || taken.section != nil || taking.inside.count < Element.depthLimit { return taken }
      throw LuaMisuse("menus are nested more than \(Element.depthLimit) deep: \(taking.path)")
    }
  }

  /// Tells of something among children that is no element.
  private func skip(_ L: OpaquePointer, _ what: String, _ place: Place?) {
    let key = (try? lua.value(at: -2, on: L)).map { value in
      switch value {
      case .integer(let number): "\(number)"
      case .number(let number): "\(number)"
      default: value.described
      }
    }
    let value = (try? lua.value(at: -1, on: L))?.described ?? "a value"
    warnOnce(
      "not-an-element", "what stands at \(key ?? "a key") of \(what) is \(value), no menu element: it is skipped",
      at: place)
  }

  /// A place in a tree for an element, or for what was found in one.
  func node(of element: ScriptElement) throws -> MenuNode {
    if case .placed(let node) = element.form { return node.copy() }
    var taking = Taking()
    return MenuNode(wholly: try take(element, &taking))
  }
}
