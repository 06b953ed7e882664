import CLua

// The globals of a test file: its own, then the language and the words of tests, then what its subject defined.

extension TestRun {
  func makeEnvironment() throws -> LuaTable {
    clua_newGlobals(lua.L)
    let own = LuaTable(reference: lua.takeReference())
    let language = LuaTable(reference: lua.takeReference())
    // Its `math` is the subject's, whose seed a test may give.
    try lua.rawSet("math", .nil, of: language)
    for (name, function) in try words() { try lua.rawSet(.text(name), .function(function), of: language) }
    try setMetatable(["__index": .function(function { try $0.read($1, language) })], of: language)
    try setMetatable(
      [
        "__index": .table(language), "__newindex": .function(function { try $0.write($1, language) }),
        "__metatable": false,
      ],
      of: own)
    return own
  }

  /// Makes a function of the language of tests, which doesn't retain this.
  func function(_ body: @escaping (TestRun, LuaCall) throws -> LuaReturn) -> LuaFunction {
    lua.function { [weak self] call in
      guard let self else { throw LuaMisuse("the test that this belongs to is over") }
      return try body(self, call)
    }
  }

  private func setMetatable(_ fields: [String: LuaValue], of table: LuaTable) throws {
    let metatable = lua.newTable()
    for (name, value) in fields { try lua.rawSet(.text(name), value, of: metatable) }
    try lua.push(table.reference, on: lua.L)
    try lua.push(metatable.reference, on: lua.L)
    clua_setRawMetatable(lua.L, -2)
    clua_pop(lua.L, 1)
  }

  /// Reads a name of the language or of the subject; throws for a name that nobody defined.
  private func read(_ call: LuaCall, _ language: LuaTable) throws -> LuaReturn {
    guard case .text(let name) = try call[1] else { return .values([.nil]) }
    let word = try engine.scriptName(name, of: script)
    if case .nil = word {
    } else {
      try lua.rawSet(.text(name), word, of: language)
      return .values([word])
    }
    if script.defined.contains(name) { return .values([try lua.rawGet(.text(name), of: script.environment)]) }
    if defined.contains(name) { return .values([.nil]) }
    throw LuaMisuse("'\(name)' is not defined\(try near(name, call, language))")
  }

  /// Assigns a global. While the file loads, that defines it; a test assigns what the file defined, else what its
  /// subject did.
  private func write(_ call: LuaCall, _ language: LuaTable) throws -> LuaReturn {
    let key = try call[1]
    if case .text(let name) = key {
      if stage == .loading { defined.insert(name) }
      if !defined.contains(name) {
        guard script.defined.contains(name) else {
          throw LuaMisuse(
            "'\(name)' was not defined while the file loaded, so a test can't assign it\(try near(name, call, language)); "
              + "did you mean 'local \(name)'?")
        }
        try lua.rawSet(key, try call[2], of: script.environment)
        return .nothing
      }
    }
    clua_setTop(call.L, 3)
    if !clua_rawSet(call.L, 1) { throw LuaMisuse("the name of a global can't be nil or NaN") }
    return .nothing
  }

  private func near(_ name: String, _ call: LuaCall, _ language: LuaTable) throws -> String {
    var known = try defined.union(script.defined).union(engine.languageNames(of: script))
    try lua.forEach(in: language) { key, _ in
      if case .text(let text) = key { known.insert(text) }
      return true
    }
    return engine.guess(of: name, call, among: known)
  }
}
