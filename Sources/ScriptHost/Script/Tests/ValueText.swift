import CLua

/// Writes Lua values so that a person can distinguish them, and short enough for a sentence.
struct ValueText {
  private static let deepest = 3
  private static let most = 100
  private static let mostEntries = 20
  private static let reach = 40

  private let engine: ScriptEngine

  init(_ engine: ScriptEngine) { self.engine = engine }

  func of(_ value: LuaValue) -> String { text(value, depth: 0, from: 0) }

  /// Returns the texts of two differing values, written so that the difference shows.
  func of(_ expected: LuaValue, besides found: LuaValue) -> (expected: String, found: String) {
    var start = 0
    if case .text(let left) = expected, case .text(let right) = found, max(left.count, right.count) > 2 * Self.reach {
      let same = zip(left.unicodeScalars, right.unicodeScalars).prefix { $0 == $1 }.count
      start = max(0, same - Self.reach / 2)
    }
    let texts = (expected: text(expected, depth: 0, from: start), found: text(found, depth: 0, from: start))
    if texts.expected.hasSameBytes(as: texts.found) { return (texts.expected, "another \(Self.noun(found))") }
    // An é may be one Unicode scalar or two.
    return texts.expected == texts.found ? (texts.expected, "\(texts.found) in other characters") : texts
  }

  /// Returns the entries of a table in a fixed order: numbers first, then strings by their bytes.
  static func sorted(_ entries: [(LuaValue, LuaValue)]) -> [(LuaValue, LuaValue)] {
    entries.sorted { left, right in
      switch (left.0, right.0) {
      case (.integer(let left), .integer(let right)): left < right
      case (.number(let left), .number(let right)): left < right
      case (.text(let left), .text(let right)): left.precedesByBytes(right)
      default: rank(left.0) < rank(right.0)
      }
    }
  }

  private static func rank(_ key: LuaValue) -> Int {
    switch key {
    case .integer: 0
    case .number: 1
    case .text: 2
    case .bool(false): 3
    case .bool(true): 4
    case .bytes: 5
    default: 6
    }
  }

  /// Returns the path of a field in Lua's syntax: `.name`, `[3]`, `["two words"]`.
  static func path(_ key: LuaValue) -> String {
    switch key {
    case .text(let name) where isWord(name): ".\(name)"
    case .text(let name): "[\(quoted(name, from: 0))]"
    case .integer(let number): "[\(number)]"
    case .number(let number): "[\(number)]"
    case .bool(let value): "[\(value)]"
    default: "[\(key.described)]"
    }
  }

  private static func isWord(_ name: String) -> Bool {
    let bytes = name.utf8
    guard let first = bytes.first, bytes.count <= reach else { return false }
    let isStart = first == UInt8(ascii: "_") || isLetter(first)
    return isStart && bytes.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & ~0x20) }

  private static func noun(_ value: LuaValue) -> String {
    switch value {
    case .text, .bytes: "string"
    default: value.typeName
    }
  }

  // MARK: One value

  private func text(_ value: LuaValue, depth: Int, from start: Int) -> String {
    switch value {
    case .nil: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): value.isNaN ? "nan" : "\(value)"
    case .text(let text): Self.quoted(text, from: start)
    case .bytes(let bytes): "a string of \(bytes.count) bytes that are not UTF-8"
    case .function(let function):
      engine.lua.place(of: function).map { "the function of \($0.source):\($0.line)" } ?? "a function"
    case .thread: "a coroutine"
    case .object(let object): object is LuaSentinel ? described(value) : "an object"
    case .table(let table): text(table, depth: depth)
    }
  }

  /// Returns the text of `tostring` for values that have only an identity, for `null` and for `pass`.
  private func described(_ value: LuaValue) -> String { (try? engine.lua.describe(value)) ?? "an object" }

  private func text(_ table: LuaTable, depth: Int) -> String {
    if let responder = engine.responder(table) { return "\(responder.kindWord) '\(responder.name)'" }
    if (try? engine.isHostTable(table)) ?? true { return described(.table(table)) }
    if depth >= Self.deepest { return "{…}" }
    var entries: [(LuaValue, LuaValue)] = []
    var isCut = false
    try? engine.lua.forEach(in: table) { key, value in
      isCut = entries.count == 1000
      if !isCut { entries.append((key, value)) }
      return !isCut
    }
    var text = "{"
    var next = 1
    for (index, (key, value)) in Self.sorted(entries).enumerated() {
      if index > 0 { text += ", " }
      if index == Self.mostEntries || text.count > Self.most {
        isCut = true
        break
      }
      if case .integer(next) = key { next += 1 } else { text += "\(name(key)) = " }
      text += self.text(value, depth: depth + 1, from: 0)
    }
    return text + (isCut ? "…}" : "}")
  }

  private func name(_ key: LuaValue) -> String {
    if case .text(let name) = key, Self.isWord(name) { return name }
    return Self.path(key)
  }

  // MARK: Strings

  /// Returns a string in quotes, with Lua's escapes; a part of a long string.
  private static func quoted(_ text: String, from start: Int) -> String {
    let scalars = text.unicodeScalars
    let shown = scalars.dropFirst(start).prefix(2 * reach)
    let isCut = scalars.dropFirst(start).dropFirst(2 * reach).first != nil
    return (start > 0 ? "…\"" : "\"") + shown.map(escaped).joined() + (isCut ? "\"…" : "\"")
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default:
      scalar.properties.generalCategory == .control
        ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }
  }
}

