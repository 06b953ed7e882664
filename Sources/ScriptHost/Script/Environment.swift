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
      return "'\(name)' is the host's and can't be assigned now; did you mean 'local \(name)'?"
    }
    let guess = guess(of: name, call, among: try knownNames(of: script))
    return "'\(name)' was not defined while the script loaded, so it can't be assigned now"
      + (guess.isEmpty ? "; did you mean 'local \(name)'?" : guess)
  }

  /// The globals that scripts of an owner may read.
  func knownNames(of script: ScriptOwner) throws -> Set<String> {
    script.defined.union(try languageNames(of: script))
  }

  /// The end of a sentence about a name that nobody defined: what whoever wrote it most likely meant.
  func guess(of name: String, _ call: LuaCall, among known: Set<String>) -> String {
    if let own = ownField(name, call) { return "; did you mean '\(own)'?" }
    let place = call.place.map { Place(file: $0.source, line: $0.line) }
    return guess(of: name, at: place, among: known).map { "; \($0)" } ?? ""
  }

  /// What to say of a name that nobody defined and that a script reads at a place.
  func guess(of name: String, at place: Place?, among known: Set<String>) -> String? {
    if let line = place.flatMap({ lua.line(ofLocal: name, behind: $0) }) {
      return "the local of that name is known only behind line \(line), which defines it"
    }
    let responder = host.responders.contains { $0.name.hasSameBytes(as: name) } ? "app:find(\"\(name)\")" : nil
    return (responder ?? nearest(to: name, among: known).first).map { "did you mean '\($0)'?" }
  }

  /// How a function writes a field of the responder that is its first parameter; nil where that has none of the name.
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
  /// The line below a place on which a local of the chunk's own is defined, one that isn't indented: what stands above doesn't see it.
  fileprivate func line(ofLocal name: String, behind place: Place) -> Int? {
    sources[place.file]?.first(from: place.line + 1, most: .max / 2) { number, line in
      line.starts(with: "local ".utf8) && String(decoding: line, as: UTF8.self).definesLocal(name) ? number : nil
    }
  }
}

extension String {
  /// Whether a line that begins with `local` defines such a variable: `local function name(`, `local one, name = …`.
  fileprivate func definesLocal(_ name: String) -> Bool {
    let words = prefix { $0 != "=" && $0 != "(" }.split { $0 == " " || $0 == "," || $0 == "\t" || $0 == ";" }
    return words.dropFirst().contains { $0 == name }
  }
}
