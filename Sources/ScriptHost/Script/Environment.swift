import CLua

// The globals of one owner's scripts: the library, the language, and a guard against names that nobody defined.

extension ScriptEngine {
  /// Makes an owner's environment.
  func addOwner(_ owner: Owner) throws -> ScriptOwner {
    let script = ScriptOwner(owner: owner, index: owners.count, environment: lua.newEnvironment())
    owners.append(script)
    let environment = script.environment
    for (name, function) in declarations(for: script) {
      try lua.rawSet(.text(name), .function(function), of: environment)
    }
    clua_pushReference(lua.L, clua_passReference(lua.L))
    try setTop("pass", in: environment)
    clua_pushReference(lua.L, nullReference)
    try setTop("null", in: environment)
    clua_pushReference(lua.L, object(of: chain.app, for: script))
    try setTop("app", in: environment)
    try guardNames(of: script)
    return script
  }

  /// Sets a global to the value on top of the stack.
  private func setTop(_ name: String, in environment: LuaTable) throws {
    try lua.push(environment.reference, on: lua.L)
    clua_insert(lua.L, -2)
    lua.push(text: name, on: lua.L)
    clua_insert(lua.L, -2)
    _ = clua_rawSet(lua.L, -3)
    clua_pop(lua.L, 1)
  }

  /// Reading a name that was never defined raises; assigning defines while the script loads, and afterwards raises.
  private func guardNames(of script: ScriptOwner) throws {
    let environment = script.environment
    let read = lua.function { [unowned self] call in
      guard case .text(let name) = try call[1] else { return .values([.nil]) }
      throw LuaMisuse("'\(name)' is not defined\(try nearName(name, in: environment))")
    }
    let write = lua.function { [unowned self] call in
      guard script.isLoading else {
        let name = (try? call.text(1, "a name")) ?? "it"
        throw LuaMisuse(
          "'\(name)' was not defined while the script loaded, so it can't be assigned now\(try nearName(name, in: environment))"
        )
      }
      clua_setTop(call.L, 3)
      _ = clua_rawSet(call.L, 1)
      return .nothing
    }
    let guarding = lua.newTable()
    try lua.rawSet("__index", .function(read), of: guarding)
    try lua.rawSet("__newindex", .function(write), of: guarding)
    try lua.rawSet("__metatable", false, of: guarding)
    try lua.push(environment.reference, on: lua.L)
    try lua.push(guarding.reference, on: lua.L)
    clua_setRawMetatable(lua.L, -2)
    clua_pop(lua.L, 1)
  }

  private func nearName(_ name: String, in environment: LuaTable) throws -> String {
    var known: [String] = []
    try lua.forEach(in: environment) { key, _ in
      if case .text(let text) = key { known.append(text) }
      return true
    }
    return nearest(to: name, among: known).first.map { "; did you mean '\($0)'?" } ?? ""
  }
}
