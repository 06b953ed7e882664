import CLua

// `app.store`: each owner has a table of plain data that persists between runs of the app.
//
// All processes share one store (S17). When an action first reads `app.store`, the host locks the app's stores and
// updates the table. At the end of the action's stretch, which may be a wait, it writes changes and unlocks. Questions
// read without the lock. A script may keep the table and change it later without reading `app.store`: then the host
// locks, reads and merges before it writes.

extension ScriptEngine {
  /// The most bytes of a store.
  private static let mostStored = 256 << 10

  /// Returns an owner's present store, which a line of a script reads.
  func store(of script: ScriptOwner, _ call: LuaCall) throws -> LuaTable {
    let store = try script.store ?? newStore(of: script)
    if isInStretch {
      if !store.isClaimed { store.readAt = place(call.place) }
      try claim(store, of: script)
    } else if store.turn != turns {
      look(at: store, of: script)
    }
    if case .noted(let note) = host.outside, !store.isNoted {
      let given = Given("app.store", owner(of: script))
      given.values = [store.written]
      given.hasEnded = true
      note(given)
      store.isNoted = true
    }
    return store.table
  }

  /// Returns the arguments that identify an owner's store in a recording.
  private func owner(of script: ScriptOwner) -> [LuaTree] { script.plugin.map { [.text($0.manifest.name)] } ?? [] }

  /// Returns the place of an owner's stored data; nil if the app has no name.
  func storePlace(of script: ScriptOwner) -> HostStorage.Place? {
    let app = script.plugin == nil ? script : self.app ?? script
    let plugin = script.plugin
    return text(.name, for: app).map { name in
      HostStorage.Place(
        app: name, folder: app.folder.flatMap(Grant.real), plugin: plugin?.manifest.name,
        pluginFolder: plugin.flatMap { Grant.real($0.folder) })
    }
  }

  private func newStore(of script: ScriptOwner) throws -> ScriptStore {
    try script.checkIsThere()
    guard let place = storePlace(of: script) else {
      throw LuaMisuse("'app.store' needs the app's name, so set it first: app.name = \"…\"")
    }
    var written = script.storedBefore ?? Literal.object(LiteralObject())
    if case .given(let give) = host.outside, let literal = give("app.store", owner(of: script))?.values.first {
      written = literal
    }
    let store = ScriptStore(try stored(written), at: place, written: written)
    script.store = store
    dispatcher.isStoring = true
    return store
  }

  /// True if scripts may change their stores, and `writeStores` is called afterwards.
  private var isInStretch: Bool {
    !dispatcher.isAsking && (dispatcher.depth > 0 || host.isLoading || isRunningLine)
  }

  /// Locks the stores of an app and its plugins, and reads a store once, until the stretch ends.
  private func claim(_ store: ScriptStore, of script: ScriptOwner) throws {
    if store.isClaimed { return }
    if let storage = host.storage { try lockStores(of: store.place.ofApp, in: storage) }
    look(at: store, of: script)
    store.isClaimed = true
  }

  /// Locks the stores of an app and its plugins until the stretch ends. Throws if another process holds the lock.
  func lockStores(of app: HostStorage.Place, in storage: HostStorage) throws {
    if storeLocks[app] != nil { return }
    do {
      guard let unlock = try storage.lock(app) else {
        throw LuaMisuse("another process uses the stored data of '\(app.app)': end that process or try again")
      }
      storeLocks[app] = unlock
    } catch let busy as LuaMisuse {
      throw busy
    } catch {
      // If locking fails, writing fails too, and the write reports why.
    }
  }

  /// Updates the table in place with the stored data. The script's changes since the last read stay.
  private func look(at store: ScriptStore, of script: ScriptOwner) {
    store.turn = turns
    guard let storage = host.storage else { return }
    do {
      let bytes = try storage.read(store.place)
      if bytes == store.bytes, store.whyUnread == nil { return }
      let read = try bytes.map { try JSONReader.literal($0) } ?? .object(LiteralObject())
      try Following(engine: self).follow(stored(read), since: stored(store.written), in: store.table)
      (store.bytes, store.written, store.whyUnread) = (bytes, read, nil)
    } catch {
      let reason = (error as? JSONError)?.message ?? "\(error)"
      if store.whyUnread == reason { return }
      store.whyUnread = reason
      report(Diagnostic(.error, "not-stored", "the stored data of '\(script.owner.name)' can't be read: \(reason)"))
    }
  }

  /// Writes the changed stores, and unlocks them. Called after a stretch of an action, a line or a load.
  func writeStores() {
    guard dispatcher.depth == 0, loading == 0 else { return }
    for script in owners {
      guard let store = script.store else { continue }
      write(store, of: script)
      (store.isClaimed, store.readAt) = (false, nil)
    }
    writeHistories()
    for unlock in storeLocks.values { unlock() }
    storeLocks = [:]
  }

  /// Writes a changed store. A reason why it can't be written is reported again whenever the content has changed.
  private func write(_ store: ScriptStore, of script: ScriptOwner) {
    var plain = PlainLiteral(lua, limit: 4 * Self.mostStored, rule: "only plain data can be stored", hasPairs: true)
    plain.skipsOthers = true
    let wasRead = store.isClaimed
    let content = try? lua.copying { try plain.literal(.table(store.table), "app.store") }
    do {
      if content == store.written, plain.skipped == nil { return store.unwritten = nil }
      try claim(store, of: script)
      // The claim may have read newer data into the table.
      let literal = try literal(of: store.table)
      var writer = JSONWriter(capacity: 256)
      writer.literal(literal)
      guard writer.count <= Self.mostStored else {
        throw LuaMisuse("app.store would have \(writer.count) bytes, more than the limit of \(Self.mostStored)")
      }
      if store.whyUnread != nil { throw LuaMisuse("the stored file can't be read, so the host doesn't overwrite it") }
      let bytes = Array(writer.text.utf8)
      try host.storage?.write(store.place, bytes)
      (store.bytes, store.written, store.unwritten) = (bytes, literal, nil)
    } catch {
      let reason = (error as? LuaMisuse)?.message ?? "\(error)"
      let isChanged = content.map { $0 != store.unwritten?.content } ?? wasRead
      if store.unwritten?.reason == reason, !isChanged { return }
      store.unwritten = (reason, content)
      report(
        Diagnostic(
          .error, "not-stored", "the stored data of '\(script.owner.name)' can't be written: \(reason)",
          place: store.readAt))
    }
  }

  /// Returns the storable content of a table.
  func literal(of table: LuaTable) throws -> Literal {
    var plain = PlainLiteral(lua, limit: 4 * Self.mostStored, rule: "only plain data can be stored", hasPairs: true)
    return try lua.copying { try plain.literal(.table(table), "app.store") }
  }

  // MARK: Stored data

  /// Returns a table with the stored data; empty if there was none.
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
        // The host never writes these keys, but people may edit the file.
        if case .null = pair[0] { continue }
        try lua.rawSet(try value(stored: pair[0]), try value(stored: pair[1]), of: table)
      }
      return .table(table)
    default: return .table(lua.newTable())
    }
  }
}
