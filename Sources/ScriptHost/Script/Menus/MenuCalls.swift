import CLua
import CScript

// The calls on `app` that show menus and pick items.

extension ScriptEngine {
  static let menuCalls: [(name: String, body: HostCalls.Body)] = [
    ("menu", { try $0.menu($1) }),
    ("item", { try $0.item($1) }),
    ("panel", { try $0.panel($1) }),
    ("choose", { try $0.choose($1) }),
    ("mark", { try $0.mark($1) }),
    ("filter", { try $0.filter($1) }),
    ("text", { try $0.text($1) }),
    ("select", { try $0.select($1) }),
    ("context_menu", { try $0.contextMenu($1) }),
    ("open_menu", { try $0.openMenu($1) }),
    ("pick", { try $0.pick($1) }),
    ("rebuild", { try $0.rebuild($1) }),
    ("revalidate", { try $0.revalidate($1) }),
  ]

  private func rebuild(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "rebuild")
    try refuseWhileAsking("asking for a rebuild")
    if case .nil = try call[1] {
      host.rebuild()
      return .nothing
    }
    let id = try elementID(try call[1], "the id of a text")
    do { try host.text(id).renew() } catch { throw LuaMisuse(error.message) }
    return .nothing
  }

  private func revalidate(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "revalidate")
    try refuseWhileAsking("asking for a validation")
    host.revalidate()
    return .nothing
  }

  private func menu(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "menu")
    if case .nil = try call[1] { return show(host.snapshot(), call) }
    let id = try elementID(try call[1], "the id of a menu")
    return show(host.snapshot(), id, .menu, call)
  }

  private func item(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "item")
    let id = try elementID(try call[1], "the id of an item")
    return show(host.snapshot(), id, .item, call)
  }

  private func panel(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "panel")
    return host.panel().map { show($0, call) } ?? .values([.nil])
  }

  /// choose(id): makes a row of the panel the current row.
  private func choose(_ call: LuaCall) throws -> LuaReturn {
    try act(call, "choose", "choosing") { host in host.choose(try elementID(try call[1], "the id of a row")) }
  }

  /// mark(ids [, pane]): marks exactly these rows of a pane.
  private func mark(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "mark")
    try refuseWhileAsking("marking rows")
    if case .text(let id) = try call[1] {
      let shown = id.cut(toBytes: 40).visible
      throw LuaMisuse("app:mark takes a list of ids of rows, not a string; write { \"\(shown)\" }")
    }
    guard let list = try call.table(1, "the rows") else { throw LuaMisuse("app:mark takes a list of ids of rows") }
    let ids = try (0..<min(try lua.rawCount(of: list), Pane.mostMarked + 1)).map {
      try elementID(try lua.rawGet(.integer($0 + 1), of: list), "the id of a row")
    }
    var pane: String?
    if case .nil = try call[2] {} else { pane = try elementID(try call[2], "the id of a pane") }
    do { try host.mark(ids, in: pane) } catch { throw LuaMisuse(error.message) }
    return .nothing
  }

  /// filter(pane, text): narrows the rows of a pane.
  private func filter(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "filter")
    try refuseWhileAsking("filtering")
    let pane = try elementID(try call[1], "the id of a pane")
    let text = try call.text(2, "the text of a filter")
    do { try host.filter(pane, by: text) } catch { throw LuaMisuse(error.message) }
    return .nothing
  }

  /// text(id): returns the lines of a text, and calls its function if it hasn't run.
  private func text(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "text")
    try refuseWhileAsking("asking for the lines of a text")
    let id = try elementID(try call[1], "the id of a text")
    let text: PaneText
    do { text = try host.text(id) } catch { throw LuaMisuse(error.message) }
    let run = text.lookNow()
    // A test waits for all lines. Elsewhere the call returns the lines that have come.
    if let run, clua_phase(call.L) == CLUA_DRIVING.rawValue { _ = dispatcher.drive(untilEndOf: run) }
    if let failure = text.failure { return .values([.nil, .text(failure)]) }
    push(.list(text.lines.map { .text($0.text) }), on: call.L)
    return .pushed(1)
  }

  /// select(text, from [, to]): selects lines of a text.
  private func select(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "select")
    try refuseWhileAsking("selecting lines")
    let id = try elementID(try call[1], "the id of a text")
    guard case .integer(let from) = try call[2] else { throw LuaMisuse("app:select takes the numbers of lines") }
    var to = from
    if case .integer(let last) = try call[3] { to = last }
    do { try host.select(id, from: Int(clamping: from), to: Int(clamping: to)) } catch {
      throw LuaMisuse(error.message)
    }
    return .nothing
  }

  private func show(_ element: MenuElement, _ call: LuaCall) -> LuaReturn {
    coverage?.saw(element)
    push(element.value, on: call.L)
    return .pushed(1)
  }

  /// Returns the element of an id, or nil and the reason.
  private func show(_ snapshot: MenuElement, _ id: String, _ kind: MenuElement.Kind, _ call: LuaCall) -> LuaReturn {
    if let found = snapshot.find(id) ?? host.findInContextMenu(id) {
      if found.kind == kind { return show(found, call) }
      return missed("'\(id)' is \(found.kind.described), not \(kind.described)", id, call)
    }
    // A row's own id is enough if one pane alone has it (P9).
    if let found = host.undrawn(id), found.kind == kind { return show(found, call) }
    return missed(host.unknownElement(id), id, call)
  }

  /// Returns nil and the reason. An error from using that nil repeats the reason.
  private func missed(_ sentence: String, _ id: String, _ call: LuaCall) -> LuaReturn {
    lastMissed = MissedLookup(name: id, sentence: sentence, place: call.place)
    return .values([.nil, .text(sentence)])
  }

  private func contextMenu(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "context_menu")
    let kind = try call.text(1, "the kind of a context menu")
    let subject = value(at: 3, on: call.L)
    var from: Responder?
    if let options = try call.table(3, "the options") {
      try lua.forEach(in: options) { key, value in
        guard case .text("from") = key else { throw LuaMisuse("app:context_menu has only the option 'from'") }
        from = try responder(value, "from")
        return true
      }
    }
    return show(speaking(to: owner) { host.contextMenu(kind, subject: subject, from: from) }, call)
  }

  /// pick(id [, modifiers] [, options])
  private func pick(_ call: LuaCall) throws -> LuaReturn {
    try act(call, "pick", "picking") { host in
      let id = try elementID(try call[1], "the id of an item")
      let (modifiers, answers) = try pickOptions(call, from: 2)
      return host.pick(id, modifiers: modifiers, confirmed: answers.isConfirmed, arguments: answers.arguments)
    }
  }

  /// Returns the modifiers and options of a pick, each in a table.
  func pickOptions(_ call: LuaCall, from first: Int) throws -> (modifiers: [String], answers: Answers) {
    var modifiers: [String] = []
    var answers = Answers()
    for index in first...(first + 1) {
      guard let table = try call.table(index, index == first ? "the modifiers" : "the options") else { continue }
      try lua.forEach(in: table) { key, value in
        switch (key, value) {
        case (.integer, .text(let name)): modifiers.append(try modifier(name))
        case (.text(let name), let value):
          if try !answers.add(name, value, self), value.isTrue { modifiers.append(try modifier(name)) }
        default: throw LuaMisuse("modifiers must be a table of names: { alt = true }")
        }
        return true
      }
    }
    return (modifiers, answers)
  }

  private func modifier(_ name: String) throws -> String {
    if Modifiers(name: name) != nil { return name }
    if name == "yes" { throw LuaMisuse("there is no modifier 'yes'; did you mean 'confirmed'?") }
    throw LuaMisuse(Modifiers.unknown(name, beside: ["confirmed", "args"]))
  }

  /// The most bytes of a value's texts in a snapshot, as for a title: thousands of items may share a large value.
  private static var literalBytes: Int { 4096 }

  /// Returns the value as a literal for a snapshot. Other values become their names, as in JSON.
  func literal(_ value: Value) -> Literal {
    switch value {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let value): return value.utf8.count > Self.literalBytes ? .named("too large") : .text(value)
    case .list(let values): return .list(values.map(literal))
    case .object(let members):
      return .object(
        LiteralObject(members.map { LiteralObject.Member(key: $0.key, value: literal($0.value)) }) ?? LiteralObject())
    case .opaque(let responder as Responder): return .named("\(responder.kindWord) '\(responder.name)'")
    case .opaque(let script as ScriptValue): return literal(script.value)
    case .opaque(let object): return .named(Value.opaque(object).typeName)
    }
  }

  private func literal(_ value: LuaValue) -> Literal {
    do {
      return literal(try lua.tree(value, depth: 16, size: 1000, bytes: Self.literalBytes))
    } catch {
      switch (error as? LuaError)?.kind {
      case .cycle?: return .named("cycle")
      case .tooDeep?: return .named("too deep")
      case .tooLarge?: return .named("too large")
      default: return .named(value.typeName)
      }
    }
  }

  private func literal(_ tree: LuaTree) -> Literal {
    switch tree {
    case .nil: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let value): return .text(value)
    case .bytes: return .named("bytes")
    case .opaque(let name): return .named(name)
    case .object(let id, _):
      return .object(
        LiteralObject([.init(key: "$", value: .text("object")), .init(key: "id", value: .integer(id))])
          ?? LiteralObject())
    case .list(let values): return .list(values.map(literal))
    case .map(let entries):
      var members: [LiteralObject.Member] = []
      for entry in entries {
        if case .text(let key) = entry.key {
          members.append(LiteralObject.Member(key: key, value: literal(entry.value)))
        }
      }
      return .object(LiteralObject(members.sorted { $0.key.precedesByBytes($1.key) }) ?? LiteralObject())
    }
  }
}

