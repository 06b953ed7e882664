import CLua
import CScript

/// Converts a script's value to a literal, and so to JSON, with the path of tables around it and the size so far.
struct PlainLiteral {
  /// The end of an error about a value that isn't plain, after its path.
  let rule: String
  /// The limit for the bytes of all texts, names and numbers together.
  let limit: Int
  let lua: LuaState
  private var inside: [UnsafeRawPointer] = []
  /// The bytes that were used so far.
  private(set) var size = 0

  private static let deepest = 64

  /// The end of an error about a context in the place of plain data.
  static let context = "is a context, which has named arguments"

  /// Whether values that JSON can't express get a mark: tables with other keys, strings that aren't UTF-8.
  let hasPairs: Bool

  /// Whether values that aren't plain data become null, and the error about the first of them.
  var skipsOthers = false
  private(set) var skipped: LuaMisuse?

  static let mark = "$"

  init(_ lua: LuaState, limit: Int, rule: String, hasPairs: Bool = false) {
    self.hasPairs = hasPairs
    self.lua = lua
    self.limit = limit
    self.rule = rule
  }

  /// Returns a value as a literal.
  ///
  /// - Parameter path: the value's path in Lua's syntax.
  mutating func literal(_ value: LuaValue, _ path: String) throws -> Literal {
    guard skipsOthers else { return try plain(value, path) }
    do { return try plain(value, path) } catch let misuse as LuaMisuse where size <= limit {
      skipped = skipped ?? misuse
      return .null
    }
  }

  private mutating func plain(_ value: LuaValue, _ path: String) throws -> Literal {
    try count(8, path)
    switch value {
    case .nil: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value) where value.isFinite: return .number(value)
    case .text(let text):
      try count(text.utf8.count, path)
      return .text(text)
    case .table(let table): return try literal(table, path)
    case .object(let object) where object is LuaSentinel: return .null
    case .number(let value): throw LuaMisuse("\(path) is \(value.isNaN ? "NaN" : "infinite"): \(rule)")
    case .bytes(let bytes) where hasPairs:
      try count(2 * bytes.count, path)
      return marked(.text(Self.digits(of: bytes)))
    case .bytes: throw LuaMisuse("\(path) is a string that is not UTF-8: \(rule)")
    case .function, .thread, .object: throw LuaMisuse("\(path) is \(value.described): \(rule)")
    }
  }

  private mutating func count(_ more: Int, _ path: String) throws {
    size += more
    if size > limit { throw LuaMisuse("with \(path) it has more than \(limit) bytes") }
  }

  private mutating func literal(_ table: LuaTable, _ path: String) throws -> Literal {
    try checkPlain(table, path)
    let identity = try lua.identity(of: table)
    if inside.contains(identity) { throw LuaMisuse("\(path) holds itself: \(rule)") }
    if inside.count == Self.deepest { throw LuaMisuse("\(path) is nested more than \(Self.deepest) deep") }
    inside.append(identity)
    defer { inside.removeLast() }
    let count = try lua.rawCount(of: table)
    if hasPairs, try !isSaidByJSON(table, count) { return try pairs(table, path) }
    return count > 0 ? try list(table, count, path) : try object(table, path)
  }

  private mutating func list(_ table: LuaTable, _ count: Int, _ path: String) throws -> Literal {
    try lua.forEach(in: table) { key, _ in
      if case .integer(let index) = key, index >= 1, index <= count { return true }
      throw LuaMisuse("\(Self.path(key, in: path)) is a named field of a list: \(rule)")
    }
    // Lua chooses the border of a list with gaps, so each entry is checked.
    return .list(
      try (1...count).map { index in
        let value = try lua.rawGet(.integer(index), of: table)
        if case .nil = value { throw LuaMisuse("\(path)[\(index)] is missing from a list: \(rule)") }
        return try literal(value, "\(path)[\(index)]")
      })
  }

  private mutating func object(_ table: LuaTable, _ path: String) throws -> Literal {
    var members: [LiteralObject.Member] = []
    try lua.forEach(in: table) { key, value in
      let place = Self.path(key, in: path)
      guard case .text(let name) = key else {
        throw LuaMisuse("\(place) has \(key.described) as key, but the table is no list: \(rule)")
      }
      try count(name.utf8.count, place)
      members.append(LiteralObject.Member(key: name, value: try literal(value, place)))
      return true
    }
    // Lua's tables have no reliable order.
    return .object(LiteralObject(distinct: members.sorted { $0.key.precedesByBytes($1.key) }))
  }

  // MARK: Values that JSON can't say

  private func marked(_ literal: Literal) -> Literal {
    .object(LiteralObject(distinct: [LiteralObject.Member(key: Self.mark, value: literal)]))
  }

  /// Returns true if JSON can express a table: as a list without gaps, or with names as keys, without the mark.
  private func isSaidByJSON(_ table: LuaTable, _ count: Int) throws -> Bool {
    var (isSaid, found) = (true, 0)
    try lua.forEach(in: table) { key, _ in
      found += 1
      switch key {
      case .integer(let index): isSaid = index >= 1 && index <= count
      case .text(let name): isSaid = count == 0 && name != Self.mark
      default: isSaid = false
      }
      return isSaid
    }
    return isSaid && (count == 0 || found == count)
  }

  private mutating func pairs(_ table: LuaTable, _ path: String) throws -> Literal {
    var pairs: [(key: String, pair: Literal)] = []
    try lua.forEach(in: table) { key, value in
      let place = Self.path(key, in: path)
      switch key {
      case .text, .integer, .number, .bool, .bytes: break
      default: throw LuaMisuse("\(path) has \(key.described) for a key: \(rule)")
      }
      pairs.append((place, .list([try literal(key, place), try literal(value, place)])))
      return true
    }
    return marked(.list(pairs.sorted { $0.key.precedesByBytes($1.key) }.map(\.pair)))
  }

  private static func digits(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  static func bytes(of digits: String) -> [UInt8] {
    let values = digits.utf8.compactMap { UInt8(String(Unicode.Scalar($0)), radix: 16) }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private func checkPlain(_ table: LuaTable, _ path: String) throws {
    if try lua.isPlain(table) { return }
    throw LuaMisuse(
      "\(path) \(try lua.isContext(table) ? PlainLiteral.context : "is an object or has a metatable"): \(rule)")
  }

  private static func isPlainName(_ name: String) -> Bool {
    name.utf8.first.map { !(48...57).contains($0) } ?? false
      && name.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95
      }
  }

  /// Returns the path of the value at a key, in Lua's syntax.
  static func path(_ key: LuaValue, in path: String) -> String {
    switch key {
    case .text(let name): isPlainName(name) ? "\(path).\(name)" : "\(path)[\"\(name)\"]"
    case .integer(let number): "\(path)[\(number)]"
    case .number(let number): "\(path)[\(number)]"
    case .bool(let value): "\(path)[\(value)]"
    default: "\(path)[…]"
    }
  }
}

extension LuaState {
  /// Returns true if a table is the context of an action.
  func isContext(_ table: LuaTable) throws -> Bool {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    try push(table.reference, on: L)
    return clua_room(L, 4) && clua_isContext(L, top + 1)
  }

  /// Returns true if a table is only its contents: it has no metatable, and is no host object.
  func isPlain(_ table: LuaTable) throws -> Bool {
    try push(table.reference, on: L)
    defer { clua_pop(L, 1) }
    return clua_hostNumber(L, -1) < 0 && clua_isPlainTable(L, -1)
  }
}
