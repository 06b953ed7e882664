import ScriptHost

/// The place of the cursor in a line of Lua, for completions: in a name, in a string, or anywhere else.
package enum LuaPlace: Equatable {
  /// A name, and the names before it, from the globals or from a responder.
  case name(path: [String], responder: String?, begun: String)
  /// A string without an end, and the quote that would end it.
  case string(begun: String, quote: String)
  /// A number, a comment, or anything that only Lua's parser understands.
  case nothing

  package init(_ line: String) {
    let bytes = Array(line.utf8)
    if let open = Self.openString(bytes) {
      self = open
      return
    }
    let start = Self.startOfName(bytes, before: bytes.count)
    let begun = String(decoding: bytes[start...], as: UTF8.self)
    if let first = begun.utf8.first, (0x30...0x39).contains(first) {
      self = .nothing
      return
    }
    // From the last name to the first.
    var path: [String] = []
    var index = start
    while index > 0, bytes[index - 1] == UInt8(ascii: ".") || bytes[index - 1] == UInt8(ascii: ":") {
      let end = index - 1
      if end > 0, bytes[end - 1] == UInt8(ascii: ")") {
        let responder = Self.responder(bytes[..<end])
        self = responder.map { .name(path: path.reversed(), responder: $0, begun: begun) } ?? .nothing
        return
      }
      let name = Self.startOfName(bytes, before: end)
      guard name < end, !(0x30...0x39).contains(bytes[name]) else {
        self = .nothing
        return
      }
      path.append(String(decoding: bytes[name..<end], as: UTF8.self))
      index = name
    }
    self = .name(path: path.reversed(), responder: nil, begun: begun)
  }

  private static func startOfName(_ bytes: [UInt8], before end: Int) -> Int {
    var start = end
    while start > 0, isNameByte(bytes[start - 1]) { start -= 1 }
    return start
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & ~0x20) || byte == 0x5F
  }

  /// Returns the string or the comment that is open at the cursor.
  private static func openString(_ bytes: [UInt8]) -> LuaPlace? {
    var quote: (byte: UInt8, start: Int)?
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == open.byte { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = (byte, index + 1)
      } else if byte == UInt8(ascii: "-"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "-") {
        return .nothing
      }
      index += 1
    }
    return quote.map {
      .string(
        begun: String(decoding: bytes[min($0.start, bytes.count)...], as: UTF8.self),
        quote: String(decoding: [$0.byte], as: UTF8.self))
    }
  }

  /// Returns the name in `app:find("name")`, if the bytes end with this call.
  private static func responder(_ bytes: ArraySlice<UInt8>) -> String? {
    var rest = bytes.dropLast()
    func skipBlanks() { while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() } }
    skipBlanks()
    guard let quote = rest.popLast(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let start = rest.lastIndex(of: quote)
    else { return nil }
    let name = rest[(start + 1)...]
    rest = rest[..<start]
    skipBlanks()
    guard rest.popLast() == UInt8(ascii: "(") else { return nil }
    skipBlanks()
    guard Array(rest.suffix(8)) == Array("app:find".utf8), !name.contains(UInt8(ascii: "\\")) else { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}

extension LuaTree {
  /// The value in the notation of references, or the name of its kind. Levels too deep to read become "…".
  package var text: String { text(depth: 6) }

  private func text(depth: Int) -> String {
    switch self {
    case .nil: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): JSONText.quoted(value).visible
    case .bytes(let bytes): "\(bytes.count) bytes that are not UTF-8"
    case .opaque(let what): "<\(what.visible)>"
    case .object(let id, _): "<object \(id)>"
    case .list where depth == 0, .map where depth == 0: "…"
    case .list(let values): "[\(values.map { $0.text(depth: depth - 1) }.joined(separator: ", "))]"
    case .map(let entries):
      "{\(Self.sorted(entries).map { "\(Self.key($0.key)): \($0.value.text(depth: depth - 1))" }.joined(separator: ", "))}"
    }
  }

  private static func key(_ key: LuaTree) -> String {
    guard case .text(let word) = key else { return "[\(key.text)]" }
    let isBare = (try? Reference.parse("a(\(word): 1)"))?.arguments?.members.first?.key == word
    return isBare ? word : JSONText.quoted(word).visible
  }

  /// Sorts the entries of a table, because Lua doesn't keep them in a fixed order.
  private static func sorted(_ entries: [LuaTree.Entry]) -> [LuaTree.Entry] {
    entries.map { (key($0.key), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
