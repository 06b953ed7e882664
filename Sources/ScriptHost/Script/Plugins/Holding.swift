import CLua

// Who holds the memory that scripts may hold together, once it is spent. Who runs then need not have spent it: what one holds for good,
// everybody else lacks.

extension ScriptEngine {
  /// The owner that holds more than half of what scripts may, where hardly anything is left; nil without plugins, to tell them apart.
  func holder() -> ScriptOwner? {
    guard !plugins.isEmpty else { return nil }
    lua.collect()
    guard isCrowded else { return nil }
    let scripts = Array(owners.dropFirst())
    var bytes = [Int](repeating: 0, count: scripts.count)
    pushOwners(withKept: true)
    clua_weigh(lua.L, scripts.map { Int32($0.index) }, &bytes, Int32(scripts.count))
    return zip(scripts, bytes).first { $1 > lua.limits.memory / 2 }?.0
  }

  private var isCrowded: Bool { lua.memory > lua.limits.memory / 4 * 3 }

  /// Lets go of what an owner holds that is set aside, so that there is room for everybody else; what it keeps for a reload goes only where
  /// that isn't enough.
  func empty(_ script: ScriptOwner) {
    dispatcher.undo.removeAll(of: script.owner, from: chain.responders.values)
    pushOwners(withKept: false)
    clua_empty(lua.L, Int32(script.index))
    script.modules = [:]
    lua.collect()
    guard isCrowded else { return }
    script.keep = nil
    lua.collect()
  }

  /// Pushes a table of whose the tables of globals are; those of what they keep only where that is wanted.
  private func pushOwners(withKept: Bool) {
    let L = lua.L
    clua_newTable(L, 0, Int32(2 * owners.count))
    for script in owners.dropFirst() {
      for table in script.environments + [script.lineGlobals, withKept ? script.keep : nil].compactMap({ $0 }) {
        guard (try? lua.push(table.reference, on: L)) != nil else { continue }
        clua_pushInteger(L, Int64(script.index))
        _ = clua_rawSet(L, -3)
      }
    }
  }
}
