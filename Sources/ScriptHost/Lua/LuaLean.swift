import CLua

// The lean path: for what the host does thousands of times. No value is boxed and no name looked up;
// what these leave on the stack is the caller's to use up at once.

/// A name that Lua made a string of once.
public struct LuaKey {
  let id: Int32
}

extension LuaState {
  /// Makes a key. It lives as long as the state.
  public func key(_ name: String) -> LuaKey {
    push(text: name, on: L)
    return LuaKey(id: clua_reference(L))
  }

  /// Puts a fresh table on the stack, with room for so many fields.
  public func pushTable(fields: Int) {
    _ = clua_room(L, 1 + Self.freeSlots)
    clua_newTable(L, 0, Int32(clamping: fields))
  }

  /// Sets a field of the table on top.
  public func set(_ key: LuaKey, _ value: String) {
    var value = value
    value.withUTF8 { clua_setBytes(L, -1, key.id, $0.baseAddress, $0.count) }
  }

  public func set(_ key: LuaKey, _ value: Int) { clua_setInteger(L, -1, key.id, Int64(value)) }
  public func set(_ key: LuaKey, _ value: Double) { clua_setNumber(L, -1, key.id, value) }
  public func set(_ key: LuaKey, _ value: Bool) { clua_setBool(L, -1, key.id, value) }

  /// Takes the table on top as a value of its own.
  public func takeTable() -> LuaTable { LuaTable(reference: takeReference()) }

  /// Calls a function with the table on top, which it takes; whether the first result is true.
  public func ask(_ function: LuaFunction) throws(LuaError) -> Bool {
    guard function.reference.life === life else {
      clua_pop(L, 1)
      throw LuaError.foreign
    }
    let answer = clua_ask(L, function.reference.id)
    if answer < 0 { throw takeError(-answer, on: L) }
    return answer != 0
  }

  /// Calls a function with a table and drops its results.
  public func invoke(_ function: LuaFunction, _ argument: LuaTable) throws(LuaError) {
    try check(clua_invoke(L, id(of: function.reference), id(of: argument.reference)), on: L)
  }
}