extension Literal {
  /// Returns a literal that names a value without a literal.
  fileprivate static func named(_ name: String) -> Literal {
    .object(LiteralObject([LiteralObject.Member(key: "$", value: .text(name))]) ?? LiteralObject())
  }
}

// app:open_menu, and a script's handle of an open menu: `menu:pick(id)`, `menu:close()`, `menu.open`.

extension ScriptEngine {
  /// open_menu(id or snapshot of a context menu): returns nil and the reason if there is nothing to open.
  func openMenu(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "open_menu")
    try refuseWhileAsking("opening a menu")
    try refuseWhileLoading("opening a menu")
    let place = place(call.place)
    do {
      return .values([try handle(try open(call, owner.owner, place), owner)])
    } catch let misuse as Misuse {
      return .values([.nil, .text(misuse.message)])
    }
  }

  private func open(_ call: LuaCall, _ owner: Owner, _ place: Place?) throws -> OpenMenu {
    guard case .table(let snapshot) = try call[1] else {
      let id = try elementID(try call[1], "the id of a menu")
      return try host.openMenu(id, owner: owner, place: place)
    }
    guard case .text(let id) = try lua.rawGet("id", of: snapshot) else {
      throw LuaMisuse("open_menu takes the id of a menu or a snapshot of one")
    }
    if try isContextMenu(snapshot, id) { return try host.openContextMenu(owner: owner, place: place) }
    return try host.openMenu(id, owner: owner, place: place)
  }

  /// Returns true if a snapshot is that of the last context menu: the root of a tree with the same elements.
  private func isContextMenu(_ snapshot: LuaTable, _ id: String) throws -> Bool {
    guard id == "root", let menu = host.menuTrees.contextSnapshot(),
      case .table(let children) = try lua.rawGet("children", of: snapshot)
    else { return false }
    guard try lua.rawCount(of: children) == menu.children.count else { return false }
    for (index, child) in menu.children.enumerated() {
      guard case .table(let table) = try lua.rawGet(.integer(index + 1), of: children),
        case .text(let id) = try lua.rawGet("id", of: table), id.hasSameBytes(as: child.id)
      else { return false }
    }
    return true
  }

  private func handle(_ menu: OpenMenu, _ owner: ScriptOwner) throws -> LuaValue {
    let (number, title) = (menu.session.number, menu.session.title)
    let pick = owner.function(lua) { [unowned self] call, owner in
      try act(call, "picking", for: owner) { _ in
        let id = try elementID(try call[1], "the id of an item")
        let (modifiers, answers) = try pickOptions(call, from: 2)
        let menu = openSession(number)?.menu as? OpenMenu
        return menu?.pick(id, modifiers: modifiers, confirmed: answers.isConfirmed, arguments: answers.arguments)
          ?? OpenMenu.over(title)
      }
    }
    return try handle(menu.session, named: "open menu", calls: ["pick": pick])
  }
}

