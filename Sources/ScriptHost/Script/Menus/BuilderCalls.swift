import CLua

// The calls of builders: m:find, m:insert_before … They edit the tree that is being made, never a declaration.

extension ScriptEngine {
  /// The calls of a builder on its menu.
  static let builderCalls: [(name: String, body: HostCalls.Body)] = [
    ("find", { try $0.findElement($1) }),
    ("insert_before", { try $0.insertElement(.before, $1) }),
    ("insert_after", { try $0.insertElement(.after, $1) }),
    ("insert_first", { try $0.insertElement(.first, $1) }),
    ("insert_last", { try $0.insertElement(.last, $1) }),
    ("replace", { try $0.replaceElement($1) }),
    ("replace_children", { try $0.replaceChildren($1) }),
    ("remove", { try $0.removeElement($1) }),
    ("forward", { try $0.forwardBuilding($1) }),
    ("stop", { try $0.stopBuilding($1) }),
  ]

  /// Makes the table for all builders. The present builder decides which tree it edits.
  func makeBuilderTable() -> Int32 {
    let calls = HostCalls(Self.builderCalls)
    let metatable = metatable(
      name: "menu builder",
      index: { [unowned self] call in
        guard case .text(let name) = try call[1] else { return .values([.nil]) }
        if let function = calls.function(name, of: self) { return .values([.function(function)]) }
        let near = nearest(to: name, among: calls.names.sorted()).first.map { "; did you mean '\($0)'?" }
        let hint = Self.adding.contains(name) ? "; to add at the end: m:insert_last(\"root\", element)" : near ?? ""
        throw LuaMisuse("a builder has no '\(name)'\(hint)")
      },
      newIndex: { _ in
        throw LuaMisuse("a builder's menu has no fields to assign: call its methods, such as m:insert_last")
      },
      string: { _ in .values(["menu builder"]) })
    clua_newHostTable(lua.L, Self.builderNumber, metatable)
    return clua_reference(lua.L)
  }

  /// Names of other programs' functions that add to a list.
  private static let adding = ["add", "append", "insert", "push"]

  /// A number that no responder and no class has.
  private static let builderNumber = ScriptClass.mark | 1 << 61

  private func editor(_ call: LuaCall, _ name: String) throws -> TreeEditor {
    guard clua_hostNumber(call.L, 1) == Self.builderNumber else {
      throw LuaMisuse("call it with a colon: m:\(name)(…)")
    }
    guard let editor = editors.last, editor.isOpen else {
      throw LuaMisuse("call m:\(name)() only in a builder, while it runs")
    }
    return editor
  }

  private func id(_ call: LuaCall, _ name: String) throws -> String {
    switch try call[1] {
    case .text(let id): return id
    case .integer(let number): return String(number)
    case .object(let object):
      let element = (object as? LuaCallableValue)?.callable as? ScriptElement
      if case .placed(let placed) = element?.form { return placed.id }
      throw LuaMisuse("m:\(name)() takes an id, not an element")
    case let value: throw LuaMisuse("m:\(name)() takes an id, not \(value.described)")
    }
  }

  private func node(_ call: LuaCall, _ index: Int, _ name: String) throws -> MenuNode {
    if let node = try node(at: Int32(index + 1), call.L) { return node }
    throw LuaMisuse("m:\(name)() takes a menu element, not \(try call[index].described)")
  }

  /// Returns true, or false and the reason.
  private func answer(_ refusal: String?) -> LuaReturn {
    .values(refusal.map { [false, .text($0)] } ?? [true])
  }

  private func forwardBuilding(_ call: LuaCall) throws -> LuaReturn {
    if let refusal = try editor(call, "forward").forward() { throw LuaMisuse("m:forward(): \(refusal)") }
    return .nothing
  }

  private func stopBuilding(_ call: LuaCall) throws -> LuaReturn {
    if let refusal = try editor(call, "stop").stop() { throw LuaMisuse("m:stop(): \(refusal)") }
    return .nothing
  }

  private func findElement(_ call: LuaCall) throws -> LuaReturn {
    let editor = try editor(call, "find")
    switch editor.find(try id(call, "find"), at: place(call.place)) {
    case .failure(let refusal): return answer(refusal.message)
    case .success(let node):
      push(scriptElement(for: node, editor), on: call.L)
      return .pushed(1)
    }
  }

  private func scriptElement(for node: MenuNode, _ editor: TreeEditor) -> ScriptElement {
    editor.handOut(node)
    return ScriptElement(
      node.element.kind, title: node.element.title, place: node.element.place, owner: host.program,
      form: .placed(PlacedNode(node: node, id: node.id, facts: node.element.facts)), kept: dispatcher.kept)
  }

  private func insertElement(_ position: MenuTree.Position, _ call: LuaCall) throws -> LuaReturn {
    let editor = try editor(call, position.rawValue)
    let id = try id(call, position.rawValue)
    let node = try node(call, 2, position.rawValue)
    return answer(editor.insert(node, position, id, at: place(call.place)))
  }

  private func replaceElement(_ call: LuaCall) throws -> LuaReturn {
    let editor = try editor(call, "replace")
    let id = try id(call, "replace")
    let node = try node(call, 2, "replace")
    return answer(editor.replace(id, with: node, at: place(call.place)))
  }

  /// m:replace_children(id, fn): the function gets the children, and returns their replacements.
  private func replaceChildren(_ call: LuaCall) throws -> LuaReturn {
    let editor = try editor(call, "replace_children")
    let id = try id(call, "replace_children")
    let place = place(call.place)
    guard case .function(let function) = try call[2] else {
      throw LuaMisuse(
        "m:replace_children() takes an id and a function that returns a list of elements, not \(try call[2].described)")
    }
    guard case .success(let node) = editor.find(id, at: place) else {
      return answer(editor.replaceChildren(of: id, with: [], at: place))
    }
    let list = lua.newTable()
    let L = lua.L
    guard clua_room(L, 4) else { throw LuaMisuse("menus are nested too deep") }
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    try lua.push(list.reference, on: L)
    for (index, child) in node.children.enumerated() {
      push(scriptElement(for: child, editor), on: L)
      clua_rawSetAt(L, top + 1, Int64(index) + 1)
    }
    let answer = try lua.call(function, .table(list)).first ?? .nil
    guard case .table(let table) = answer, try !isHostTable(table) else {
      throw LuaMisuse("the function for m:replace_children() must return a list of elements, not \(answer.described)")
    }
    return self.answer(editor.replaceChildren(of: id, with: try nodes(in: table, place), at: place))
  }

  private func nodes(in table: LuaTable, _ place: Place?) throws -> [MenuNode] {
    var nodes: [MenuNode] = []
    let L = lua.L
    guard clua_room(L, 24) else { throw LuaMisuse("menus are nested too deep") }
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    try lua.push(table.reference, on: L)
    for index in 0..<(try lua.rawCount(of: table)) {
      clua_setTop(L, top + 1)
      clua_rawGetAt(L, top + 1, Int64(index) + 1)
      if let node = try node(at: top + 2, L) {
        nodes.append(node)
        continue
      }
      switch try lua.value(at: top + 2, on: L) {
      case .nil, .bool(false): continue
      case let value:
        warnOnce(
          "not-an-element",
          "entry \(index + 1) of the new children is \(value.described), no menu element, so the host skips it",
          at: place)
      }
    }
    return nodes
  }

  private func removeElement(_ call: LuaCall) throws -> LuaReturn {
    let editor = try editor(call, "remove")
    return answer(editor.remove(try id(call, "remove"), at: place(call.place)))
  }
}
