import CLua

/// A *script name* is a name that scripts find beside Lua's library and what they define. It gets its value when an owner's script first reads it,
/// since few scripts read all of them.
struct ScriptName: Sendable {
  let name: String
  /// Pushes what it stands for in an owner's scripts.
  let push: @Sendable (ScriptEngine, ScriptOwner) throws -> Void

  init(_ name: String, pushed push: @escaping @Sendable (ScriptEngine, ScriptOwner) throws -> Void) {
    self.name = name
    self.push = push
  }

  /// A name that is called.
  init(_ name: String, _ body: @escaping @Sendable (ScriptEngine, LuaCall, ScriptOwner) throws -> LuaReturn) {
    self.init(name) { engine, script in
      engine.lua.push(function: script.own { [unowned engine] in try body(engine, $0, $1) }, on: engine.lua.L)
    }
  }
}

extension ScriptEngine {
  static let scriptNames: [ScriptName] =
    declaringNames + timerNames + menuNames + textNames + dataNames + grantedNames + watchNames + faceNames + askNames

  /// Pushes the value of a script name that no script of the owner has read before; pushes nothing and returns false for every other name.
  func pushName(_ name: String, of script: ScriptOwner) throws -> Bool {
    if let word = Self.scriptNames.first(where: { $0.name == name }) {
      try word.push(self, script)
    } else if let natives, natives.natives.roots.contains(name) {
      try lua.push(.table(try natives.table(name)), on: lua.L)
    } else {
      return false
    }
    clua_copy(lua.L, -1)
    try lua.push(script.language.reference, on: lua.L)
    clua_insert(lua.L, -2)
    lua.setField(name, on: lua.L)
    clua_pop(lua.L, 1)
    return true
  }

  /// What a name of an owner's language stands for; nil where it has none of that name.
  func scriptName(_ name: String, of script: ScriptOwner) throws -> LuaValue {
    let known = try lua.rawGet(.text(name), of: script.language)
    guard case .nil = known, try pushName(name, of: script) else { return known }
    defer { clua_pop(lua.L, 1) }
    return try lua.value(at: -1, on: lua.L)
  }

  /// The names of Lua's library, as far as scripts have it, the script names, and the tables of the program's functions.
  func languageNames(of script: ScriptOwner) throws -> Set<String> {
    var names = Set(Self.scriptNames.map(\.name)).union(natives?.natives.roots ?? [])
    try lua.forEach(in: script.language) { key, _ in
      if case .text(let name) = key { names.insert(name) }
      return true
    }
    return names
  }
}
