import CLua

// The words that make menu elements: menubar, menu, item, separator, label, section.

extension ScriptEngine {
  /// The menu words of an owner's scripts.
  static let menuNames: [ScriptName] = [
    ScriptName("menubar") { try $0.declareMenubar($1, $2, asPanel: false) },
    ScriptName("panel") { try $0.declareMenubar($1, $2, asPanel: true) },
    ScriptName("extend") { try $0.extendMenu($1, $2) },
    ScriptName("menu") { try $0.makeElement(.menu, $1, $2) },
    ScriptName("group") { try $0.makeElement(.menu, $1, $2, group: true) },
    ScriptName("item") { try $0.makeElement(.item, $1, $2) },
    ScriptName("label") { try $0.makeElement(.label, $1, $2) },
    ScriptName("section") { try $0.makeElement(.section, $1, $2) },
    ScriptName("pane") { try $0.makeElement(.pane, $1, $2) },
    ScriptName("text") { try $0.makeElement(.text, $1, $2) },
    ScriptName("beside") { try $0.makeElement(.beside, $1, $2) },
    ScriptName("stack") { try $0.makeElement(.stack, $1, $2) },
    ScriptName("tabs") { try $0.makeElement(.tabs, $1, $2) },
    ScriptName("separator", pushed: { engine, script in engine.push(engine.separator(of: script), on: engine.lua.L) }),
  ]

  static let elementConstructors = [
    "menubar", "panel", "extend", "menu", "group", "item", "separator", "label", "section", "pane", "text", "beside",
    "stack", "tabs",
  ]

  /// Returns the separator, which has no fields.
  func separator(of owner: ScriptOwner) -> ScriptElement {
    let element = Element(Facts(.separator))
    return ScriptElement(
      .separator, title: "", place: nil, owner: owner.owner, form: .whole(element), kept: dispatcher.kept)
  }

  /// Makes elements callable and readable for scripts.
  func prepareElements() throws(LuaError) {
    clua_pushCallableMetatable(lua.L)
    let metatable = LuaTable(reference: lua.takeReference())
    let call = lua.function { [unowned self] in try callElement($0) }
    let read = lua.function { [unowned self] in try readElement($0) }
    let write = lua.function { [unowned self] call in
      throw LuaMisuse(
        "\(element(at: 1, on: call.L)?.described ?? "an element") can't be changed: set its fields where you declare it"
      )
    }
    let describe = lua.function { [unowned self] call in
      .values([.text(element(at: 1, on: call.L)?.described ?? "menu element")])
    }
    try lua.rawSet("__call", .function(call), of: metatable)
    try lua.rawSet("__index", .function(read), of: metatable)
    try lua.rawSet("__newindex", .function(write), of: metatable)
    try lua.rawSet("__tostring", .function(describe), of: metatable)
  }

  /// `item "Title"`: makes an element with its name, which the script then calls with its fields.
  private func makeElement(
    _ kind: MenuElement.Kind, _ call: LuaCall, _ owner: ScriptOwner, group isGroup: Bool = false
  ) throws -> LuaReturn {
    let value = try call[0]
    let place = declarationPlace(call)
    let what = isGroup ? "the name of a group" : Self.namePart(of: kind)
    try refuseFields(call, of: isGroup ? "group" : kind.rawValue, what)
    if kind.isLayout, case .table = value, clua_hostNumber(call.L, 1) < 0 {
      return try makeUnnamedLayout(kind, call, owner, place)
    }
    if kind == .section || kind.isArea {
      let id = try elementID(value, what)
      push(try newElement(kind, id, at: place, of: owner), on: call.L)
      return .pushed(1)
    }
    if kind == .item, case .table = value, clua_hostNumber(call.L, 1) < 0, !isSpan(at: 1, call.L) {
      return try makeUntitledItem(call, owner, place)
    }
    guard let title = try styledText(at: 1, what, at: place, hasLines: kind == .label) else {
      if case .function = value { throw functionMisuse(what) }
      let isNumber = if case .integer = value { true } else if case .number = value { true } else { false }
      throw LuaMisuse("\(what) must be a string, not \(value.described)\(isNumber ? "; write tostring(…)" : "")")
    }
    let element = try newElement(kind, title.text, spans: title.unlessPlain, at: place, of: owner)
    element.isGroup = isGroup
    if kind == .label {
      let label = Element(Facts(.label, styled: title), place: place, share: element.share)
      element.complete(.whole(label), bytes: 0)
    }
    push(element, on: call.L)
    return .pushed(1)
  }

