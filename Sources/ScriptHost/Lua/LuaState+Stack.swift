import CLua

// Moves values to and from the stack. Nothing here runs a script.

extension LuaState {
  /// Pops the value on top of the stack as a reference.
  ///
  /// Releases dropped references first: otherwise a loop that takes and drops many would fill the registry.
  func takeReference() -> LuaReference {
    settleDropped()
    return LuaReference(id: clua_reference(L), life: life)
  }

  /// Releases the references dropped since the last call.
  func settleDropped() { settleDropped(on: L) }

  func settleDropped(on L: OpaquePointer) {
    while let id = life.dropped.pointee.references.popLast() { clua_release(L, id) }
  }

  /// Marks references, by number, for release at the next opportunity.
  func drop(_ references: [Int32]) { life.dropped.pointee.references.append(contentsOf: references) }

  /// Returns the number of a reference, which must be from this state.
  @inline(__always)
  func id(of reference: LuaReference) throws(LuaError) -> Int32 {
    guard reference.life === life else { throw .foreign }
    return reference.id
  }

  func push(_ reference: LuaReference, on L: OpaquePointer) throws(LuaError) {
    try room(1, on: L)
    clua_pushReference(L, try id(of: reference))
  }

  func push(_ values: [LuaValue], on L: OpaquePointer) throws(LuaError) {
    guard let count = Int32(exactly: values.count), count < 1_000_000 else {
      throw LuaError(.tooLarge(limit: 1_000_000), "\(values.count) values are more than can be passed")
    }
    try room(count, on: L)
    for value in values { try push(value, on: L) }
  }

  func push(_ value: LuaValue, on L: OpaquePointer) throws(LuaError) {
    try room(2, on: L)
    switch value {
    case .nil: clua_pushNil(L)
    case .bool(let value): clua_pushBool(L, value)
    case .integer(let value): clua_pushInteger(L, Int64(value))
    case .number(let value): clua_pushNumber(L, value)
    case .text(let value): push(text: value, on: L)
    case .bytes(let value): value.withUnsafeBytes { clua_pushBytes(L, $0.baseAddress, $0.count) }
    case .table(let table): try push(table.reference, on: L)
    case .function(let function): try push(function.reference, on: L)
    case .thread(let thread): try push(thread.reference, on: L)
    case .object(let object):
      if let failure = object as? LuaFailure { return push(failure, on: L) }
      if let sentinel = object as? LuaSentinel { return try push(sentinel.reference, on: L) }
      if let value = object as? LuaCallableValue { return try push(value.reference, on: L) }
      clua_pushObject(L, Unmanaged.passRetained(object).toOpaque())
    }
  }

  /// Pushes a Swift error so that a script can raise it.
  func push(_ failure: LuaFailure, on L: OpaquePointer) {
    push(text: "\(failure.error)", on: L)
    clua_pushFailure(L, Unmanaged.passRetained(failure).toOpaque())
  }

  func push(text: String, on L: OpaquePointer) {
    var text = text
    text.withUTF8 { clua_pushBytes(L, $0.baseAddress, $0.count) }
  }

  func room(_ count: Int32, on L: OpaquePointer) throws(LuaError) {
    if !clua_room(L, count) { throw LuaError(.tooLarge(limit: 1_000_000), "the stack has no room for more values") }
  }

  /// Returns the values from an index to the top, and leaves them there.
  func values(from first: Int32, on L: OpaquePointer) throws(LuaError) -> [LuaValue] {
    let top = clua_top(L)
    guard first <= top else { return [] }
    return try copying { () throws(LuaError) in
      var values: [LuaValue] = []
      values.reserveCapacity(Int(top - first + 1))
      for index in first...top { values.append(try value(at: index, on: L)) }
      return values
    }
  }

  func value(at index: Int32, on L: OpaquePointer) throws(LuaError) -> LuaValue {
    switch clua_type(L, index) {
    case CLUA_TBOOLEAN.rawValue: return .bool(clua_bool(L, index))
    case CLUA_TNUMBER.rawValue:
      return clua_isInteger(L, index) ? .integer(Int(clua_integer(L, index))) : .number(clua_number(L, index))
    case CLUA_TSTRING.rawValue: return try string(at: index, on: L)
    case CLUA_TTABLE.rawValue: return .table(LuaTable(reference: try reference(at: index, on: L)))
    case CLUA_TFUNCTION.rawValue: return .function(LuaFunction(reference: try reference(at: index, on: L)))
    case CLUA_TTHREAD.rawValue: return .thread(LuaThread(reference: try reference(at: index, on: L)))
    case CLUA_TUSERDATA.rawValue:
      if let object = clua_object(L, index, Int32(CLUA_OBJECT.rawValue)) {
        return .object(Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue())
      }
      if let callable = callable(at: index, on: L) {
        return .object(LuaCallableValue(callable, reference: try reference(at: index, on: L)))
      }
      if let failure = failure(at: index, on: L) { return .object(failure) }
      return .object(LuaSentinel(reference: try reference(at: index, on: L)))
    default: return .nil
    }
  }

  func callable(at index: Int32, on L: OpaquePointer) -> LuaCallable? {
    guard let object = clua_object(L, index, Int32(CLUA_CALLABLE.rawValue)) else { return nil }
    return Unmanaged<LuaCallable>.fromOpaque(object).takeUnretainedValue()
  }

  private func reference(at index: Int32, on L: OpaquePointer) throws(LuaError) -> LuaReference {
    try room(1, on: L)
    return reference(copying: index, on: L)
  }

  /// Returns a reference to the value at an index, and leaves it there.
  func reference(copying index: Int32, on L: OpaquePointer) -> LuaReference {
    settleDropped()
    clua_copy(L, index)
    return LuaReference(id: clua_reference(L), life: life)
  }

  private func string(at index: Int32, on L: OpaquePointer) throws(LuaError) -> LuaValue {
    var count = 0
    guard let start = clua_bytes(L, index, &count) else { return .nil }
    try copy(count, on: L)
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    if let text = String(utf8: bytes) { return .text(text) }
    return .bytes(Array(bytes))
  }

  /// Returns a string at an index as text, with invalid UTF-8 replaced; nil for other values.
  func text(at index: Int32, on L: OpaquePointer) -> String? {
    var count = 0
    guard let start = clua_bytes(L, index, &count) else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Returns the box of a Swift error at an index.
  func failure(at index: Int32, on L: OpaquePointer) -> LuaFailure? {
    guard let pointer = clua_object(L, index, Int32(CLUA_FAILURE.rawValue)) else { return nil }
    return Unmanaged<LuaFailure>.fromOpaque(pointer).takeUnretainedValue()
  }
}

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
