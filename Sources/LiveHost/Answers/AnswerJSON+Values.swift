import ScriptHost

// Writes values of scripts. A value that JSON can't write is named: `{"$": "function"}`.

extension AnswerJSON {
  package func json(_ value: LuaTree) -> JSON {
    switch value {
    case .nil: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return value.isFinite ? .number(value) : unsayable(value.isNaN ? "nan" : "\(value)")
    case .text(let value): return .text(value)
    case .bytes(let bytes):
      return isWhole ? .object([("$", .text("bytes")), ("count", .integer(bytes.count))]) : unsayable("bytes")
    case .opaque(let what): return unsayable(what)
    case .list(let values): return .list(values.map(json))
    case .map(let entries):
      let members = entries.map { (name(of: $0.key), json($0.value)) }
      // The keys 1 and "1" are different keys with the same name.
      if Set(members.map { ByteText($0.0) }).count < members.count { return unsayable("doubled keys") }
      return .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    }
  }

  private func unsayable(_ what: String) -> JSON { .object([("$", .text(what))]) }

  private func name(of key: LuaTree) -> String {
    if case .text(let text) = key { return text }
    return key.text
  }

  /// A value in detail, as a person looks at it: under the name of its kind.
  func json(_ value: Inspection) -> JSON {
    switch value {
    case .nil: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): value.isFinite ? .number(value) : unsayable(value.isNaN ? "nan" : "\(value)")
    case .text(let text): .text(text)
    case .bytes(let count): .object([("bytes", .integer(count))])
    case .function(let place): .object([("function", place == nil ? .null : .object(members(place)))])
    case .object(let name): .object([("object", .text(name))])
    case .cycle(let path): .object([("cycle", .text(path))])
    case .responder(let name, let fields):
      .object([("responder", .text(name)), ("fields", .object(members(fields)))])
    case .table(let table): .object(members(table))
    }
  }

  private func members(_ table: Inspection.Table) -> [(String, JSON)] {
    let entries = table.entries.map { JSON.list([json($0.key), json($0.value)]) }
    return [("table", .list(entries))] + (table.more > 0 ? [("more", .integer(table.more))] : [])
      + (table.isClosed ? [("closed", .bool(true))] : [])
  }
}