  /// `item { reference, … }`: makes an item with the title from `about`, or with its action's name.
  private func makeUntitledItem(_ call: LuaCall, _ owner: ScriptOwner, _ place: Place?) throws -> LuaReturn {
    clua_setTop(call.L, 1)
    for place: Int64 in 1...2 {
      clua_rawGetAt(call.L, 1, place)
      if clua_type(call.L, -1) == CLUA_TTABLE.rawValue {
        throw LuaMisuse("put a title of several parts among the fields: item { \"save\", title = { … } }")
      }
      clua_pop(call.L, 1)
    }
    clua_rawGetAt(call.L, 1, 1)
    guard case .text(let raw) = try lua.value(at: -1, on: call.L), let reference = try? Reference.parse(raw) else {
      throw LuaMisuse("an item without a title needs its action first: item { \"save\", … }")
    }
    clua_pop(call.L, 1)
    let element = try newElement(.item, reference.name, at: place, of: owner)
    push(element, on: call.L)
    clua_insert(call.L, 1)
    try readItem(element, untitled: true, call.L)
    try checkKept()
    clua_setTop(call.L, 1)
    return .pushed(1)
  }

  /// `beside { … }`: makes a layout of a panel without a name.
  private func makeUnnamedLayout(
    _ kind: MenuElement.Kind, _ call: LuaCall, _ owner: ScriptOwner, _ place: Place?
  ) throws -> LuaReturn {
    clua_setTop(call.L, 1)
    let element = try newElement(kind, "", at: place, of: owner)
    push(element, on: call.L)
    clua_insert(call.L, 1)
    try readArea(element, call.L)
    try checkKept()
    clua_setTop(call.L, 1)
    return .pushed(1)
  }

  /// Refuses further arguments of a constructor beside the name, where they would be lost.
  func refuseFields(_ call: LuaCall, of word: String, _ what: String) throws {
    let type = clua_type(call.L, 2)
    guard
      type == CLUA_TTABLE.rawValue && clua_hostNumber(call.L, 2) < 0 || type == CLUA_TSTRING.rawValue
        || element(at: 2, on: call.L) != nil
    else { return }
    throw LuaMisuse("\(word) takes \(what) alone; put the fields in braces after it: \(word) \"…\" { … }")
  }

  /// Returns a phrase for the argument of a constructor, for messages.
  private static func namePart(of kind: MenuElement.Kind) -> String {
    switch kind {
    case .section: "the id of a section"
    case .pane: "the id of a pane"
    case .text: "the id of a text"
    case .beside, .stack, .tabs: "the id of a '\(kind.rawValue)', or its panes,"
    case .label: "the text of a label"
    case .item: "the title of an item"
    default: "the title of a menu"
    }
  }

  /// - Parameter field: the field with the function. The hint depends on it.
  func functionMisuse(_ what: String, field: String? = nil) -> LuaMisuse {
    let hint =
      switch field {
      case "confirm": "to compute the question, write NAME.confirm.ACTION = function(self, ctx) … end"
      case "enabled": Self.enabledByCan
      case "1": "put the function into a handler: function page.on:save() … end"
      default: "to change it later, write a 'look' of the action or the menu"
      }
    let expected = field == "1" ? "the name of an action" : "a plain value"
    return LuaMisuse("\(what) must be \(expected), not a function: \(hint)")
  }

  /// `item "Title" { … }`: sets the fields of an element.
  private func callElement(_ call: LuaCall) throws -> LuaReturn {
    guard let element = element(at: 1, on: call.L) else { throw LuaMisuse("this value is no menu element") }
    guard case .named = element.form else {
      throw LuaMisuse(
        "\(element.described) is called like a function; put a comma after it")
    }
    guard clua_type(call.L, 2) == CLUA_TTABLE.rawValue, clua_hostNumber(call.L, 2) < 0 else {
      let found = try call[1]
      let hint =
        switch found {
        case .object: "; put a comma after it"
        case .text(let text) where element.kind == .item: "; put its action in braces: { \"\(text.visible)\" }"
        default: ""
        }
      throw LuaMisuse("\(element.described) takes a table of its fields, not \(found.described)\(hint)")
    }
    switch element.kind {
    case .item: try readItem(element, call.L)
    case .menu: try readMenu(element, call.L)
    case .section: try readSection(element, call.L)
    case .pane, .text, .beside, .stack, .tabs: try readArea(element, call.L)
    case .label, .separator: break
    }
    try checkKept()
    clua_setTop(call.L, 1)
    return .pushed(1)
  }

