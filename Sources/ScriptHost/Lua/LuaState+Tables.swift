import CLua

extension LuaState {
  func newTable() -> LuaTable {
    clua_newTable(L, 0, 0)
    return LuaTable(reference: takeReference())
  }

  /// Creates a table whose keys are 1…n.
  func newList(_ values: [LuaValue]) throws(LuaError) -> LuaTable {
    let table = newTable()
    for (index, value) in values.enumerated() { try rawSet(.integer(index + 1), value, of: table) }
    return table
  }

  /// Pops the value on top, and sets it as a field of the table below, without metamethods.
  func setField(_ key: String, on L: OpaquePointer) {
    push(text: key, on: L)
    clua_insert(L, -2)
    _ = clua_rawSet(L, -3)
  }

  /// Reads a field as a script would, with `__index`.
  func get(_ key: String, of table: LuaTable) throws(LuaError) -> LuaValue {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    try push(table.reference, on: L)
    var key = key
    try check(
      key.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { clua_getField(L, -1, $0.baseAddress, $0.count) }
      }, on: L)
    return try value(at: -1, on: L)
  }

  /// Reads a field without metamethods.
  func rawGet(_ key: LuaValue, of table: LuaTable) throws(LuaError) -> LuaValue {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    try push(table.reference, on: L)
    try push(key, on: L)
    clua_rawGet(L, -2)
    return try value(at: -1, on: L)
  }

  /// Writes a field without metamethods. Throws if the key is nil or NaN.
  func rawSet(_ key: LuaValue, _ value: LuaValue, of table: LuaTable) throws(LuaError) {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    try push(table.reference, on: L)
    try push(key, on: L)
    try push(value, on: L)
    guard clua_rawSet(L, -3) else {
      throw LuaError(.type(expected: "a key", found: "nil or NaN"), "a table's key can't be nil or NaN")
    }
  }

  /// The stack slots that Lua guarantees a C function. Callers that keep values on the stack while other code runs
  /// leave as many free.
  static var freeSlots: Int32 { 20 }

  /// Visits the fields of a table without metamethods, in Lua's order, until the visitor returns false. Lua's order
  /// varies between runs, so an error doesn't end the visit at once. Of up to 16 errors, it throws the error of the
  /// first key, so that messages are stable.
  func forEach(in table: LuaTable, _ visit: (LuaValue, LuaValue) throws -> Bool) throws {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    try push(table.reference, on: L)
    try room(3 + Self.freeSlots, on: L)
    clua_pushNil(L)
    var wrong: [(key: LuaValue, error: any Error)] = []
    while wrong.count < 16, clua_next(L, top + 1) {
      let key = try value(at: -2, on: L)
      do {
        if !(try visit(key, try value(at: -1, on: L))) { break }
      } catch {
        if case .limit? = (error as? LuaError)?.kind { throw error }
        wrong.append((key, error))
      }
      clua_setTop(L, top + 2)
    }
    if let first = wrong.min(by: { $0.key.stands(before: $1.key) }) { throw first.error }
  }

  /// Returns a table's first key in Lua's order; nil if that isn't a string, or is the `n` of `table.pack`.
  func firstName(inTableAt index: Int32, on L: OpaquePointer) -> String? {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard clua_room(L, 3) else { return nil }
    clua_pushNil(L)
    guard clua_next(L, index), clua_type(L, -2) == CLUA_TSTRING.rawValue, let name = text(at: -2, on: L) else {
      return nil
    }
    return name == "n" ? nil : name
  }

  /// Returns the length of a table, without `__len`.
  func rawCount(of table: LuaTable) throws(LuaError) -> Int {
    try push(table.reference, on: L)
    defer { clua_pop(L, 1) }
    return Int(clamping: clua_rawLength(L, -1))
  }
}

extension LuaValue {
  /// Orders keys to choose the error to throw: numbers, then names by their bytes.
  fileprivate func stands(before other: LuaValue) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let other)): one < other
    case (.integer, _): true
    case (.text(let one), .text(let other)): one.precedesByBytes(other)
    case (.text, .integer): false
    case (.text, _): true
    default: false
    }
  }
}
