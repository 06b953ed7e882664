import CLua

// Makes the elements of a tree from scripts' elements.

/// The state of taking an element: the elements around it, and the number of taken elements.
struct Taking {
  var inside: [ScriptElement] = []
  var count = 0

  /// The titles of the elements around it.
  var path: String { inside.map(\.title).joined(separator: " → ") }
}

extension ScriptEngine {
  /// Takes the element at the index with everything below it, as it is declared now.
  func take(
    _ element: ScriptElement, at index: Int32, _ L: OpaquePointer, _ taking: inout Taking
  ) throws -> Element {
    taking.count += 1
    if taking.count > MenuTree.limit { throw tooMany }
    if let taken = element.taken { return taken }
    guard clua_room(L, 24) else { throw LuaMisuse("menus are nested too deep") }
    switch element.form {
    case .whole(let whole): return whole
    case .placed(let placed): return try node(placed, element).element
    case .named:
      if element.kind == .section { throw LuaMisuse("\(element.described) needs 'items' and 'row'") }
      if element.kind.isArea {
        throw LuaMisuse("\(element.described) needs its contents: \(element.kind.rawValue) \"…\" { … }")
      }
      let facts = Facts(element.kind, styled: element.spans ?? StyledText(element.title))
      return Element(
        facts, menu: element.kind == .menu ? MenuPart() : nil, place: element.place, share: element.share)
    case .menu(let fields): return try take(element, fields, at: index, L, &taking)
    case .item(let fields):
      let item = try item(element, fields, at: index, L)
      element.taken = item
      return item
    case .section(let fields):
      let section = section(element, fields, at: index, L)
      element.taken = section
      return section
    }
  }

  /// Returns the node that a builder found in a tree. Throws if the node is gone.
  private func node(_ placed: PlacedNode, _ element: ScriptElement) throws -> MenuNode {
    if let node = placed.node { return node }
    throw LuaMisuse("\(element.described) is out of date, since the host built its menu again: find it again")
  }

  private func take(
    _ element: ScriptElement, _ fields: MenuFields, at index: Int32, _ L: OpaquePointer, _ taking: inout Taking
  ) throws -> Element {
    if taking.inside.contains(where: { $0 === element }) {
      throw LuaMisuse("\(element.described) holds itself: \(taking.path) → \(element.title)")
    }
    guard taking.inside.count < Element.depthLimit else {
      throw tooDeep(taking)
    }
    taking.inside.append(element)
    defer { taking.inside.removeLast() }
    let function = fields.hasLook ? function(2, of: element, at: index, L) : nil
    let look = function.map { fields.area == nil ? ScriptMenuLook($0) : ScriptPaneLook($0) }
    clua_pushHeld(L, index, 1)
    defer { clua_pop(L, 1) }
    let children = try children(at: clua_top(L), L, of: element.described, element.place, &taking)
    let part = MenuPart(
      inline: fields.inline, single: fields.single, auto: fields.auto, open: fields.isOpen, look: look,
      group: element.isGroup, children: children)
    if var area = fields.area {
      if let lines = fields.lines { area = try area.with(text(element, lines, at: index, L)) }
      let facts = Facts(element.kind, styled: fields.title ?? StyledText(""), key: fields.keys?.text)
      return Element(
        facts, id: fields.id, keys: fields.keys, menu: part, area: area, place: element.place, share: element.share)
    }
    let facts = Facts(
      .menu, styled: element.spans ?? StyledText(element.title), cells: fields.cells, hidden: fields.hidden)
    return Element(facts, id: fields.id, menu: part, place: element.place, share: element.share)
  }

  /// Returns the elements in a table: at all positive integer keys, in ascending order.
  func children(
    at index: Int32, _ L: OpaquePointer, of what: String, _ place: Place?, _ taking: inout Taking
  ) throws -> [Element] {
    guard clua_room(L, 24) else { throw LuaMisuse("menus are nested too deep") }
    var keys: [Int64] = []
    var hasOddKeys = false
    clua_pushNil(L)
    while clua_next(L, index) {
      if clua_isInteger(L, -2), clua_integer(L, -2) > 0 {
        if clua_bool(L, -1) { keys.append(clua_integer(L, -2)) }
      } else if clua_type(L, -2) != CLUA_TSTRING.rawValue {
        hasOddKeys = true
      }
      clua_pop(L, 1)
    }
    if keys.count > MenuTree.limit { throw tooMany }
    if hasOddKeys { skipOddKeys(at: index, L, what, place) }
    return try keys.sorted().compactMap { try child($0, at: index, L, of: what, place, &taking) }
  }

  private var tooMany: LuaMisuse { LuaMisuse("a menu can have \(MenuTree.limit) elements at most") }

  private func tooDeep(_ taking: Taking) -> LuaMisuse {
    LuaMisuse("menus are nested more than \(Element.depthLimit) deep: \(taking.path)")
  }

  /// Returns the element at a key of a table; nil, with a warning, for another value.
  private func child(
    _ key: Int64, at index: Int32, _ L: OpaquePointer, of what: String, _ place: Place?, _ taking: inout Taking
  ) throws -> Element? {
    clua_pushInteger(L, key)
    clua_rawGetAt(L, index, key)
    defer { clua_pop(L, 2) }
    guard let element = element(at: -1, on: L) else {
      skip(L, what, place)
      return nil
    }
    let taken = try take(element, at: clua_top(L), L, &taking)
    guard taking.inside.count < Element.depthLimit else { throw tooDeep(taking) }
    return taken
  }

  /// Warns about values at keys that are no places in a list.
  private func skipOddKeys(at index: Int32, _ L: OpaquePointer, _ what: String, _ place: Place?) {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    clua_pushNil(L)
    while clua_next(L, index) {
      let isPlace = clua_isInteger(L, -2) && clua_integer(L, -2) > 0
      if !isPlace, clua_type(L, -2) != CLUA_TSTRING.rawValue { skip(L, what, place) }
      clua_pop(L, 1)
    }
  }

  /// Warns about a value among the children that is no element.
  private func skip(_ L: OpaquePointer, _ what: String, _ place: Place?) {
    let key = (try? lua.value(at: -2, on: L)).map { value in
      switch value {
      case .integer(let number): "\(number)"
      case .number(let number): "\(number)"
      default: value.described
      }
    }
    let value = try? lua.value(at: -1, on: L)
    let why =
      element(at: -1, on: L) == nil
      ? "is \(value?.described ?? "a value"), no menu element" : "can't have a name"
    // Most likely the text is an action.
    let hint =
      if case .text(let text) = value { "; write an item: item \"…\" { \"\(text.visible)\" }" } else { "" }
    warnOnce("not-an-element", "entry \(key ?? "a key") of \(what) \(why), so the host skips it\(hint)", at: place)
  }

  /// Returns a new node for the element at the index, or a copy of its placed node; nil for another value.
  func node(at index: Int32, _ L: OpaquePointer) throws -> MenuNode? {
    guard let element = element(at: index, on: L) else { return nil }
    if case .placed(let placed) = element.form { return try node(placed, element).copy() }
    var taking = Taking()
    return MenuNode(wholly: try take(element, at: index, L, &taking))
  }
}
