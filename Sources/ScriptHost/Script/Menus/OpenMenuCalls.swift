import CLua

// app:open_menu, and what a script holds of an open menu: `menu:pick(id)`, `menu:close()`, `menu.open`.

extension ScriptEngine {
  /// open_menu(id or snapshot of a context menu); returns nil and the reason if there is nothing to open.
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

  /// Whether a snapshot is that of the last context menu: the root of a tree with the same elements.
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
