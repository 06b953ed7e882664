import CLua

/// Writes Lua values so that a person can tell them apart, and short enough for a sentence.
struct ValueText {
  private static let deepest = 3
  private static let most = 100
  private static let mostEntries = 20
  private static let reach = 40

  private let engine: ScriptEngine

  init(_ engine: ScriptEngine) { self.engine = engine }

  func of(_ value: LuaValue) -> String { text(value, depth: 0, from: 0) }

  /// Two values that differ, written so that the difference shows.
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

  /// The entries of a table in an order that is always the same: numbers first, then strings by their bytes.
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

  /// How a script would read a field: `.name`, `[3]`, `["two words"]`.
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

  /// The text of `tostring` for values that have only an identity, for `null` and for `pass`.
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

  /// A string in quotes, with Lua's escapes; of a long one, a part.
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
