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
