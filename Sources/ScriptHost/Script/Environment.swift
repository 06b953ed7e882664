import CLua

// The globals of one owner's scripts. What they define lies before the library and the language, and before both a guard against
// names that nobody defined.

extension ScriptOwner {
  /// Makes a function of its language, which doesn't hold it: it holds the tables where the function lies.
  func function(_ lua: LuaState, _ body: @escaping (LuaCall, ScriptOwner) throws -> LuaReturn) -> LuaFunction {
    lua.function(own(body))
  }

  /// The body of such a function.
  func own(_ body: @escaping (LuaCall, ScriptOwner) throws -> LuaReturn) -> (LuaCall) throws -> LuaReturn {
    { [life] call in
      guard let script = life.script else { throw LuaMisuse(life.owner.gone.message) }
      return try body(call, script)
    }
  }

  /// Refuses what nobody can do any more whose scripts go, or are set aside.
  func checkIsThere() throws {
    if index == 0 { throw LuaMisuse.unknownScript }
    if let whyInactive = owner.whyInactive { throw LuaMisuse(whyInactive) }
  }
}

extension LuaMisuse {
  /// What is said to a script of which nobody knows any more whose it was.
  static var unknownScript: LuaMisuse { LuaMisuse("the script that this belongs to is gone") }
}

extension ScriptEngine {
  /// Makes an owner's environment.
  func addOwner(_ owner: Owner) throws -> ScriptOwner {
    clua_newGlobals(lua.L)
    let own = LuaTable(reference: lua.takeReference())
    let language = LuaTable(reference: lua.takeReference())
    let script = add(owner, environment: own, language: language)
    do {
      try guardNames(of: script)
      if host.outside != nil { try seed(script, with: choosing) }
      try standIn(for: script)
    } catch {
      forget(script)
      throw error
    }
    return script
  }

  /// Reading a name that was never defined raises; assigning defines while the script loads, and afterwards only what it defined then.
  private func guardNames(of script: ScriptOwner) throws {
    let read = script.function(lua) { [unowned self] call, script in
      guard case .text(let name) = try call[1] else { return .values([.nil]) }
      if try pushName(name, of: script) { return .pushed(1) }
      if script.defined.contains(name) { return .values([.nil]) }
      if name == "io" { return .values([.table(try refusedIO())]) }
      if name == "plugin" { throw LuaMisuse("'plugin' is not defined in an app: a plugin is loaded with its app") }
      throw LuaMisuse("'\(name)' is not defined\(try nearName(name, script))")
    }
    let write = script.function(lua) { [unowned self] call, script in
      if case .text(let name) = try call[1] {
        if script.isLoading { script.defined.insert(name) }
        if !script.defined.contains(name) { throw LuaMisuse(try unassignable(name, script)) }
      }
      clua_setTop(call.L, 3)
      if !clua_rawSet(call.L, 1) { throw LuaMisuse("the name of a global can't be nil or NaN") }
      return .nothing
    }
    let behind = lua.newTable()
    try lua.rawSet("__index", .function(read), of: behind)
    try setMetatable(behind, of: script.language)
    let before = lua.newTable()
    try lua.rawSet("__index", .table(script.language), of: before)
    try lua.rawSet("__newindex", .function(write), of: before)
    try lua.rawSet("__metatable", false, of: before)
    try setMetatable(before, of: script.environment)
  }

  func setMetatable(_ metatable: LuaTable, of table: LuaTable) throws {
    try lua.push(table.reference, on: lua.L)
    try lua.push(metatable.reference, on: lua.L)
    clua_setRawMetatable(lua.L, -2)
    clua_pop(lua.L, 1)
  }

  func unassignable(_ name: String, _ script: ScriptOwner) throws -> String {
    if !(try languageNames(of: script).contains(name)) {
      return
        "'\(name)' was not defined while the script loaded, so it can't be assigned now\(try nearName(name, script))"
    }
    return "'\(name)' is the host's and can't be assigned now; did you mean 'local \(name)'?"
  }

  private func nearName(_ name: String, _ script: ScriptOwner) throws -> String {
    let known = script.defined.union(try languageNames(of: script))
    return nearest(to: name, among: known).first.map { "; did you mean '\($0)'?" } ?? ""
  }
}
