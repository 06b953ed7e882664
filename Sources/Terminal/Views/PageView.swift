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

/// The view of a question before a deed: the safe button first, then one with the deed's title.
struct ConfirmView {
  let question: String
  /// The title of the button that does the deed.
  let deed: String
  /// Whether the deed is destructive, which is marked even without colours.
  var isDestructive = false
  /// Whether the deed's button is the current one; at first the safe one is.
  var does = false

  static let safe = "Cancel"

  /// The layout in an area. On a small screen blanks are left out first, then the frame. The buttons are always visible, below as much of the
  /// question as fits.
  private struct Layout {
    let lines: [String]
    let isStacked: Bool
    let isFramed: Bool
    let isSpaced: Bool
    let text: Area

    var buttonRows: Int { isStacked ? 2 : 1 }
  }

  private var button: String { isDestructive ? "! \(deed)" : deed }
  private var widthOfButtons: Int { Self.safe.columns + button.columns + 10 }

  private func layout(columns: Int, rows: Int) -> Layout {
    let lines = question.broken(toColumns: min(56, columns - 6))
    let isStacked = widthOfButtons > columns - 6
    let needed = lines.count + (isStacked ? 2 : 1)
    let isFramed = rows >= needed + 2 || rows >= 6
    let isSpaced = rows >= needed + 5
    let (edge, blank) = (isFramed ? 1 : 0, isSpaced ? 1 : 0)
    let buttons = isStacked ? 2 : 1
    let room = max(0, rows - 2 * edge - 3 * blank - buttons)
    return Layout(
      lines: lines, isStacked: isStacked, isFramed: isFramed, isSpaced: isSpaced,
      text: Area(row: edge + blank, column: 3, rows: min(room, lines.count), columns: columns - 6))
  }

  func area(on screen: Area) -> Area {
    let layout = layout(columns: screen.columns, rows: screen.rows)
    let widest = layout.lines.map(\.columns).max() ?? 0
    let buttons = layout.isStacked ? screen.columns - 6 : widthOfButtons
    let rows = layout.text.rows + layout.buttonRows + (layout.isFramed ? 2 : 0) + (layout.isSpaced ? 3 : 0)
    return Frame.middle(columns: max(buttons, widest) + 6, rows: rows, of: screen)
  }

  /// The areas of the buttons: the safe one, and the deed's beside it or below.
  func buttons(in area: Area) -> (safe: Area, deed: Area) {
    let layout = layout(columns: area.columns, rows: area.rows)
    let row = area.row + layout.text.endRow + (layout.isSpaced ? 1 : 0)
    let room = max(0, area.columns - 6)
    let safe = Area(row: row, column: area.column + 3, rows: 1, columns: min(room, Self.safe.columns + 4))
    let width = min(button.columns + 4, room)
    if layout.isStacked { return (safe, Area(row: row + 1, column: safe.column, rows: 1, columns: width)) }
    return (safe, Area(row: row, column: safe.endColumn + 2, rows: 1, columns: width))
  }

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme = Theme()) {
    let layout = layout(columns: area.columns, rows: area.rows)
    if layout.isFramed { Frame.draw(on: &canvas, in: area, theme: theme) } else { canvas.fill(area, style: theme.row) }
    let inner = Area(
      row: area.row + layout.text.row, column: area.column + 3, rows: layout.text.rows, columns: layout.text.columns)
    for (line, text) in layout.lines.prefix(inner.rows).enumerated() {
      let isCut = line + 1 == inner.rows && inner.rows < layout.lines.count
      let shown = isCut ? layout.lines.dropFirst(line).joined(separator: " ") : text
      canvas.put(
        shown.cut(toColumns: inner.columns), row: inner.row + line, column: inner.column, style: theme.header, in: inner
      )
    }
    let buttons = buttons(in: area)
    draw(Self.safe, buttons.safe, isCurrent: !does, theme.row, on: &canvas, theme)
    draw(button, buttons.deed, isCurrent: does, isDestructive ? theme.destructive : theme.row, on: &canvas, theme)
  }

  private func draw(
    _ text: String, _ area: Area, isCurrent: Bool, _ style: Style, on canvas: inout Canvas, _ theme: Theme
  ) {
    canvas.put(
      "[ ".glyphs + text.cut(toColumns: area.columns - 4) + " ]".glyphs, row: area.row, column: area.column,
      style: style, in: area)
    if isCurrent { canvas.restyle(area) { $0 = Style(marks: theme.current.marks) } }
  }
}
