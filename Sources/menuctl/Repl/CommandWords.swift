/// Splits a command line of the REPL into words. A reference is one word, even with blanks between brackets.
struct CommandWords {
  struct Word: Equatable {
    /// The word without its quotes.
    var text: String
    /// The word's range in the line, in bytes, with the quotes.
    var range: Range<Int>
    /// Whether the word is quoted, so that it is no option.
    var isQuoted = false
  }

  private(set) var words: [Word] = []
  /// The closing quote or bracket that the last word lacks.
  private(set) var open: UInt8?
  private let bytes: [UInt8]

  init(_ line: some StringProtocol) {
    bytes = Array(line.utf8)
    var index = 0
    while let start = bytes[index...].firstIndex(where: { !Self.isBlank($0) }) {
      index = Self.isQuote(bytes[start]) ? readQuoted(from: start) : readPlain(from: start)
    }
  }

  /// Returns the text from one word to another, as written.
  func text(from first: Word, to last: Word) -> String {
    String(decoding: bytes[first.range.lowerBound..<last.range.upperBound], as: UTF8.self)
  }

  /// Returns the text after a word, as written.
  func text(behind word: Word) -> String {
    var rest = bytes[word.range.upperBound...]
    while let first = rest.first, Self.isBlank(first) { rest.removeFirst() }
    while let last = rest.last, Self.isBlank(last) { rest.removeLast() }
    return String(decoding: rest, as: UTF8.self)
  }

  /// Reads a quoted word up to the same quote. Returns the index after it.
  private mutating func readQuoted(from start: Int) -> Int {
    let quote = bytes[start]
    let end = bytes[(start + 1)...].firstIndex(of: quote)
    if end == nil { open = quote }
    let text = String(decoding: bytes[(start + 1)..<(end ?? bytes.count)], as: UTF8.self)
    let past = end.map { $0 + 1 } ?? bytes.count
    words.append(Word(text: text, range: start..<past, isQuoted: true))
    return past
  }

  /// Reads any other word, up to a blank outside of brackets and quotes. Returns the index after it.
  private mutating func readPlain(from start: Int) -> Int {
    var brackets: [UInt8] = []
    var quote: UInt8?
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == open { quote = nil }
      } else if !brackets.isEmpty, byte == UInt8(ascii: "\"") {
        quote = byte
      } else if let closing = Self.closing(byte) {
        brackets.append(closing)
      } else if byte == brackets.last {
        brackets.removeLast()
      } else if brackets.isEmpty, Self.isBlank(byte) {
        break
      }
      index += 1
    }
    index = min(index, bytes.count)
    open = quote ?? brackets.last
    words.append(Word(text: String(decoding: bytes[start..<index], as: UTF8.self), range: start..<index))
    return index
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  private static func closing(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "("): UInt8(ascii: ")")
    case UInt8(ascii: "["): UInt8(ascii: "]")
    case UInt8(ascii: "{"): UInt8(ascii: "}")
    default: nil
    }
  }
}
