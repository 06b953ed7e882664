import Glibc

/// Writes JSON as bytes. Escapes all characters in strings that a terminal would obey.
package struct JSONWriter: ~Copyable {
  private var bytes: UnsafeMutablePointer<UInt8>
  private var filled = 0
  private var capacity: Int

  /// The number of bytes written.
  package var count: Int { filled }

  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    bytes = .allocate(capacity: self.capacity)
  }

  deinit { bytes.deallocate() }

  /// Returns the bytes, and clears the writer.
  package mutating func take() -> [UInt8] {
    defer { filled = 0 }
    return Array(UnsafeBufferPointer(start: bytes, count: filled))
  }

  /// Clears the writer.
  package mutating func forget() { filled = 0 }

  /// Passes the bytes to `body` without a copy.
  package borrowing func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(UnsafeBufferPointer(start: bytes, count: filled))
  }

  /// The number of bytes that it holds without growing.
  package var room: Int { capacity }

  /// The written text.
  package var text: String { String(decoding: UnsafeBufferPointer(start: bytes, count: filled), as: UTF8.self) }

  private mutating func makeRoom(_ more: Int) {
    if capacity - filled < more { grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    capacity = max(capacity * 2, filled + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: bytes, count: filled)
    bytes.deallocate()
    bytes = larger
  }

  /// Writes text that is already JSON.
  package mutating func raw(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    makeRoom(length)
    memcpy(bytes + filled, text.utf8Start, length)
    filled += length
  }

  /// Writes text that is already JSON.
  package mutating func written(_ text: String) {
    var text = text
    makeRoom(text.utf8.count)
    text.withUTF8 { (bytes + filled).update(from: $0.baseAddress ?? UnsafePointer(bytes), count: $0.count) }
    filled += text.utf8.count
  }

  /// The last written byte.
  package var last: UInt8? { filled > 0 ? bytes[filled - 1] : nil }

  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  package mutating func integer(_ value: Int) {
    makeRoom(20)
    if value < 0 { add(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let start = filled
    repeat {
      add(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    var digits = UnsafeMutableBufferPointer(start: bytes + start, count: filled - start)
    digits.reverse()
  }

  /// Requires room for the byte.
  private mutating func add(_ byte: UInt8) {
    bytes[filled] = byte
    filled += 1
  }

  package mutating func number(_ value: Double) { written("\(value)") }

  /// Writes a string in quotation marks.
  package mutating func string(_ text: String) {
    let count = text.utf8.count
    makeRoom(count + 2)
    quoted(text, count)
  }

  /// Writes a string after text that is already JSON, in one step.
  package mutating func string(behind before: StaticString, _ text: String) {
    let (length, count) = (before.utf8CodeUnitCount, text.utf8.count)
    makeRoom(length + count + 2)
    memcpy(bytes + filled, before.utf8Start, length)
    filled += length
    quoted(text, count)
  }

  /// Requires room for the text.
  private mutating func quoted(_ text: String, _ count: Int) {
    add(UInt8(ascii: "\""))
    // Copies up to the first character to escape, which is usually the whole text.
    let plain = text.utf8.withContiguousStorageIfAvailable { Self.copyPlain($0, to: bytes + filled) } ?? 0
    filled += plain
    if plain < count { escaped(text.unicodeScalars[text.utf8.index(text.startIndex, offsetBy: plain)...]) }
    makeRoom(1)
    add(UInt8(ascii: "\""))
  }

  /// Copies characters up to the first that may need an escape. Returns the number of bytes.
  private static func copyPlain(_ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x20 || byte >= 0x7F || byte == 0x22 || byte == 0x5C { break }
      target[index] = byte
      index += 1
    }
    return index
  }

  private mutating func escaped(_ scalars: Substring.UnicodeScalarView) {
    for scalar in scalars {
      if scalar.value >= 0x20, scalar.value < 0x7F, scalar != "\"", scalar != "\\" {
        makeRoom(1)
        add(UInt8(truncatingIfNeeded: scalar.value))
      } else if scalar == "\"" || scalar == "\\" || JSONWriter.isObeyed(scalar) {
        escape(scalar)
      } else {
        makeRoom(4)
        for byte in UTF8.encode(scalar).unsafelyUnwrapped {
          bytes[filled] = byte
          filled += 1
        }
      }
    }
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": raw("\\\"")
    case "\\": raw("\\\\")
    case "\n": raw("\\n")
    case "\r": raw("\\r")
    case "\t": raw("\\t")
    default:
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        written("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
      }
    }
  }

  /// Returns true if a terminal would obey a character instead of showing it.
  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    default: false
    }
  }

  // MARK: Literals

  package mutating func literal(_ literal: Literal) {
    switch literal {
    case .null: raw("null")
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .text(let value): string(value)
    case .list(let values):
      raw("[")
      for (index, value) in values.enumerated() {
        if index > 0 { raw(", ") }
        self.literal(value)
      }
      raw("]")
    case .object(let object): self.object(object)
    }
  }

  package mutating func object(_ object: LiteralObject) {
    raw("{")
    for (index, member) in object.members.enumerated() {
      if index > 0 { raw(", ") }
      string(member.key)
      raw(": ")
      literal(member.value)
    }
    raw("}")
  }
}
