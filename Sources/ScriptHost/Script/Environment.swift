import CLua

// The globals of an owner's scripts. A lookup visits the scripts' own definitions, then the library and the language. A
// guard refuses undefined names.

extension ScriptOwner {
  /// Makes a function of the owner's language. It doesn't retain the owner, which holds the tables with the function.
  func function(_ lua: LuaState, _ body: @escaping (LuaCall, ScriptOwner) throws -> LuaReturn) -> LuaFunction {
    lua.function(own(body))
  }

  /// Returns the body of a function that `function(_:_:)` makes.
  func own(_ body: @escaping (LuaCall, ScriptOwner) throws -> LuaReturn) -> (LuaCall) throws -> LuaReturn {
    { [life] call in
      guard let script = life.script else { throw LuaMisuse(life.owner.gone.message) }
      return try body(call, script)
    }
  }

  /// Throws if this owner's scripts are leaving, set aside, or unknown.
  func checkIsThere() throws {
    if index == 0 { throw LuaMisuse.unknownScript }
    if let whyInactive = owner.whyInactive { throw LuaMisuse(whyInactive) }
  }
}

extension LuaMisuse {
  /// The error for a script whose owner is gone.
  static var unknownScript: LuaMisuse { LuaMisuse("the script that made this is gone") }
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

