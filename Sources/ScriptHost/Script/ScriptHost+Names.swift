import CLua

// Completes names for a person who writes a line.

extension ScriptHost {
  /// Returns the names that may follow a path: the fields of the value at its end. An empty path has the app script's
  /// globals. No code of a script runs.
  ///
  /// - Parameter responder: the responder where the path begins; by default it begins at the globals.
  package func names(behind path: [String], of responder: String? = nil) -> [String] {
    guard let scripts, let script = scripts.app else { return [] }
    let names = FieldNames(engine: scripts, script: script)
    let found: Set<String>
    if let responder {
      guard let responder = find(responder) else { return [] }
      found = names.behind(path[...], of: .responder(responder))
    } else if let first = path.first {
      guard let value = try? names.global(first) else { return [] }
      found = names.behind(path.dropFirst(), of: value)
    } else {
      found = names.globals
    }
    return found.filter(\.isLuaName).sorted { $0.precedesByBytes($1) }
  }

  /// The names of all globals of the app's script, including those that only `_ENV["…"]` can express.
  package var globals: Set<String> {
    guard let scripts, let script = scripts.app else { return [] }
    return FieldNames(engine: scripts, script: script).globals
  }
}

/// Follows paths of names through tables, without running metamethods.
private struct FieldNames {
  /// The values in a path that have fields.
  enum Holder {
    case responder(Responder)
    case handlers(ObjectTable, Responder)
    case value(LuaValue)
  }

  private static let most = 10_000
  /// A circle of tables has no end.
  private static let mostLayers = 8

  let engine: ScriptEngine
  let script: ScriptOwner

  var globals: Set<String> {
    let lines = script.lineGlobals.map { keys(of: $0) } ?? []
    return keys(of: script.environment).union((try? engine.languageNames(of: script)) ?? []).union(lines)
  }

  func global(_ name: String) throws -> Holder? {
    for table in [script.lineGlobals, script.environment] {
      guard let table else { continue }
      let value = try engine.lua.rawGet(.text(name), of: table)
      if case .nil = value { continue }
      return holder(value)
    }
    let word = try engine.scriptName(name, of: script)
    if case .nil = word { return nil }
    return holder(word)
  }

  private func holder(_ value: LuaValue) -> Holder {
    guard case .table(let table) = value, let responder = engine.responder(table) else { return .value(value) }
    return .responder(responder)
  }

  func behind(_ path: ArraySlice<String>, of holder: Holder) -> Set<String> {
    guard let first = path.first else { return fields(of: holder) }
    guard let next = try? field(first, of: holder) else { return [] }
    return behind(path.dropFirst(), of: next)
  }

  private func field(_ name: String, of holder: Holder) throws -> Holder? {
    switch holder {
    case .handlers: return nil
    case .responder(let responder):
      if let table = ObjectTable.allCases.first(where: { $0.name == name }) { return .handlers(table, responder) }
      switch name {
      case "next": return responder.next.map(Holder.responder)
      case "delegate": return responder.delegate.map(Holder.responder)
      case "first": return responder.first.map(Holder.responder)
      default: return try raw(name, of: .table(object(of: responder)))
      }
    case .value(let value): return try raw(name, of: value)
    }
  }

  private func raw(_ name: String, of value: LuaValue) throws -> Holder? {
    guard case .table(let table) = value else { return nil }
    for layer in layers(of: table) {
      let found = try engine.lua.rawGet(.text(name), of: layer)
      if case .nil = found { continue }
      return holder(found)
    }
    return nil
  }

  private func fields(of holder: Holder) -> Set<String> {
    switch holder {
    case .responder(let responder):
      return keys(of: object(of: responder)).union(engine.hostFieldNames(of: responder))
    case .handlers(let table, let responder):
      return responder.layers.reduce(into: []) { $0.formUnion($1.entries(of: table, in: engine.host.names)) }
    case .value(.table(let table)): return keys(of: table)
    case .value(.text):
      guard case .table(let library)? = try? engine.lua.rawGet("string", of: script.language) else { return [] }
      return keys(of: library)
    case .value: return []
    }
  }

  private func object(of responder: Responder) -> LuaTable {
    LuaTable(reference: engine.object(responder, for: script).reference)
  }

  /// Returns the keys of a table, and of the tables along its `__index`.
  private func keys(of table: LuaTable) -> Set<String> {
    var keys: Set<String> = []
    for table in layers(of: table) {
      try? engine.lua.forEach(in: table) { key, _ in
        if case .text(let name) = key { keys.insert(name) }
        return keys.count < Self.most
      }
    }
    return keys
  }

  /// Returns a table, and the tables along its `__index`.
  private func layers(of table: LuaTable) -> [LuaTable] {
    var layers = [table]
    while layers.count < Self.mostLayers, let next = try? behind(layers[layers.count - 1]) { layers.append(next) }
    return layers
  }

  private func behind(_ table: LuaTable) throws -> LuaTable? {
    let top = clua_top(engine.lua.L)
    defer { clua_setTop(engine.lua.L, top) }
    try engine.lua.push(table.reference, on: engine.lua.L)
    guard clua_metatable(engine.lua.L, -1) else { return nil }
    engine.lua.push(text: "__index", on: engine.lua.L)
    clua_rawGet(engine.lua.L, -2)
    guard case .table(let next) = try engine.lua.value(at: -1, on: engine.lua.L) else { return nil }
    return next
  }
}

extension String {
  /// True if the text is a name in Lua.
  fileprivate var isLuaName: Bool {
    guard let first = utf8.first, !(0x30...0x39).contains(first) else { return false }
    return utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & ~0x20) || $0 == 0x5F }
  }
}

// Describes the definitions of an app's scripts, for editors' annotations.

extension LuaValue {
  /// The type in annotations.
  fileprivate var annotation: String {
    switch self {
    case .integer: "integer"
    case .nil, .object: "any"
    case .bool, .number, .text, .bytes, .table, .function, .thread: typeName
    }
  }
}

extension ScriptHost {
  /// Returns the fields that scripts added to a responder, in the order of their bytes, with their types.
  package func ownFields(of responder: Responder) -> [(name: String, type: String)] {
    guard let scripts else { return [] }
    var types: [String: String] = [:]
    for owner in scripts.owners.dropFirst() {
      let object = LuaTable(reference: scripts.object(responder, for: owner).reference)
      try? scripts.lua.forEach(in: object) { key, value in
        if case .text(let name) = key, !scripts.isHostField(name, of: responder) { types[name] = value.annotation }
        return true
      }
    }
    return types.sorted { $0.key.precedesByBytes($1.key) }.map { ($0.key, $0.value) }
  }

  /// The keys that responders supply, found by static analysis, in the order of their bytes, with their suppliers.
  package var suppliedKeys: [(key: String, by: [String])] {
    var suppliers: [String: [String]] = [:]
    for responder in responders {
      let providers = responder.hooks(\.provide) + (responder.supplier.map { [$0] } ?? [])
      let keys = Set(providers.flatMap(\.suppliedKeys)).subtracting(HostNames.all)
      for key in keys { suppliers[key, default: []].append(responder.name) }
    }
    return suppliers.sorted { $0.key.precedesByBytes($1.key) }.map { ($0.key, $0.value) }
  }
}
