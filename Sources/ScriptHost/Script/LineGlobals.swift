extension ScriptEngine {
  /// The globals of lines: the script's, and `_`.
  func lineGlobals(of script: ScriptOwner) throws -> LuaTable {
    if let known = script.lineGlobals { return known }
    let globals = lua.newTable()
    let metatable = lua.newTable()
    let write = script.function(lua) { [unowned self] call, script in
      let key = try call[1]
      if case .text(let name) = key, !script.defined.contains(name) {
        if try languageNames(of: script).contains(name) { throw LuaMisuse(try unassignable(name, script, call)) }
        script.defined.insert(name)
      }
      try lua.rawSet(key, try call[2], of: script.environment)
      return .nothing
    }
    try lua.rawSet("__index", .table(script.environment), of: metatable)
    try lua.rawSet("__newindex", .function(write), of: metatable)
    try lua.rawSet("__metatable", false, of: metatable)
    try setMetatable(metatable, of: globals)
    script.lineGlobals = globals
    script.environments.append(globals)
    return globals
  }
}