/// Compares two Lua values with everything in them, and finds the parts that differ.
///
/// Tables are the same if their contents are, whatever their metatables. A table that contains itself equals a table
/// that does so in the same place. Host objects are the same if Lua's `==` is true, functions and coroutines if they
/// are identical. Numbers compare as in Lua, but nan equals nan.
struct Comparison {
  private static let mostParts = 100_000
  private static let deepest = 64
  private static let mostShown = 10

  private struct Pair: Hashable {
    let expected: UnsafeRawPointer
    let found: UnsafeRawPointer
  }

  private let engine: ScriptEngine
  private var lua: LuaState { engine.lua }
  private var parts = 0
  private var depth = 0
  private var under: Set<Pair> = []
  /// The first few parts in which they differ.
  private(set) var differences: [ScriptTestDifference] = []
  /// The number of further differing parts.
  private(set) var more = 0

  init(_ engine: ScriptEngine) { self.engine = engine }

  /// The difference in one sentence; nil if there is none.
  var sentence: String? {
    guard let first = differences.first else { return nil }
    let place = first.path.isEmpty ? "" : "at \(first.path): "
    let others = differences.count - 1 + more
    let rest = others == 0 ? "" : " (and \(others) more \(others == 1 ? "difference" : "differences"))"
    return "\(place)expected \(first.expected), found \(first.found)\(rest)"
  }

  mutating func compare(_ expected: LuaValue, _ found: LuaValue) throws { try compare(expected, found, at: "") }

  private mutating func compare(_ expected: LuaValue, _ found: LuaValue, at path: String) throws {
    parts += 1
    if parts > Self.mostParts { throw LuaMisuse("values of more than \(Self.mostParts) parts can't be compared") }
    if try isSame(expected, found) { return }
    if case .table(let left) = expected, case .table(let right) = found,
      try !engine.isHostTable(left), try !engine.isHostTable(right)
    {
      return try compare(tables: left, right, at: path)
    }
    note(expected, found, at: path)
  }

  private mutating func note(_ expected: LuaValue, _ found: LuaValue, at path: String) {
    guard differences.count < Self.mostShown else {
      more += 1
      return
    }
    let texts = ValueText(engine).of(expected, besides: found)
    differences.append(ScriptTestDifference(path: path, expected: texts.expected, found: texts.found))
  }

  // MARK: Tables

  private mutating func compare(tables expected: LuaTable, _ found: LuaTable, at path: String) throws {
    let pair = Pair(expected: try lua.identity(of: expected), found: try lua.identity(of: found))
    guard under.insert(pair).inserted else { return }
    defer { under.remove(pair) }
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest {
      throw LuaMisuse("values that are nested more than \(Self.deepest) deep can't be compared")
    }
    for (key, left) in try entries(of: expected) {
      try compare(left, try lua.rawGet(key, of: found), at: path + ValueText.path(key))
    }
    for (key, right) in try entries(of: found) {
      if case .nil = try lua.rawGet(key, of: expected) { try compare(.nil, right, at: path + ValueText.path(key)) }
    }
  }

  /// Lua has no fixed order, and the first difference must always be the same.
  private func entries(of table: LuaTable) throws -> [(LuaValue, LuaValue)] {
    var entries: [(LuaValue, LuaValue)] = []
    try lua.forEach(in: table) { key, value in
      entries.append((key, value))
      if entries.count > Self.mostParts {
        throw LuaMisuse("values of more than \(Self.mostParts) parts can't be compared")
      }
      return true
    }
    return ValueText.sorted(entries)
  }

  // MARK: Parts

  private func isSame(_ left: LuaValue, _ right: LuaValue) throws -> Bool {
    switch (left, right) {
    case (.nil, .nil): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.integer(let left), .integer(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right || left.isNaN && right.isNaN
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      return Int(exactly: number) == integer
    case (.text(let left), .text(let right)): return left.hasSameBytes(as: right)
    case (.bytes(let left), .bytes(let right)): return left == right
    case (.object(let left), .object(let right)) where left === right: return true
    case (.table(let mine), .table(let other)):
      if try engine.isHostTable(mine), try engine.isHostTable(other) { return try isEqualToLua(left, right) }
      return try isSameOne(left, right)
    case (.function, .function), (.thread, .thread), (.object, .object): return try isSameOne(left, right)
    default: return false
    }
  }

  private func isSameOne(_ left: LuaValue, _ right: LuaValue) throws -> Bool {
    let top = clua_top(lua.L)
    defer { clua_setTop(lua.L, top) }
    try lua.push(left, on: lua.L)
    try lua.push(right, on: lua.L)
    return clua_rawEqual(lua.L, -1, -2)
  }

  /// Returns the result of `==`: two host tables may refer to the same object.
  private func isEqualToLua(_ left: LuaValue, _ right: LuaValue) throws -> Bool {
    if try isSameOne(left, right) { return true }
    let equal = try lua.load(own: "local a, b = ... return a == b", name: "comparison")
    return try lua.call(equal, left, right).first?.isTrue ?? false
  }
}
