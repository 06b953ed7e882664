extension String {
  /// The text on one line, with blanks for its line breaks.
  var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }

  /// The text's lines, broken to a width, between words if possible. Continuations are indented like the beginning.
  func broken(toColumns columns: Int) -> [String] {
    let columns = max(4, columns)
    return split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      if String(line).columns <= columns { return [String(line)] }
      let indent = String(line.prefix { $0 == " " }.prefix(columns / 2))
      var broken: [String] = []
      var current = ""
      for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
        let next = current.isEmpty && broken.isEmpty || current.isEmpty ? current + word : current + " " + word
        if (indent + next).columns <= columns {
          current = next
          continue
        }
        if !current.isEmpty { broken.append(indent + current) }
        // A word that is wider than a line is cut anywhere.
        var rest = String(word).glyphs[...]
        while rest.reduce(0, { $0 + $1.width }) > columns - indent.columns {
          var piece = ""
          var used = indent.columns
          while let glyph = rest.first, used + glyph.width <= columns {
            piece += glyph.text
            used += glyph.width
            rest = rest.dropFirst()
          }
          if piece.isEmpty { break }
          broken.append(indent + piece)
        }
        current = rest.map(\.text).joined()
      }
      return broken + [indent + current]
    }
  }
}
