import CLua

// `app.store`: each owner has a table of plain data, which is there again when the app next runs.

extension ScriptEngine {
  /// How many bytes each may have.
  private static let mostStored = 256 << 10

  /// What an owner stores, read when it is first asked for.
  func store(of script: ScriptOwner) throws -> LuaTable {
    if let known = script.store { return known.table }
    try script.checkIsThere()
    let app = script.plugin == nil ? script : self.app ?? script
    guard let name = appField("name", app) else {
      throw LuaMisuse("what 'app.store' holds is found by the app's name, so give it one first: app.name = \"…\"")
    }
    let plugin = script.plugin
    let place = HostStorage.Place(
      app: name, folder: app.folder.flatMap(Grant.real), plugin: plugin?.manifest.name,
      pluginFolder: plugin.flatMap { Grant.real($0.folder) })
    let owner = plugin.map { [LuaTree.text($0.manifest.name)] } ?? []
    var written = script.storedBefore ?? Literal.object(LiteralObject())
    var isUnreadable = false
    if script.storedBefore == nil, let storage = host.storage {
      do {
        if let bytes = try storage.read(place) { written = try JSONReader.literal(bytes) }
      } catch {
        isUnreadable = true
        let reason = (error as? JSONError)?.message ?? "\(error)"
        report(Diagnostic(.error, "not-stored", "what '\(script.owner.name)' stored can't be read: \(reason)"))
      }
    }
    switch host.outside {
    case nil: break
    case .noted(let note):
      let given = Given("app.store", owner)
      given.values = [written]
      given.hasEnded = true
      note(given)
    case .given(let give):
      if let literal = give("app.store", owner)?.values.first { written = literal }
    }
    let table = try stored(written)
    script.store = ScriptStore(table, at: place, written: written, isUnreadable: isUnreadable)
    dispatcher.isStoring = true
    return table
  }

  /// Writes the stores that changed; called when an action has ended.
  func writeStores() {
    guard dispatcher.depth.value == 0 else { return }
    for script in owners { if let store = script.store { write(store, of: script) } }
  }

  private func write(_ store: ScriptStore, of script: ScriptOwner) {
    do {
      let literal = try literal(of: store.table)
      if literal == store.written { return store.whyUnwritten = nil }
      var writer = JSONWriter(capacity: 256)
      writer.literal(literal)
      guard writer.count <= Self.mostStored else {
        throw LuaMisuse("app.store would have \(writer.count) bytes, and can have \(Self.mostStored)")
      }
      if store.isUnreadable { throw LuaMisuse("what lies there can't be read, so it is not written over") }
      try host.storage?.write(store.place, Array(writer.text.utf8))
      store.written = literal
      store.whyUnwritten = nil
    } catch {
      let reason = (error as? LuaMisuse)?.message ?? "\(error)"
      if store.whyUnwritten == reason { return }
      store.whyUnwritten = reason
      report(Diagnostic(.error, "not-stored", "what '\(script.owner.name)' stores is not written: \(reason)"))
    }
  }

  /// What a table holds that is stored.
  func literal(of table: LuaTable) throws -> Literal {
    var plain = PlainLiteral(lua, limit: 4 * Self.mostStored, rule: "only plain data can be stored", hasPairs: true)
    return try plain.literal(.table(table), "app.store")
  }

  // MARK: What was read

  /// The table of what was written; empty where that was none.
  func stored(_ literal: Literal) throws -> LuaTable {
    if case .table(let table) = try value(stored: literal) { return table }
    return lua.newTable()
  }

  func value(stored literal: Literal) throws -> LuaValue {
    switch literal {
    case .null:
      clua_pushReference(lua.L, nullReference)
      defer { clua_pop(lua.L, 1) }
      return try lua.value(at: -1, on: lua.L)
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let text): return .text(text)
    case .list(let values): return .table(try lua.newList(try values.map { try value(stored: $0) }))
    case .object(let object):
      if object.members.count == 1, let special = object[PlainLiteral.mark] { return try value(marked: special) }
      let table = lua.newTable()
      for member in object.members { try lua.rawSet(.text(member.key), try value(stored: member.value), of: table) }
      return .table(table)
    }
  }

  /// Reads a marked value that JSON can't express: a table with other keys, or a string that isn't UTF-8.
  private func value(marked literal: Literal) throws -> LuaValue {
    switch literal {
    case .text(let digits): return .bytes(PlainLiteral.bytes(of: digits))
    case .list(let pairs):
      let table = lua.newTable()
      for case .list(let pair) in pairs where pair.count == 2 {
        // Nothing that the host writes has such keys, but others may have edited it.
        if case .null = pair[0] { continue }
        try lua.rawSet(try value(stored: pair[0]), try value(stored: pair[1]), of: table)
      }
      return .table(table)
    default: return .table(lua.newTable())
    }
  }
}
