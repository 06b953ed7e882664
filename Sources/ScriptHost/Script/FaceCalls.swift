// Requests to the face that began the action (E6): open_palette(), open_menu(id), open_form(ref).

extension ScriptEngine {
  static let faceNames: [ScriptName] = [
    ScriptName("open_palette") { engine, _, _ in try engine.wish("open_palette") { .palette } },
    ScriptName("open_menu") { engine, call, _ in try engine.wish("open_menu") { try engine.wishedMenu(call) } },
    ScriptName("open_form") { engine, call, _ in try engine.wish("open_form") { try engine.wishedForm(call) } },
  ]

  private func wishedMenu(_ call: LuaCall) throws -> FaceWish {
    let id = try elementID(try call[0], "the id of a menu")
    guard let found = host.menuTrees.find(id) else { throw Misuse(.unknownName, host.unknownElement(id)) }
    let kind = found.node.element.kind
    if kind == .menu { return .menu(found.node.id) }
    throw Misuse(.unknownName, "'\(id)' is \(kind.described), not a menu")
  }

  private func wishedForm(_ call: LuaCall) throws -> FaceWish {
    let raw = try call.text(0, "the reference of an action")
    do {
      _ = try Reference.parse(raw)
      return .form(raw)
    } catch {
      throw LuaMisuse("open_form takes the reference of an action: \(error.message)")
    }
  }

  /// Passes a wish to the face. Returns true, or nil and the reason why nothing opens.
  private func wish(_ name: String, _ made: () throws -> FaceWish) throws -> LuaReturn {
    try refuseWhileAsking("\(name)")
    try refuseWhileLoading("\(name)")
    do {
      let wish = try made()
      guard host.onWish?(wish) ?? false else {
        throw Misuse(.notNow, "nothing can be opened: this action wasn't started from the terminal UI or another face")
      }
      return .values([.bool(true)])
    } catch let misuse as Misuse {
      return .values([.nil, .text(misuse.message)])
    }
  }
}
