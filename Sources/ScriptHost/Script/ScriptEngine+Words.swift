// Finds places in the text and the code of scripts.

extension ScriptEngine {
  func words() -> CodeWords { lua.words() }

  /// The words of all loaded code, read again only if there is more code.
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

  /// Returns the place of a word from a place on, beginning at its column if it has one.
  func found(_ word: String, from place: Place, lines: Int) -> Place? {
    let wanted = Array(word.utf8)
    guard let source = lua.sources[place.file] else { return nil }
    return source.first(from: place.line, most: max(1, lines)) { number, line in
      let start = number == place.line ? line.offset(ofColumn: place.column ?? 1) : line.startIndex
      return line.offset(ofWord: wanted, from: start).map {
        Place(file: place.file, line: number, column: line.column(at: $0))
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

  /// Returns the first place of the first of several words that occurs at all.
  private func place(ofAny words: [String]) -> Place? {
    for name in lua.sources.keys.sorted() {
      for word in words {
        if let place = found(word, from: Place(file: name, line: 1), lines: .max / 2) { return place }
      }
    }
    return nil
  }

  func place(ofStatement word: String) -> Place? {
    place(among: \.dropped, in: lua.sources.keys.sorted()) { $0.word == word }
  }

  /// Returns the first place of a global in one of these roles, or the place where a line reads it.
  func place(ofGlobal name: String, _ roles: CodeWords.Roles) -> Place? {
    place(among: \.globals, in: lua.sources.keys.sorted()) { $0.word == name && !$0.role.isDisjoint(with: roles) }
  }
  func place(ofGlobal name: String, readAt place: Place) -> Place? {
    self.place(among: \.globals, in: [place.file]) {
      $0.word == name && $0.role.contains(.read) && $0.line == place.line
    }
  }

  /// Returns the first of the noted places in files that satisfies a condition.
  private func place(
    among noted: KeyPath<LuaReading, [LuaReading.Noted]>, in files: [String], _ isSuch: (LuaReading.Noted) -> Bool
  ) -> Place? {
    for file in files {
      guard let found = lua.reading(of: file)?[keyPath: noted].first(where: isSuch) else { continue }
      let column = lua.sources[file]?.first(from: found.line, most: 1) { $1.column(at: found.offset) }
      return Place(file: file, line: found.line, column: column)
    }
    return nil
  }

  /// Returns an error about a column of a script's text. It points into the script's line, if the text is there.
  func unreadable(_ text: String, _ sentence: String, column: Int, near place: Place?) -> any Error {
    guard let place else { return LuaMisuse(sentence) }
    let lines = statement(at: place)
    let start = Place(file: place.file, line: lines.lowerBound)
    // A longer text isn't written in the script as it is.
    let words =
      text.utf8.count > 4096
      ? [] : [("\"\(text)\"", 1), ("'\(text)'", 1), ("\(text) =", 0), ("\(text)=", 0)]
    for (word, quote) in words {
      guard var found = found(word, from: start, lines: max(8, lines.count)), let first = found.column else { continue }
      found.column = first + quote + column - 1
      return Failure(.misuse, sentence, place: found)
    }
    let end = sentence.firstRange(of: "; did you mean")?.lowerBound ?? sentence.endIndex
    return LuaMisuse("\(sentence[..<end]), at column \(column)\(sentence[end...])")
  }
}

/// A line of a script. Columns count characters from 1.
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

  /// Returns the first place of a whole word, from an offset on.
  fileprivate func offset(ofWord wanted: [UInt8], from first: Int) -> Int? {
    guard let begin = wanted.first, let last = wanted.last, first + wanted.count <= endIndex else { return nil }
    for start in first...(endIndex - wanted.count) where self[start] == begin {
      let end = start + wanted.count
      guard self[start..<end].elementsEqual(wanted) else { continue }
      if start > startIndex, self[start - 1].isOfWord, begin.isOfWord { continue }
      if end < endIndex, self[end].isOfWord, last.isOfWord { continue }
      return start
    }
    return nil
  }
}

// Finds the subject of an error in a statement of several lines: Lua reports only a table's first or last line.

extension ScriptEngine {
  /// Returns the place of a message's subject: a quoted text, after the field at its beginning, or else the field.
  func place(spokenOf sentence: String, near place: Place) -> Place? {
    let sentence = sentence.cut(toBytes: Self.longestSentence)
    let said = sentence.firstRange(of: "; ").map { String(sentence[..<$0.lowerBound]) } ?? sentence
    let lines = statement(at: place)
    let start = Place(file: place.file, line: lines.lowerBound)
    let path = said.prefix { $0 != " " && $0 != ":" }.split(separator: ".").map(String.init)
    let begin = path.count > 1 ? self.place(ofPath: path, from: start, last: lines.upperBound) : nil
    let owned = said.firstRange(of: ": its '").map { String(said[$0.lowerBound...]).quotedTexts } ?? []
    for text in (owned + said.quotedTexts).prefix(Self.mostTexts) where text.utf8.count <= Self.longestText {
      for start in [begin, start].compactMap(\.self) {
        for (word, quote) in [("\"\(text)\"", 1), ("'\(text)'", 1), (text, 0)] {
          guard var place = found(word, from: start, lines: lines.upperBound - start.line + 1) else { continue }
          place.column = place.column.map { $0 + quote }
          return place
        }
      }
    }
    return begin
  }

  /// Returns the place of the last found name of a path such as `takes.save.n`; nil if none of the names is there.
  private func place(ofPath path: [String], from start: Place, last: Int) -> Place? {
    var begin: Place?
    var rest = start
    for name in path.prefix(Self.mostNames) {
      guard let place = found(name, from: rest, lines: last - rest.line + 1) else { continue }
      begin = place
      rest = place
      rest.column = place.column.map { $0 + name.unicodeScalars.count }
    }
    return begin
  }

  /// Limits of the search, because a script may make a message quote long texts.
  private static var longestSentence: Int { 1024 }
  private static var mostTexts: Int { 3 }
  private static var mostNames: Int { 8 }
  private static var longestText: Int { 64 }

  /// The lines of a statement that are searched, up and down.
  private static var mostLines: Int { 100 }

  /// Returns the lines of the statement at a place, judged by brackets.
  func statement(at place: Place) -> ClosedRange<Int> {
    let top = max(1, place.line - Self.mostLines)
    var depths: [Int] = []
    lua.sources[place.file]?.first(from: top, most: 2 * Self.mostLines + 1) { _, line -> Void? in
      depths.append(line.bracketDepth)
      return nil
    }
    let here = place.line - top
    guard depths.indices.contains(here) else { return place.line...place.line }
    var (first, last, depth) = (here, here, depths[here])
    while depth < 0, first > 0 {
      first -= 1
      depth += depths[first]
    }
    while depth > 0, last + 1 < depths.count {
      last += 1
      depth += depths[last]
    }
    return top + first...top + last
  }
}

extension String {
  /// The texts in single quotes, in order. A quote within a word is an apostrophe.
  fileprivate var quotedTexts: [String] {
    var texts: [String] = []
    var open: Index?
    for quote in indices where self[quote] == "'" {
      let isBehindLetter = quote > startIndex && self[index(before: quote)].isLetter
      let behind = index(after: quote)
      if let start = open {
        if behind < endIndex, self[behind].isLetter { continue }
        if start < quote { texts.append(String(self[start..<quote])) }
        open = nil
      } else if !isBehindLetter {
        open = behind
      }
    }
    return texts
  }
}

extension ArraySlice<UInt8> {
  /// The number of brackets that a line of Lua opens minus those that it closes, outside of texts and comments.
  fileprivate var bracketDepth: Int {
    var depth = 0
    var quote: UInt8?
    var before: UInt8 = 0
    for byte in self {
      defer { before = before == UInt8(ascii: "\\") && byte == before ? 0 : byte }
      if let open = quote {
        if byte == open, before != UInt8(ascii: "\\") { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "-") where before == byte: return depth
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return depth
  }
}
