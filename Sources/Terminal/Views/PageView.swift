/// The view of a page of text that can be scrolled: reasons, the log, the help.
struct PageView {
  let title: String
  let lines: [Line]
  /// The first visible line.
  var top = 0

  struct Line: Equatable {
    var text: String
    var style = Style.plain
    /// The columns of the line that are headers.
    var headers: [Range<Int>] = []
  }

  init(title: String, lines: [Line], top: Int = 0) {
    self.title = title
    self.lines = lines
    self.top = top
  }

  /// The lines broken to a width, with continuations indented like the beginning.
  func broken(toColumns columns: Int) -> [Line] {
    lines.flatMap { line in
      let pieces = line.text.broken(toColumns: columns)
      if pieces.count == 1 { return [line] }
      return pieces.map { Line(text: $0, style: line.style) }
    }
  }

  /// The page's area, as large as the text needs, in the middle of the screen.
  func area(on screen: Area) -> Area {
    let most = min(screen.columns, 100) - 4
    let shown = broken(toColumns: most)
    let columns = max(title.columns + 2, shown.map(\.text.columns).max() ?? 0) + 4
    return Frame.middle(columns: min(columns, screen.columns), rows: min(shown.count + 2, screen.rows), of: screen)
  }

  /// The largest `top` to which the page can be scrolled.
  func lastTop(in area: Area) -> Int { max(0, broken(toColumns: area.columns - 4).count - (area.rows - 2)) }

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme = Theme()) {
    Frame.draw(on: &canvas, in: area, title: title, theme: theme)
    let shown = broken(toColumns: area.columns - 4)
    let top = max(0, min(top, lastTop(in: area)))
    let inner = Area(row: area.row + 1, column: area.column + 2, rows: area.rows - 2, columns: area.columns - 4)
    for (row, line) in shown.dropFirst(top).prefix(max(0, inner.rows)).enumerated() {
      canvas.put(line.text, row: inner.row + row, column: inner.column, style: line.style, in: inner)
      for header in line.headers {
        let columns = Area(
          row: inner.row + row, column: inner.column + header.lowerBound, rows: 1, columns: header.count)
        canvas.restyle(columns.common(with: inner)) { $0 = theme.header }
      }
    }
    Frame.drawMore(above: top > 0, below: top < lastTop(in: area), on: &canvas, in: area, theme: theme)
  }
}

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
