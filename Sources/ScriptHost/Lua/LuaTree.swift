import CLua

/// A permanent Swift copy of a Lua value.
package enum LuaTree: Equatable, Sendable {
  case `nil`
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case bytes([UInt8])
  /// A table whose keys are 1…n.
  case list([LuaTree])
  /// Any other table, in Lua's order.
  case map([Entry])
  /// A client's object, by its number there and the client's number.
  case object(Int, of: Int)
  /// A value that can't be copied, by the name of its type.
  case opaque(String)

  package struct Entry: Equatable, Sendable {
    package var key: LuaTree
    package var value: LuaTree
  }
}

extension LuaState {
  /// Copies a value with everything in it. Throws if it is too deep, too large or contains itself.
  ///
  /// - Parameter bytes: the most bytes of all its strings, where each occurrence counts; by default the memory limit of
  ///   scripts.
  func tree(_ value: LuaValue, depth: Int = 64, size: Int = 100_000, bytes: Int? = nil) throws -> LuaTree {
    var left = bytes ?? limits.memory
    return try tree(value, depth: depth, size: size, within: &left)
  }

  /// Copies a value, and subtracts the bytes of its strings from `left`.
  func tree(_ value: LuaValue, depth: Int = 64, size: Int = 100_000, within left: inout Int) throws -> LuaTree {
    var copy = TreeCopy(state: self, depthLimit: depth, sizeLimit: size, byteLimit: max(0, left))
    defer { left -= copy.bytes }
    return try copy.tree(value)
  }
}

/// The state of one copy: the tables around, and the amount copied.
private struct TreeCopy {
  let state: LuaState
  let depthLimit: Int
  let sizeLimit: Int
  let byteLimit: Int
  var inside: [UnsafeRawPointer] = []
  var size = 0
  var bytes = 0

  mutating func tree(_ value: LuaValue) throws -> LuaTree {
    size += 1
    bytes += value.byteCount
    guard bytes <= byteLimit else {
      throw LuaError(.tooLarge(limit: byteLimit), "the value has more than \(byteLimit) bytes")
    }
    guard size <= sizeLimit else {
      throw LuaError(.tooLarge(limit: sizeLimit), "the value has more than \(sizeLimit) parts")
    }
    switch value {
    case .nil: return .nil
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let value): return .text(value)
    case .bytes(let value): return .bytes(value)
    case .table(let table): return try tree(of: table)
    case .object(let object) where object is LuaSentinel: return .nil
    case .object(let object as ClientObject): return .object(object.id, of: object.client)
    case .function, .thread, .object: return .opaque(value.typeName)
    }
  }

  private mutating func tree(of table: LuaTable) throws -> LuaTree {
    guard inside.count < depthLimit else {
      throw LuaError(.tooDeep(limit: depthLimit), "the value is nested more than \(depthLimit) deep")
    }
    let identity = try state.identity(of: table)
    guard !inside.contains(identity) else { throw LuaError(.cycle, "the value holds itself") }
    inside.append(identity)
    defer { inside.removeLast() }
    var entries: [LuaTree.Entry] = []
    try state.forEach(in: table) { key, value in
      entries.append(LuaTree.Entry(key: try tree(key), value: try tree(value)))
      return true
    }
    return list(entries) ?? .map(entries)
  }

  /// Returns the entries as a list, if their keys are 1…n.
  private func list(_ entries: [LuaTree.Entry]) -> LuaTree? {
    guard !entries.isEmpty else { return nil }
    var elements = [LuaTree?](repeating: nil, count: entries.count)
    for entry in entries {
      guard case .integer(let key) = entry.key, key >= 1, key <= entries.count else { return nil }
      elements[key - 1] = entry.value
    }
    return .list(elements.compactMap { $0 })
  }
}

extension LuaState {
  /// Returns a pointer that identifies a table during its life.
  func identity(of table: LuaTable) throws(LuaError) -> UnsafeRawPointer {
    try push(table.reference, on: L)
    defer { clua_pop(L, 1) }
    guard let identity = clua_identity(L, -1) else {
      throw LuaError.foreign
    }
    return identity
  }
}

/// An object of a client, a program outside the host. Scripts can pass it on and compare it, but not look inside.
package final class ClientObject: Sendable {
  /// The client's number for it.
  package let id: Int
  /// The number of the client that has it.
  package let client: Int

  package init(_ id: Int, of client: Int) {
    self.id = id
    self.client = client
  }
}
