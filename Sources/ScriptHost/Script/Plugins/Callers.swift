import CLua

// Who does something with a responder's table. It is an owner's, and does what that one may; somebody else who got hold of it, because it
// was handed over in a table of a script's own, does with it what they may themselves.

extension ScriptOwner {
  /// Whose its chunks are.
  var code: LuaOwner { LuaOwner(number: Int32(index)) }
}

extension ScriptEngine {
  /// The owner in whose name an owner's table is used: who calls, from the first plugin on.
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

  /// Who is shown what is nobody's to see.
  var nobody: ScriptOwner { owners[0] }

  /// The owner who calls, from so many calls up on.
  func caller(from first: Int32 = 1, on L: OpaquePointer) -> ScriptOwner {
    script(Int(clua_caller(L, first))) ?? nobody
  }
}