// Snapshots and changes as plain tables for scripts.

extension MenuElement {
  /// The element as a plain value, with the fields of its JSON.
  var value: Value {
    var members: [(key: String, value: Value)] = [("kind", .text(kind.rawValue)), ("id", .text(id))]
    func add(_ key: String, _ text: String?) { if let text { members.append((key, .text(text))) } }
    func add(_ key: String, _ flag: Bool) { if flag { members.append((key, true)) } }
    if kind != .separator { add("title", title) }
    members += styledMembers.map { ($0.key, Value($0.value)) }
    guard kind != .separator, kind != .label else { return .object(members) }
    members.append(("enabled", .bool(isEnabled)))
    members.append(("hidden", .bool(isHidden)))
    add("reason", reason)
    if kind != .item {
      if isCurrent { members.append(("current", true)) }
      if isMarked { members.append(("marked", true)) }
      if let isOpen { members.append(("open", .bool(isOpen))) }
      if level > 0 { members.append(("level", .integer(Int(level)))) }
      if kind.isArea {
        add("subtitle", subtitle)
        add("key", key)
      }
      if let area { members += area.members.map { ($0.key, Value($0.value)) } }
      members.append(("children", .list(children.map(\.value))))
      return .object(members)
    }
    add("subtitle", subtitle)
    add("action", action)
    members.append(("args", Value(Literal.object(arguments))))
    add("key", key)
    members.append(("state", .text(state.rawValue)))
    add("by", by)
    add("elsewhere", elsewhere)
    add("only_in", onlyIn)
    add("blocked", isBlocked)
    add("icon", icon)
    add("mark", mark?.rawValue)
    if let details = facts.details {
      members += ItemFact.all.compactMap { fact in fact.value(in: details).map { (fact.name, $0) } }
    }
    add("asks", asks)
    add("current", isCurrent)
    add("marked", isMarked)
    if level > 0 { members.append(("level", .integer(Int(level)))) }
    add("palette", isInPalette)
    add("destructive", isDestructive)
    if !alternates.isEmpty {
      members.append(
        ("alternates", .object(alternates.map { ($0.modifiers.joined(separator: "+"), $0.element.value) })))
    }
    return .object(members)
  }
}

extension MenuChange {
  /// The change as a plain value: `change`, `id`, and its other fields.
  var value: Value {
    var members: [(key: String, value: Value)] = [("change", .text(name)), ("id", .text(id))]
    switch self {
    case .insert(_, let parent, let after), .move(_, let parent, let after):
      members.append(("parent", .text(parent)))
      if let after { members.append(("after", .text(after))) }
    case .remove, .update: break
    }
    switch self {
    case .insert(let element, _, _), .update(let element): members.append(("element", element.value))
    case .remove, .move: break
    }
    return .object(members)
  }
}
