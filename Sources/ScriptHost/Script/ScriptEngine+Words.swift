// Finds places in the text and the code of scripts.

extension ScriptEngine {
  func words() -> CodeWords { ScriptWords(of: lua) }

  /// The words of all loaded code, which is read again only when there is more of it.
  var codeWords: CodeWords {
    if let knownWords, knownWords.sources == lua.sources.count { return knownWords.words }
    let words = words()
    knownWords = (words, lua.sources.count)
    return words
  }

  func place(of word: String, behind other: String? = nil, from place: Place, lines: Int) -> Place {
    let begin = other.flatMap { found($0, from: place, lines: lines) }
    let rest = begin.map { max(1, place.line + max(1, lines) - $0.line) } ?? lines
    return found(word, from: begin ?? place, lines: rest) ?? found(word, from: place, lines: lines) ?? place
  }

  /// The place of a word from a place on, beginning at that place's column if it has one.
  ///
  /// - Parameter isFree: whether only a global that is read counts: no field, no text, and nothing that is assigned.
  func found(_ word: String, from place: Place, lines: Int, isFree: Bool = false) -> Place? {
    let wanted = Array(word.utf8)
    guard let source = lua.sources[place.file] else { return nil }
    return (isFree ? source.code : source).first(from: place.line, most: max(1, lines)) { number, line in
      let written = source.bytes[line.startIndex..<line.endIndex]
      let start = number == place.line ? written.offset(ofColumn: place.column ?? 1) : line.startIndex
      return line.offset(ofWord: wanted, from: start, isVariable: isFree, isRead: isFree).map {
        Place(file: place.file, line: number, column: written.column(at: $0))
      }
    }
  }

  func place(ofText text: String) -> Place? { place(ofAny: ["\"\(text)\"", "'\(text)'"]) }
  func place(ofWord word: String) -> Place? { place(ofAny: [word]) }

  func place(ofCall name: String, with text: String) -> Place? {
    let quoted = ["\"\(text)\"", "'\(text)'"]
    guard
      var place = place(
        ofAny: [":\(name)(", ":\(name) (", ":\(name) ", ":\(name)"].flatMap { call in quoted.map { call + $0 } })
    else { return nil }
    place = quoted.lazy.compactMap { self.found($0, from: place, lines: 1) }.first ?? place
    place.column = place.column.map { $0 + 1 }
    return place
  }

  /// The first place of the first of several words that is found at all.
  private func place(ofAny words: [String]) -> Place? {
    for name in lua.sources.keys.sorted() {
      for word in words {
        if let place = found(word, from: Place(file: name, line: 1), lines: .max / 2) { return place }
      }
    }
    return nil
  }

  func place(ofStatement word: String) -> Place? {
    for file in lua.sources.keys.sorted() {
      let lines = lua.sources[file]?.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) ?? []
      for (index, line) in lines.enumerated() {
        let start = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard start.starts(with: word.utf8), let next = start.dropFirst(word.utf8.count).first,
          " \"'([".utf8.contains(next)
        else { continue }
        return Place(file: file, line: index + 1, column: start.startIndex - line.startIndex + 1)
      }
    }
    return nil
  }

  /// An error about a column of a text that a script gave: it points into the script's own line, if the text is there as it is.
  func unreadable(_ text: String, _ sentence: String, column: Int, near place: Place?) -> any Error {
    guard let place else { return LuaMisuse(sentence) }
    let lines = statement(at: place)
    let start = Place(file: place.file, line: lines.lowerBound)
    for (word, quote) in [("\"\(text)\"", 1), ("'\(text)'", 1), ("\(text) =", 0), ("\(text)=", 0)] {
      guard var found = found(word, from: start, lines: max(8, lines.count)), let first = found.column else { continue }
      found.column = first + quote + column - 1
      return Failure(.misuse, sentence, place: found)
    }
    let end = sentence.firstRange(of: "; did you mean")?.lowerBound ?? sentence.endIndex
    return LuaMisuse("\(sentence[..<end]), at column \(column)\(sentence[end...])")
  }

  func allowedWarnings() -> [String] {
    guard let app else { return [] }
    let object = LuaTable(reference: object(chain.app, for: app).reference)
    guard case .table(let list)? = try? lua.rawGet("allow_warnings", of: object),
      let count = try? lua.rawCount(of: list)
    else { return [] }
    return (0..<count).compactMap { index in
      guard case .text(let code)? = try? lua.rawGet(.integer(index + 1), of: list) else { return nil }
      return code
    }
  }
}

/// A line of a script; columns count characters from 1.
extension ArraySlice<UInt8> {
  func column(at offset: Int) -> Int { self[..<offset].count { $0 & 0xC0 != 0x80 } + 1 }

  fileprivate func offset(ofColumn column: Int) -> Int {
    var characters = 0
    for offset in indices where self[offset] & 0xC0 != 0x80 {
      characters += 1
      if characters == column { return offset }
    }
    return endIndex
  }

  /// Whether the word at an offset comes after a dot or a colon; two dots join texts.
  private func isField(at offset: Int) -> Bool {
    let dot = UInt8(ascii: ".")
    guard offset > startIndex else { return false }
    if self[offset - 1] == UInt8(ascii: ":") { return true }
    return self[offset - 1] == dot && (offset - 1 == startIndex || self[offset - 2] != dot)
  }

  /// Whether the word that ends there is assigned, as a field of a table or as a variable.
  private func isAssigned(before end: Int) -> Bool {
    let rest = self[end...].drop { $0 == UInt8(ascii: " ") }
    return rest.first == UInt8(ascii: "=") && rest.dropFirst().first != UInt8(ascii: "=")
  }

  /// The first place of a word, from an offset on, where it isn't part of a longer one.
  ///
  /// - Parameters:
  ///   - isVariable: whether fields are skipped.
  ///   - isRead: whether assigned names are skipped.
  func offset(ofWord wanted: [UInt8], from first: Int, isVariable: Bool = false, isRead: Bool = false) -> Int? {
    guard let begin = wanted.first, let last = wanted.last, first + wanted.count <= endIndex else { return nil }
    for start in first...(endIndex - wanted.count) where self[start] == begin {
      let end = start + wanted.count
      guard self[start..<end].elementsEqual(wanted) else { continue }
      if start > startIndex, self[start - 1].isOfWord, begin.isOfWord { continue }
      if end < endIndex, self[end].isOfWord, last.isOfWord { continue }
      if isVariable && isField(at: start) || isRead && isAssigned(before: end) { continue }
      return start
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var isOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
