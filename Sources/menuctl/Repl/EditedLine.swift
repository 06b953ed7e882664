import ScriptHost

/// A *line* that a person edits: its text, the cursor, and the earlier entries.
struct EditedLine {
  private(set) var characters: [Character] = []
  /// The place of the next character.
  private(set) var cursor = 0
  /// The earlier entries, oldest first.
  private(set) var entries: [String] = []
  /// The text that Ctrl-R searches; nil without a search.
  private(set) var sought: String?
  /// The place of the visible entry; nil for a new line.
  private var place: Int?
  /// The typed text before the first visible entry.
  private var typed = ""
  /// The last cut text.
  private var cutText = ""

  /// The most bytes of a line: more than a script may have, to refuse it.
  private static let most = 256 << 10

  var text: String { String(characters) }
  /// The bytes before the cursor.
  var cursorInBytes: Int { String(characters[..<cursor]).utf8.count }

  /// Begins a new line.
  mutating func begin() {
    (sought, place) = (nil, nil)
    set("")
  }

  /// Adds an entry to the earlier entries, unless it repeats the last.
  mutating func remember(_ entry: String) {
    if entries.last == entry { return }
    entries.append(entry)
    entries.removeFirst(max(0, entries.count - History.most))
  }

  // MARK: Editing

  /// Inserts text at the cursor, without characters that a line can't contain.
  mutating func insert(_ text: String) {
    let fit = String(String.UnicodeScalarView(text.unicodeScalars.filter(\.fitsInLine)))
    guard self.text.utf8.count + fit.utf8.count <= Self.most else { return }
    // A mark joins the character before it.
    let before = Array(String(characters[..<cursor]) + fit)
    characters = before + characters[cursor...]
    cursor = before.count
  }

  private mutating func set(_ text: String) {
    characters = Array(text)
    cursor = characters.count
  }

  mutating func moveToEnd() { cursor = characters.count }

  /// Performs a key in the line. Returns false if the key has no effect.
  mutating func take(_ key: String) -> Bool {
    if sought != nil, let isDone = seek(key) { return isDone }
    switch key {
    case "left", "ctrl+b": return move(to: cursor - 1)
    case "right", "ctrl+f": return move(to: cursor + 1)
    case "home", "ctrl+a": cursor = 0
    case "end", "ctrl+e": moveToEnd()
    case "ctrl+left", "alt+left", "alt+b": return move(to: wordStart)
    case "ctrl+right", "alt+right", "alt+f": return move(to: wordEnd)
    case "backspace", "ctrl+h": return erase(from: cursor - 1, to: cursor)
    case "delete", "ctrl+d": return erase(from: cursor, to: cursor + 1)
    case "ctrl+k": return cut(from: cursor, to: characters.count)
    case "ctrl+u": return cut(from: 0, to: characters.count)
    case "ctrl+w", "alt+backspace": return cut(from: wordStart, to: cursor)
    case "alt+d": return cut(from: cursor, to: wordEnd)
    case "ctrl+y": insert(cutText)
    case "up", "ctrl+p": return show((place ?? entries.count) - 1)
    case "down", "ctrl+n": return place.map { show($0 + 1) } ?? false
    case "ctrl+r": sought = ""
    default: return false
    }
    return true
  }

  private mutating func move(to place: Int) -> Bool {
    defer { cursor = max(0, min(characters.count, place)) }
    return (0...characters.count).contains(place)
  }

  private mutating func erase(from start: Int, to end: Int) -> Bool {
    guard start >= 0, end <= characters.count, start < end else { return false }
    characters.removeSubrange(start..<end)
    cursor = start
    return true
  }

  private mutating func cut(from start: Int, to end: Int) -> Bool {
    guard start < end else { return false }
    cutText = String(characters[start..<end])
    return erase(from: start, to: end)
  }

  /// The beginning of the word before the cursor.
  private var wordStart: Int {
    let before = characters[..<cursor]
    guard let last = before.lastIndex(where: \.isOfWord) else { return 0 }
    return before[...last].lastIndex { !$0.isOfWord }.map { $0 + 1 } ?? 0
  }

  /// The end of the word after the cursor.
  private var wordEnd: Int {
    guard let first = characters[cursor...].firstIndex(where: \.isOfWord) else { return characters.count }
    return characters[first...].firstIndex { !$0.isOfWord } ?? characters.count
  }

  // MARK: Earlier entries

  /// Shows the entry at a place, or the typed text after the last entry.
  private mutating func show(_ wanted: Int) -> Bool {
    guard (0...entries.count).contains(wanted) else { return false }
    if place == nil { typed = text }
    place = wanted == entries.count ? nil : wanted
    set(place.map { entries[$0] } ?? typed)
    return true
  }

  /// Shows the newest entry from here on that contains the searched text.
  private mutating func find(from newest: Int) -> Bool {
    guard let sought, !sought.isEmpty, newest >= 0 else { return false }
    return entries[...newest].lastIndex { $0.contains(sought) }.map { show($0) } ?? false
  }

  /// Continues the search with a longer text.
  mutating func seek(more: String) -> Bool {
    sought = sought.map { $0 + more }
    return find(from: place ?? entries.count - 1)
  }

  /// Performs a key during a search; nil if the key only ends the search.
  private mutating func seek(_ key: String) -> Bool? {
    switch key {
    case "ctrl+r": return find(from: (place ?? entries.count) - 1)
    case "backspace", "ctrl+h": sought = sought.map { String($0.dropLast()) }
    case "ctrl+g":
      sought = nil
      return place == nil || show(entries.count)
    default:
      sought = nil
      return key == "esc" ? true : nil
    }
    return true
  }

  mutating func endSearch() { sought = nil }
}

extension Unicode.Scalar {
  fileprivate var fitsInLine: Bool { self == "\t" || properties.generalCategory != .control }
}

extension Character {
  fileprivate var isOfWord: Bool { isLetter || isNumber || self == "_" }
}

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
