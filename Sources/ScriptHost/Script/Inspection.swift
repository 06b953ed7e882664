import CLua

/// A finite copy of a value, to show it to a person. Values without a content have names.
package indirect enum Inspection: Equatable, Sendable {
  case `nil`
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  /// A string with this number of bytes that are not UTF-8.
  case bytes(count: Int)
  /// A function, and its place in a script.
  case function(Place?)
  /// A value that has only an identity, as the text of `tostring`.
  case object(String)
  case table(Table)
  /// A responder with the fields that scripts gave it.
  case responder(String, fields: Table)
  /// A table that contains this place, by its path from the whole value. The path of the whole value is empty.
  case cycle(path: String)

  /// The entries of a table: numbers first, then words in the order of their bytes.
  package struct Table: Equatable, Sendable {
    /// A key and its value.
    package struct Entry: Equatable, Sendable {
      /// The key.
      package var key: Inspection
      /// The value at the key.
      package var value: Inspection
    }

    /// The shown entries.
    package var entries: [Entry] = []
    /// The number of further entries, at least.
    package var more = 0
    /// Whether the table is nested too deep, so that its entries are omitted.
    package var isClosed = false
  }
}

extension ScriptHost {
  /// Copies a value up to a depth, with at most this number of parts. No code of a script runs.
  package func inspect(_ value: Value, depth: Int = 4, parts: Int = 1000) -> Inspection {
    guard let scripts else { return Inspector.inspection(ofPlain: value) }
    var inspector = Inspector(engine: scripts, depth: depth, parts: parts)
    return inspector.inspect(value)
  }
}

/// Copies one value.
private struct Inspector {
  /// The most entries of a table that are read for sorting.
  private static let mostEntries = 10_000

  let engine: ScriptEngine
  let depth: Int
  var parts: Int
  /// The tables around the present value, with their paths.
  private var inside: [(identity: UnsafeRawPointer, path: String)] = []

  init(engine: ScriptEngine, depth: Int, parts: Int) {
    self.engine = engine
    self.depth = depth
    self.parts = parts
  }

  static func inspection(ofPlain value: Value) -> Inspection {
    switch value {
    case .null: .nil
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .text(let value): .text(value)
    case .list(let values):
      .table(
        Inspection.Table(
          entries: values.enumerated().map {
            Inspection.Table.Entry(key: .integer($0 + 1), value: inspection(ofPlain: $1))
          }))
    case .object(let members):
      .table(
        Inspection.Table(
          entries: members.map { Inspection.Table.Entry(key: .text($0.key), value: inspection(ofPlain: $0.value)) }))
    case .opaque(let object): .object(Value.opaque(object).typeName)
    }
  }

  mutating func inspect(_ value: Value) -> Inspection {
    switch value {
    case .opaque(let script as ScriptValue): return inspect(script.value, at: "")
    case .opaque(let job as Job): return .object("job '\(job.action)'")
    case .opaque(let responder as Responder):
      guard let table = engine.shownObject(of: responder) else { return .object(named(responder)) }
      return .responder(named(responder), fields: contents(of: table, at: ""))
    default: return Self.inspection(ofPlain: value)
    }
  }

  private mutating func inspect(_ value: LuaValue, at path: String) -> Inspection {
    switch value {
    case .nil: return .nil
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let value): return .text(value)
    case .bytes(let bytes): return .bytes(count: bytes.count)
    case .function(let function):
      return .function(engine.place(engine.lua.place(of: function, withText: false)))
    case .thread: return .object("coroutine")
    case .object(let object):
      return .object(
        object is LuaSentinel ? (try? engine.lua.describe(value)) ?? "object" : Value.opaque(object).typeName)
    case .table(let table):
      if (try? engine.isHostTable(table)) ?? true { return .object(engine.hostName(of: table)) }
      guard let identity = try? engine.lua.identity(of: table) else { return .object("table") }
      if let outer = inside.first(where: { $0.identity == identity }) { return .cycle(path: outer.path) }
      return .table(contents(of: table, at: path))
    }
  }

  private func named(_ responder: Responder) -> String { "\(responder.kindWord) '\(responder.name)'" }

  private mutating func contents(of table: LuaTable, at path: String) -> Inspection.Table {
    guard inside.count < depth, let identity = try? engine.lua.identity(of: table) else {
      return Inspection.Table(isClosed: true)
    }
    inside.append((identity, path))
    defer { inside.removeLast() }
    var found: [(LuaValue, LuaValue)] = []
    var more = 0
    try? engine.lua.forEach(in: table) { key, value in
      if found.count < Self.mostEntries { found.append((key, value)) } else { more += 1 }
      return more < Self.mostEntries
    }
    var contents = Inspection.Table()
    for (key, value) in ValueText.sorted(found) {
      guard parts > 0 else { break }
      parts -= 1
      contents.entries.append(
        Inspection.Table.Entry(
          key: inspect(key, at: path + "[…]"), value: inspect(value, at: path + ValueText.path(key))))
    }
    contents.more = found.count - contents.entries.count + more
    return contents
  }
}

extension ScriptEngine {
  /// Returns the maker's table of a responder, with its fields; nil if the responder was removed.
  fileprivate func shownObject(of responder: Responder) -> LuaTable? {
    responder.isRemoved ? nil : LuaTable(reference: object(responder, for: maker(of: responder)).reference)
  }

  /// Returns the kind of a host table, and its name if it has one. A responder's tables, as `on`, have their own kinds.
  fileprivate func hostName(of table: LuaTable) -> String {
    guard (try? lua.push(table.reference, on: lua.L)) != nil else { return "object" }
    let top = clua_top(lua.L)
    defer { clua_setTop(lua.L, top - 1) }
    let name = hostName(at: top, on: lua.L).map { " '\($0)'" } ?? ""
    guard clua_metatable(lua.L, top) else { return "object" + name }
    lua.push(text: "__name", on: lua.L)
    clua_rawGet(lua.L, -2)
    let kind = lua.text(at: -1, on: lua.L) ?? "object"
    if kind == "responder", let responder = responder(at: top, on: lua.L)?.responder {
      return responder.kindWord + name
    }
    return kind + name
  }
}

// Builds an `Inspection` from decoded JSON, for clients of the live protocol.

extension Inspection.Table {
  package init(told entries: [Entry], more: Int, isClosed: Bool) {
    self.init(entries: entries, more: more, isClosed: isClosed)
  }
}

extension Inspection.Table.Entry {
  package init(told key: Inspection, _ value: Inspection) { self.init(key: key, value: value) }
}
