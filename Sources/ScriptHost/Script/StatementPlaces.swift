// Finds what an error is about in a statement of several lines, because Lua tells only the line in which a table begins or ends.

extension ScriptEngine {
  /// The place of what a sentence of the host's is about: a text that it quotes, after the field that it begins with, or else that field.
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

  /// The place of the last name of a path such as `takes.save.n`, each found behind the one before; nil if none of them is there.
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

  /// Limits of the search, because a script may make a sentence quote a great deal.
  private static var longestSentence: Int { 1024 }
  private static var mostTexts: Int { 3 }
  private static var mostNames: Int { 8 }
  private static var longestText: Int { 64 }

  /// How many lines of a statement are looked through, up and down.
  private static var mostLines: Int { 100 }

  /// The lines of the statement at a place, as far as brackets tell.
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
  /// The texts in single quotes, in order; a quote within a word is an apostrophe.
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
  /// How many more brackets a line of Lua opens than it closes, outside of texts and comments.
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
