import CLua

// Reading the arguments of the calls that scripts make. What is wrong is said at the script's own line.

extension LuaCall {
  /// A text that must be there.
  func text(_ index: Int, _ what: String) throws -> String {
    guard case .text(let text) = try self[index] else {
      throw LuaMisuse("\(what) must be a string, not \(try described(index))")
    }
    return text
  }

  /// A table, or nothing.
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

  private func described(_ index: Int) throws -> String {
    let value = try self[index]
    if case .nil = value { return "nil" }
    return "a \(value.typeName)"
  }
}

extension ScriptEngine {
  /// A responder, as the object or by name.
  func responder(_ value: LuaValue, _ what: String) throws -> Responder {
    switch value {
    case .text(let name):
      if let responder = chain.find(name) { return responder }
      let near = nearest(to: name, among: chain.responders.values.map(\.name)).first
      throw LuaMisuse("there is no responder named '\(name)'\(near.map { "; did you mean '\($0)'?" } ?? "")")
    case .table(let table):
      if let responder = responder(table) {
        if responder.isRemoved { throw LuaMisuse("'\(responder.name)' was removed") }
        return responder
      }
      throw LuaMisuse("\(what) must be a responder or its name, not a table")
    default: throw LuaMisuse("\(what) must be a responder or its name, not a \(value.typeName)")
    }
  }

  /// The responder that a method was called on.
  func receiver(_ call: LuaCall, _ method: String) throws -> (responder: Responder, owner: ScriptOwner) {
    guard let (responder, owner) = responder(at: 1, on: call.L) else {
      throw LuaMisuse("call it with a colon: responder:\(method)(…)")
    }
    if responder.isRemoved { throw LuaMisuse("'\(responder.name)' was removed") }
    return (responder, owner)
  }

  /// Runs what the core may refuse; a refusal is the script's error.
  func allowing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let misuse as Misuse {
      let other = misuse.other.map { " (the other is at \($0))" } ?? ""
      throw LuaMisuse(misuse.message + other)
    }
  }

  /// While the host asks, nothing may be done; but a `resolve` may write its own responder's tables.
  func refuseWhileAsking(_ what: String, exceptResolving responder: Responder? = nil) throws {
    if let responder, resolving.last === responder { return }
    if dispatcher.isAsking {
      throw LuaMisuse("\(what) is not possible here: the host is asking, and asking must not do")
    }
  }
}
