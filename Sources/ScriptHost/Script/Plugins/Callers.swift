import CLua

// Who does something with a responder's table. It is an owner's, and does what that one may; somebody else who got hold of it, because it
// was handed over in a table of a script's own, does with it what they may themselves.

extension ScriptEngine {
  /// Says whose a chunk is, by its name.
  func note(_ name: String, of script: ScriptOwner) {
    if script.index > 0, chunks[name]?.contains(script.index) != true {
      chunks[name, default: []].append(script.index)
    }
  }

  func forgetChunks(of script: ScriptOwner) {
    for (name, indexes) in chunks where indexes.contains(script.index) {
      let left = indexes.filter { $0 != script.index }
      chunks[name] = left.isEmpty ? nil : left
    }
  }

  /// In whose name something is done with a table that is an owner's: who calls, as long as there are plugins.
  func acting(_ owner: ScriptOwner, on L: OpaquePointer) -> ScriptOwner {
    guard viewer != nil, owner.index != 0 else { return owner }
    return caller(on: L) ?? owners[0]
  }

  /// Whose function calls, from so many calls up on.
  func caller(from first: Int32 = 1, on L: OpaquePointer) -> ScriptOwner? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4200) { name in
      var level = first
      while true {
        level = clua_caller(L, level, name.baseAddress, name.count)
        guard level >= 0 else { return nil }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        if let owner = owner(ofChunk: String(decoding: bytes, as: UTF8.self))
          ?? owner(ofGlobalsAt: level, on: L)
        {
          return owner
        }
        level += 1
      }
    }
  }

  /// Of a file that several have loaded, whoever may least.
  private func owner(ofChunk name: String) -> ScriptOwner? {
    let known = (chunks[name] ?? []).compactMap(script(_:))
    return known.last { $0.plugin != nil } ?? known.last
  }

  /// What a script loads from text is told by its globals.
  private func owner(ofGlobalsAt level: Int32, on L: OpaquePointer) -> ScriptOwner? {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard clua_runningEnvironment(L, level), let identity = clua_identity(L, -1) else { return nil }
    return owners.first { script in
      script.environments.contains { (try? lua.identity(of: $0)) == identity }
    }
  }
}
