/// Writes JSON into bytes, with all escaped in its strings that a terminal would obey.
package struct JSONWriter: ~Copyable {
  private var bytes: UnsafeMutablePointer<UInt8>
  /// How many bytes it has written.
  package private(set) var count = 0
  private var capacity: Int

  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    bytes = .allocate(capacity: self.capacity)
  }

  deinit { bytes.deallocate() }

  /// What was written.
  package var text: String { String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self) }

  private mutating func makeRoom(_ more: Int) {
    if capacity - count >= more { return }
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: bytes, count: count)
    bytes.deallocate()
    bytes = larger
  }

  private mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
    makeRoom(length)
    (bytes + count).update(from: start, count: length)
    count += length
  }

  /// Writes text that is JSON already.
  @inline(__always)
  package mutating func raw(_ text: StaticString) { append(text.utf8Start, text.utf8CodeUnitCount) }

  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  package mutating func integer(_ value: Int) { ascii("\(value)") }

  package mutating func number(_ value: Double) { ascii("\(value)") }

  private mutating func ascii(_ text: String) {
    for byte in text.utf8 {
      makeRoom(1)
      bytes[count] = byte
      count += 1
    }
  }

  /// Writes a string between quotation marks.
  package mutating func string(_ text: String) {
    raw("\"")
    if text.utf8.withContiguousStorageIfAvailable({ escaped($0) }) == nil { escaped(text.unicodeScalars) }
    raw("\"")
  }

  /// Copies as long as nothing has to be escaped, which is nearly always to the end.
  private mutating func escaped(_ utf8: UnsafeBufferPointer<UInt8>) {
    guard let start = utf8.baseAddress else { return }
    var from = 0
    for index in 0..<utf8.count {
      let byte = start[index]
      if byte >= 0x80 {
        append(start + from, index - from)
        return escaped(String(decoding: utf8[index...], as: UTF8.self).unicodeScalars)
      }
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F else { continue }
      append(start + from, index - from)
      escape(Unicode.Scalar(byte))
      from = index + 1
    }
    append(start + from, utf8.count - from)
  }

  private mutating func escaped(_ scalars: String.UnicodeScalarView) {
    for scalar in scalars {
      if scalar == "\"" || scalar == "\\" || JSONWriter.isObeyed(scalar) {
        escape(scalar)
      } else {
        makeRoom(4)
        for byte in UTF8.encode(scalar).unsafelyUnwrapped {
          bytes[count] = byte
          count += 1
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
        ascii("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
      }
    }
  }

  /// Whether a terminal would do something for a character instead of showing it.
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
