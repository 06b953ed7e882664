import CLua

// Whose rights apply when a responder's table is used: the table's owner's, or, if another script got hold of the table because it was handed over in
// a table of a script's own, that script's.

extension ScriptOwner {
  /// The number that the chunks of its scripts carry.
  var code: LuaOwner { LuaOwner(number: Int32(index)) }
}

extension ScriptEngine {
  /// The owner in whose name a table is used: the table's owner, or, from the first plugin on, the caller.
  @inline(__always)
  func acting(_ owner: ScriptOwner, on L: OpaquePointer) throws -> ScriptOwner {
    viewer == nil ? owner : try knownCaller(on: L)
  }

  private func knownCaller(on L: OpaquePointer) throws -> ScriptOwner {
    let number = Int(clua_caller(L, 1))
    if number == CLUA_NONE { throw LuaMisuse("no script's text says this, so it is done in nobody's name") }
    guard let caller = script(number) else { throw goneScript(index: Int64(number)) }
    if caller === nobody { throw LuaMisuse.unknownScript }
    return caller
  }

  /// The owner that stands for an unknown caller: the embedding program, which has no scripts.
  var nobody: ScriptOwner { owners[0] }

  /// The owner of the calling code, looked for from that many calls up on; `nobody` if it isn't known.
  func caller(from first: Int32 = 1, on L: OpaquePointer) -> ScriptOwner {
    script(Int(clua_caller(L, first))) ?? nobody
  }
}