  /// Sets up the guard: reading an undefined name raises. A script defines names by assigning them while it loads.
  /// Later it can assign only defined names.
  private func guardNames(of script: ScriptOwner) throws {
    let read = script.function(lua) { [unowned self] call, script in
      guard case .text(let name) = try call[1] else { return .values([.nil]) }
      if try pushName(name, of: script) { return .pushed(1) }
      if script.defined.contains(name) { return .values([.nil]) }
      if name == "io" { return .values([.table(try refusedIO())]) }
      if name == "plugin" {
        throw LuaMisuse("'plugin' is not defined in an app; load a plugin with its app: menuctl load APP --plugin FILE")
      }
      throw LuaMisuse("'\(name)' is not defined\(guess(of: name, call, among: try knownNames(of: script)))")
    }
    let write = script.function(lua) { [unowned self] call, script in
      if case .text(let name) = try call[1] {
        if script.isLoading { script.defined.insert(name) }
        if !script.defined.contains(name) { throw LuaMisuse(try unassignable(name, script, call)) }
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

  func unassignable(_ name: String, _ script: ScriptOwner, _ call: LuaCall) throws -> String {
    if try languageNames(of: script).contains(name) {
      return "'\(name)' belongs to the host, so it can't be assigned now; did you mean 'local \(name)'?"
    }
    let guess = guess(of: name, call, among: try knownNames(of: script))
    return "'\(name)' was not defined while the script loaded, so it can't be assigned now"
      + (guess.isEmpty ? "; did you mean 'local \(name)'?" : guess)
  }

  /// Returns the globals that an owner's scripts may read.
  func knownNames(of script: ScriptOwner) throws -> Set<String> {
    script.defined.union(try languageNames(of: script))
  }

  /// Returns the end of an error about an undefined name: the likely intention of the author.
  func guess(of name: String, _ call: LuaCall, among known: Set<String>) -> String {
    if let own = ownField(name, call) { return "; did you mean '\(own)'?" }
    let place = call.place.map { Place(file: $0.source, line: $0.line) }
    return guess(of: name, at: place, among: known).map { "; \($0)" } ?? ""
  }

  /// Returns a hint about an undefined name that a script reads at a place.
  func guess(of name: String, at place: Place?, among known: Set<String>) -> String? {
    if let line = place.flatMap({ lua.line(ofLocal: name, behind: $0) }) {
      return "line \(line) defines the local of that name too late: move it up"
    }
    let responder = host.responders.contains { $0.name.hasSameBytes(as: name) } ? "app:find(\"\(name)\")" : nil
    let locals = place.map(locals) ?? []
    let member = place.flatMap { memberName(name, at: $0, locals) }
    return (responder ?? member ?? nearest(to: name, among: locals + known).first).map { "did you mean '\($0)'?" }
  }

  /// Returns the method or table that a script names without its object, the context or the app: `refuse("no")`.
  private func memberName(_ name: String, at place: Place, _ locals: [String]) -> String? {
    guard let line = lua.line(place.line, of: place.file) else { return nil }
    let isCalled = line.hasName(name, before: "(\"'")
    if isCalled, locals.contains("ctx"), HostNames.calls.contains(name) { return "ctx:\(name)" }
    if isCalled, appCalls.has(name), name != "remove" { return "app:\(name)" }
    let isTable = ObjectTable.allCases.contains { $0.name == name } || ["keep", "store", "settings"].contains(name)
    return isTable && line.hasName(name, before: ".:[{=(") ? "app.\(name)" : nil
  }

  /// Returns the names of the local variables and parameters in scope at a place.
  private func locals(at place: Place) -> [String] {
    lua.reading(of: place.file)?.locals.filter { $0.lines.contains(place.line) }.map(\.name) ?? []
  }

  /// Returns `self.name` if the running function's first parameter is a responder with this field; otherwise nil.
  private func ownField(_ name: String, _ call: LuaCall) -> String? {
    guard clua_runningFunction(call.L, 1) else { return nil }
    defer { clua_pop(call.L, 2) }
    guard let (responder, owner) = responder(at: -1, on: call.L), !responder.isRemoved else { return nil }
    clua_pushParameter(call.L, -2, 1)
    defer { clua_pop(call.L, 1) }
    let fields = LuaTable(reference: object(responder, for: owner).reference)
    var value = try? lua.rawGet(.text(name), of: fields)
    if case .nil? = value { value = try? field(name, from: responder.ancestor) }
    guard let parameter = lua.text(at: -1, on: call.L), let value else { return nil }
    if case .nil = value { return nil }
    return "\(parameter).\(name)"
  }
}

extension LuaState {
  /// Returns the line below a place that defines an unindented local: code above it doesn't see the local.
  fileprivate func line(ofLocal name: String, behind place: Place) -> Int? {
    sources[place.file]?.first(from: place.line + 1, most: .max / 2) { number, line in
      line.starts(with: "local ".utf8) && String(decoding: line, as: UTF8.self).definesLocal(name) ? number : nil
    }
  }
}

extension String {
  /// True if a line that begins with `local` defines this variable: `local function name(`, `local one, name = …`.
  fileprivate func definesLocal(_ name: String) -> Bool {
    let words = prefix { $0 != "=" && $0 != "(" }.split { $0 == " " || $0 == "," || $0 == "\t" || $0 == ";" }
    return words.dropFirst().contains { $0 == name }
  }
}

/// A *script name* is a name of the language beside Lua's library and scripts' definitions. It gets its value when an
/// owner's script first reads it, since few scripts read all names.
struct ScriptName: Sendable {
  let name: String
  /// Pushes the value for an owner's scripts.
  let push: @Sendable (ScriptEngine, ScriptOwner) throws -> Void

  init(_ name: String, pushed push: @escaping @Sendable (ScriptEngine, ScriptOwner) throws -> Void) {
    self.name = name
    self.push = push
  }

  /// Creates a name for a function.
  init(_ name: String, _ body: @escaping @Sendable (ScriptEngine, LuaCall, ScriptOwner) throws -> LuaReturn) {
    self.init(name) { engine, script in
      engine.lua.push(function: script.own { [unowned engine] in try body(engine, $0, $1) }, on: engine.lua.L)
    }
  }
}

extension ScriptEngine {
  static let scriptNames: [ScriptName] =
    declaringNames + timerNames + menuNames + textNames + dataNames + grantedNames + watchNames + faceNames + askNames

  /// Pushes the value of a script name at its first use by an owner. For any other name it returns false.
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

  /// Returns the value of a name of an owner's language; nil for an unknown name.
  func scriptName(_ name: String, of script: ScriptOwner) throws -> LuaValue {
    let known = try lua.rawGet(.text(name), of: script.language)
    guard case .nil = known, try pushName(name, of: script) else { return known }
    defer { clua_pop(lua.L, 1) }
    return try lua.value(at: -1, on: lua.L)
  }

  /// The names of scripts' part of Lua's library, the script names, and the tables of the program's functions.
  func languageNames(of script: ScriptOwner) throws -> Set<String> {
    var names = Set(Self.scriptNames.map(\.name)).union(natives?.natives.roots ?? [])
    try lua.forEach(in: script.language) { key, _ in
      if case .text(let name) = key { names.insert(name) }
      return true
    }
    return names
  }
}
