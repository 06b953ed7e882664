import CLua

// The calls of responders: define, derive, remove, perform; and those of windows.

extension ScriptEngine {
  static let responderCalls: [(name: String, body: HostCalls.Body)] = [
    ("define", { try $0.define($1) }),
    ("derive", { try $0.derive($1) }),
    ("remove", { try $0.remove($1) }),
    ("perform", { try $0.performFrom($1) }),
  ]

  static let windowCalls: [(name: String, body: HostCalls.Body)] = [
    ("make_key", { try $0.makeKey($1) }),
    ("make_main", { try $0.makeMain($1) }),
  ]

  private func makeKey(_ call: LuaCall) throws -> LuaReturn {
    try refuseWhileAsking("making a window key")
    try allowing { try host.makeKey(try receiver(call, "make_key").responder) }
    return .nothing
  }

  private func makeMain(_ call: LuaCall) throws -> LuaReturn {
    try refuseWhileAsking("making a window main")
    try allowing { try host.makeMain(try receiver(call, "make_main").responder) }
    return .nothing
  }

  /// Registers a table of parts for an action: on, can, look, needs.
  private func register(
    _ action: String, _ parts: LuaTable, in behaviour: Behaviour, of responder: Responder?, owner: ScriptOwner
  ) throws -> [Registration] {
    var contents: [(table: ObjectTable, content: TableContent)] = []
    var isReentrant: Bool?
    try lua.forEach(in: parts) { key, value in
      guard case .text(let name) = key else {
        throw LuaMisuse("a definition must have named fields, not \(key.described)")
      }
      if name == "reentrant" {
        guard case .bool(let value) = value else {
          throw LuaMisuse("'reentrant' must be true or false, not \(value.described)")
        }
        isReentrant = value
        return true
      }
      guard let table = ObjectTable.byAction.first(where: { $0.name == name }) else {
        let near = nearest(to: name, among: ObjectTable.byAction.map(\.name) + ["reentrant"]).first
        throw LuaMisuse("a definition has no field '\(name)'\(near.map { "; did you mean '\($0)'?" } ?? "")")
      }
      let content = try content(table, action, value, owner)
      try checkKept(content.keptBytes, for: owner)
      contents.append((table, content))
      return true
    }
    if let isReentrant {
      guard let content = contents.first(where: { $0.table == .on })?.content, case .handler(let handler) = content
      else { throw LuaMisuse("'reentrant' needs 'on' in the same definition") }
      handler.isReentrant = isReentrant
    }
    return contents.map {
      let number = put($0.content, into: $0.table, action, behaviour, responder)
      return registration(of: number, in: $0.table, action, behaviour, responder)
    }
  }

  private func define(_ call: LuaCall) throws -> LuaReturn {
    let (responder, owner) = try receiver(call, "define")
    try refuseWhileAsking("registering", exceptResolving: responder)
    let layer = try layer(of: responder, for: owner)
    let action = try actionName(.text(try call.text(1, "the name of an action")), .on, in: layer)
    guard let parts = try call.table(2, "the definition") else {
      throw LuaMisuse(
        "define takes the name of an action and a table: { on = …, can = …, look = …, needs = …, takes = … }")
    }
    let registrations = try register(
      action, parts, in: layer, of: responder, owner: owner)
    return .values([try handle(Registration { registrations.forEach { $0.remove() } })])
  }

  /// Gives a responder its own class on top of the others. A class of the same name is made once.
  private func derive(_ call: LuaCall) throws -> LuaReturn {
    let (responder, owner) = try receiver(call, "derive")
    try refuseWhileAsking("deriving")
    try refuseOthers("derive", of: responder, owner)
    let name = try call.text(1, "the name of a derived class")
    try allowing { try Chain.checkName(name, of: "class") }
    if !responder.derived.contains(where: { $0.name.hasSameBytes(as: name) }) {
      let definition = ClassDefinition(name: name, owner: owner.owner, place: place(call.place), ancestor: nil)
      let made = add(definition, owner)
      if let parts = try call.table(2, "the fields of a derived class") {
        try lua.forEach(in: parts) { key, value in
          try setClassField(key, value, of: made)
          return true
        }
      }
      responder.derive(definition)
    }
    clua_setTop(call.L, 1)
    return .pushed(1)
  }

  private func remove(_ call: LuaCall) throws -> LuaReturn {
    let (responder, owner) = try receiver(call, "remove")
    try refuseWhileAsking("removing")
    try refuseOthers("remove", of: responder, owner)
    try allowing { try host.remove(responder) }
    return .nothing
  }

  private func performFrom(_ call: LuaCall) throws -> LuaReturn {
    let (responder, owner) = try receiver(call, "perform")
    var options = PerformOptions()
    if responder.kind != .app { options.from = responder }
    return try perform(call, options, owner)
  }
}
