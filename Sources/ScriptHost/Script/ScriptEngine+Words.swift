// What can be told from the text and the code of scripts.

extension ScriptEngine {
  func words() -> Words {
    let words = lua.words()
    return Words(
      assigned: words.assigned, texts: words.texts, defined: words.defined, read: words.read,
      stored: words.stored, dropped: words.dropped,
      computesPerformed: words.computesPerformed,
      computesDefined: words.computesDefined, focusesLater: words.focusesLater)
  }

  /// The words of the code as it is, which is read again only where there is more of it.
  var codeWords: Words {
    if let knownWords, knownWords.sources == lua.sources.count { return knownWords.words }
    let words = words()
    knownWords = (words, lua.sources.count)
    return words
  }

  func place(of word: String, from place: Place, lines: Int) -> Place {
    for number in place.line..<place.line + max(1, lines) {
      guard let line = lua.line(number, of: place.file) else { break }
      if let column = line.column(of: word) { return Place(file: place.file, line: number, column: column) }
    }
    return place
  }

  func place(ofText text: String) -> Place? {
    for name in lua.sources.keys.sorted() {
      for word in ["\"\(text)\"", "'\(text)'"] {
        let place = place(of: word, from: Place(file: name, line: 1), lines: .max / 2)
        if place.column != nil { return place }
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

  /// What is wrong at a column of a text that a script gave: in the script's own line, where the text stands there as it is.
  func unreadable(_ text: String, _ sentence: String, column: Int, near place: Place?) -> any Error {
    guard let place else { return LuaMisuse(sentence) }
    for word in ["\"\(text)\"", "'\(text)'"] {
      var found = self.place(of: word, from: place, lines: 8)
      guard let quote = found.column else { continue }
      found.column = quote + column
      return Failure(.misuse, sentence, place: found)
    }
    return LuaMisuse("\(sentence), at column \(column)")
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

extension String {
  /// The column of the first place where a word is not a part of a longer one; columns count characters from 1.
  fileprivate func column(of word: String) -> Int? {
    let line = Array(utf8)
    let wanted = Array(word.utf8)
    guard !wanted.isEmpty, wanted.count <= line.count else { return nil }
    for start in 0...(line.count - wanted.count) {
      let end = start + wanted.count
      guard line[start..<end].elementsEqual(wanted) else { continue }
      if start > 0, line[start - 1].isOfWord, wanted[0].isOfWord { continue }
      if end < line.count, line[end].isOfWord, wanted[wanted.count - 1].isOfWord { continue }
      return line[..<start].count { $0 & 0xC0 != 0x80 } + 1
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
