import CLua

// Reads the arguments of scripts' calls. An error points to the script's line.

extension LuaCall {
  /// Returns a required text.
  func text(_ index: Int, _ what: String) throws -> String {
    guard case .text(let text) = try self[index] else {
      throw LuaMisuse("\(what) must be a string, not \(try described(index))")
    }
    return text
  }

  /// Returns a table, or nil if the argument is nil.
  func table(_ index: Int, _ what: String) throws -> LuaTable? {
    switch try self[index] {
    case .nil: return nil
    case .table(let table): return table
    default: throw LuaMisuse("\(what) must be a table, not \(try described(index))")
    }
  }

  func function(_ index: Int, _ what: String) throws -> LuaFunction {
    guard case .function(let function) = try self[index] else {
      throw LuaMisuse("\(what) must be a function, not \(try described(index))")
    }
    return function
  }

  /// Joins the arguments from an index on, each converted like `tostring` does.
  func texts(from first: Int, between separator: String) throws -> String {
    var texts: [String] = []
    for index in first..<max(first, count) {
      clua_copy(L, Int32(clamping: index + 1))
      texts.append(try state.describeTop(on: L))
    }
    return texts.joined(separator: separator)
  }

  /// Returns a reference as text. The parser refuses a string that isn't UTF-8.
  func reference(_ index: Int) throws -> String {
    switch try self[index] {
    case .text(let text): return text
    case .bytes(let bytes): _ = try bytes.withUnsafeBufferPointer(Reference.parse)
    default: break
    }
    return try text(index, "a reference")
  }

  private func described(_ index: Int) throws -> String { try self[index].described }
}

extension LuaValue {
  /// The type of the value, with its article, for a message about a wrong type. A number that counts nothing is itself.
  var described: String {
    switch self {
    case .nil: "nil"
    case .number(let number) where number.isNaN: "nan"
    case .number(let number) where number.isInfinite: number < 0 ? "-inf" : "inf"
    case .bytes: "a string that is not UTF-8"
    case .object(let object): object is LuaCallableValue ? "a menu element" : "an object"
    default: "a \(typeName)"
    }
  }

  /// A number itself, and the type of any other value, for a message about a number that doesn't fit.
  var measured: String {
    switch self {
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    default: described
    }
  }
}

extension ScriptEngine {
  /// Returns a responder that a script passes as the object or by name.
  func responder(_ value: LuaValue, _ what: String) throws -> Responder {
    switch value {
    case .text(let name):
      if let responder = chain.find(name) { return responder }
      let near = nearest(to: name, among: chain.responders.values.map(\.name)).first
      let help = near.map { "; did you mean '\($0)'?" } ?? ": declare it before it is named"
      throw LuaMisuse("there is no responder named '\(name)'\(help)")
    case .table(let table):
      if let responder = responder(table) {
        if responder.isRemoved { throw LuaMisuse("'\(responder.name)' was removed") }
        return responder
      }
      try lua.push(table.reference, on: lua.L)
      defer { clua_pop(lua.L, 1) }
      let number = clua_hostNumber(lua.L, -1)
      if let gone = goneScript(number) { throw gone }
      if number < ScriptClass.mark, let name = hostName(at: -1, on: lua.L) {
        throw LuaMisuse("'\(name)' was removed")
      }
      throw LuaMisuse("\(what) must be a responder or its name, not a table")
    default: throw LuaMisuse("\(what) must be a responder or its name, not \(value.described)")
    }
  }

  /// Returns the responder whose method or field a script uses.
  func receiver(
    _ call: LuaCall, _ method: String, isOperator: Bool = false
  ) throws -> (responder: Responder, owner: ScriptOwner) {
    // Otherwise a script that compares its own value with a value of another script could remove it.
    if viewer != nil, !isOperator, !clua_isCalledByName(call.L) {
      throw LuaMisuse("\(method) is called by name, not by an operator, a loop or a function of the library")
    }
    return try receiver(clua_hostNumber(call.L, 1), call, method)
  }

  /// Returns the responder of the table with that number, for a method call.
  func receiver(
    _ number: Int64, _ call: LuaCall, _ method: String
  ) throws -> (responder: Responder, owner: ScriptOwner) {
    guard let (responder, owner) = responder(number) else {
      if let gone = goneScript(number) { throw gone }
      if let name = hostName(at: 1, on: call.L) { throw LuaMisuse("'\(name)' was removed") }
      let isOfApp = call.place?.text?.contains("app.\(method)") ?? false
      throw LuaMisuse("call it with a colon: \(isOfApp ? "app" : "responder"):\(method)(…)")
    }
    if responder.isRemoved { throw LuaMisuse("'\(responder.name)' was removed") }
    return (responder, try acting(owner, on: call.L))
  }

  /// Returns the name of the object behind a host table, even after its removal.
  func hostName(at index: Int32, on L: OpaquePointer) -> String? {
    clua_pushHostName(L, index)
    defer { clua_pop(L, 1) }
    return lua.text(at: -1, on: L)
  }

  /// Returns the class behind a table.
  func scriptClass(_ table: LuaTable) throws -> ScriptClass {
    try lua.push(table.reference, on: lua.L)
    defer { clua_pop(lua.L, 1) }
    if let known = classes[clua_hostNumber(lua.L, -1)] { return known }
    throw LuaMisuse("'class' must be a class or its name, not a table")
  }

  /// Runs a body that the core may refuse. A refusal becomes the script's error.
  func allowing<Result>(_ body: () throws -> Result) throws -> Result {
    defer { charge(chain.takeWork()) }
    do {
      return try body()
    } catch let misuse as Misuse {
      let other = misuse.other.map { " (the other is at \($0))" } ?? ""
      if let place = misuse.place { throw Failure(.misuse, misuse.message + other, place: place) }
      throw LuaMisuse(misuse.message + other)
    }
  }

  /// Refuses changes while the host asks. A `resolve` may still write its responder's tables.
  func refuseWhileAsking(_ what: String, exceptResolving responder: Responder? = nil) throws {
    if let responder, resolving.last === responder { return }
    try refuse(what, whileAsking: dispatcher)
  }

  func refuse(_ what: String, whileAsking dispatcher: Dispatcher) throws {
    if dispatcher.isAsking {
      throw LuaMisuse("\(what) is not possible here: the host only asks this function, so it must not change anything")
    }
  }
}