  /// Reads a field of an element for a script: `kind`, `title`, `id`.
  private func readElement(_ call: LuaCall) throws -> LuaReturn {
    guard let element = element(at: 1, on: call.L), case .text(let key) = try call[1] else { return .values([.nil]) }
    let whole: Element? = if case .whole(let whole) = element.form { whole } else { nil }
    switch key {
    case "kind": return .values([.text(element.kind.rawValue)])
    case "title": return .values([.text(element.title)])
    case "id":
      switch element.form {
      case .placed(let placed): return .values([.text(placed.id)])
      case .item(let fields): return .values([fields.id.map { .text($0) } ?? .nil])
      case .section: return .values([.text(element.title)])
      case .menu where element.kind.isArea: return .values([element.title.isEmpty ? .nil : .text(element.title)])
      case .menu(let fields): return .values([fields.id.map { .text($0) } ?? .nil])
      default: return .values([(whole?.id).map { .text($0) } ?? .nil])
      }
    case "action":
      let action =
        switch element.form {
        case .placed(let placed): placed.facts.action
        case .item(let fields): fields.action?.raw ?? ""
        default: whole?.facts.action ?? ""
        }
      return .values([action.isEmpty ? .nil : .text(action)])
    default: return .values([.nil])
    }
  }

  /// `menubar { … }` declares the main menu of an owner; `panel { … }` the body of a face.
  private func declareMenubar(_ call: LuaCall, _ owner: ScriptOwner, asPanel isPanel: Bool) throws -> LuaReturn {
    let name = isPanel ? "panel" : "menubar"
    try refuseWhileAsking("declaring")
    let place = declarationPlace(call)
    guard clua_type(call.L, 1) == CLUA_TTABLE.rawValue, clua_hostNumber(call.L, 1) < 0 else {
      throw LuaMisuse("\(name) takes a table of \(isPanel ? "elements" : "menus"), not \(try call[0].described)")
    }
    var taking = Taking()
    let known = isPanel ? fieldNames.panel : fieldNames.list
    var findsTyped = true
    try forEachField(1, of: known, call.L) { field, L in
      guard known.names.contains(field) else { return unknownField(field, of: name, known.names, at: place) }
      guard clua_type(L, -1) == CLUA_TBOOLEAN.rawValue else {
        throw LuaMisuse("'\(field)' of \(name) must be a boolean, not \(try lua.value(at: -1, on: L).described)")
      }
      findsTyped = clua_bool(L, -1)
    }
    let elements = try children(at: 1, call.L, of: name, place, &taking)
    try allowing {
      try host.menuTrees.declare(
        elements, asPanel: isPanel, findsTyped: findsTyped, owner: owner.owner, place: place)
    }
    return .nothing
  }

  /// `extend(id [, where], elements …)`: adds elements to anybody's menu, section or layout (M15).
  private func extendMenu(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("declaring")
    let place = declarationPlace(call)
    let id = try elementID(try call[0], "the id that 'extend' takes")
    var (position, order) = (ExtensionPoint.Position.last, 0.0)
    let L = call.L
    var next: Int32 = 2
    if clua_type(L, 2) == CLUA_TTABLE.rawValue, clua_hostNumber(L, 2) < 0 {
      next = 3
      let known = fieldNames.extend
      var given: String?
      try forEachField(2, of: known, L) { field, L in
        guard known.names.contains(field) else { return unknownField(field, of: "extend", known.names, at: place) }
        if field == "order" {
          switch try lua.value(at: -1, on: L) {
          case .integer(let number): order = Double(number)
          case .number(let number) where number.isFinite: order = number
          case let value: throw LuaMisuse("'order' of extend must be a number, not \(value.described)")
          }
          return
        }
        if let given { throw LuaMisuse("extend takes '\(given)' or '\(field)': remove one") }
        given = field
        switch field {
        case "first", "last":
          guard clua_type(L, -1) == CLUA_TBOOLEAN.rawValue else {
            throw LuaMisuse("'\(field)' of extend must be true, not \(try lua.value(at: -1, on: L).described)")
          }
          if clua_bool(L, -1) { position = field == "first" ? .first : .last }
        default:
          let name = try elementID(try lua.value(at: -1, on: L), "'\(field)' of extend")
          position = field == "before" ? .before(name) : field == "after" ? .after(name) : .group(name)
        }
      }
    }
    var elements: [Element] = []
    var taking = Taking()
    let last = clua_top(L)
    guard last >= next else {
      throw LuaMisuse("extend needs elements to add to '\(id)': extend(\"\(id)\", item \"…\" { … })")
    }
    for index in next...last {
      guard let element = element(at: index, on: L) else {
        throw LuaMisuse(
          "extend takes an id, a table such as { after = \"copy\" }, and elements, not \(try lua.value(at: index, on: L).described)"
        )
      }
      elements.append(try take(element, at: index, L, &taking))
    }
    try allowing {
      try host.menuTrees.extend(
        ExtensionPoint(id: id, position: position, order: order), with: elements, owner: owner.owner, place: place)
    }
    return .nothing
  }
}
