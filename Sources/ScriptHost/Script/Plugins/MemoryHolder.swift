import CLua

// Finds the owner that holds most of the memory that scripts share, once it is spent. The owner that runs at that moment need not be to blame: what
// one holds for good, all others lack.

extension ScriptEngine {
  /// The owner that holds more than half of the memory limit, if hardly any is left; nil without plugins, since then there is only one.
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

  /// Releases what an owner that was set aside holds, to make room for the others. What it keeps for a reload is released only if that isn't enough.
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

  /// Pushes a table of all owners' tables of globals, each with its owner's index; the tables that owners keep are in it only if asked for.
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
