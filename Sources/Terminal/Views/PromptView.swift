/// An open prompt: a title and a line for each field, and below the current one what can be chosen, or why what was typed can't be.
struct PromptView {
  let prompt: Prompt

  private static let widest = 64
  private static let mostChoices = 6

  /// The lines of a field: its title with what may be given, and what was typed; those of the current one more.
  private func height(_ index: Int) -> Int {
    let field = prompt.fields[index]
    guard index == prompt.current else { return 3 }
    return 3 + (field.reason != nil ? 1 : 0) + min(Self.mostChoices, field.found.count)
  }

  func area(on screen: Area) -> Area {
    let rows = prompt.fields.indices.reduce(2) { $0 + height($1) } - 1
    return Frame.middle(columns: min(Self.widest, screen.columns), rows: min(rows, screen.rows), of: screen)
  }

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme = Theme()) {
    Frame.draw(on: &canvas, in: area, title: prompt.title, theme: theme)
    let inner = Area(row: area.row + 1, column: area.column + 2, rows: area.rows - 2, columns: area.columns - 4)
    guard inner.rows > 0, inner.columns > 4 else { return }
    // Where not all fit, the current one is to be seen.
    var first = 0
    func needed(_ first: Int) -> Int { (first...prompt.current).reduce(0) { $0 + height($1) } - 1 }
    while first < prompt.current, needed(first) > inner.rows { first += 1 }
    var row = inner.row
    for index in first..<prompt.fields.count where row < inner.endRow {
      draw(prompt.fields[index], isCurrent: index == prompt.current, row, on: &canvas, inner, theme)
      row += height(index)
    }
    Frame.drawMore(
      above: first > 0, below: row - 1 > inner.endRow, on: &canvas, in: area, theme: theme)
  }

  private func draw(
    _ field: Prompt.Field, isCurrent: Bool, _ row: Int, on canvas: inout Canvas, _ inner: Area, _ theme: Theme
  ) {
    let end = canvas.put(
      field.title.cut(toColumns: inner.columns), row: row, column: inner.column, style: theme.header, in: inner)
    canvas.put(
      field.note.cut(toColumns: max(0, inner.endColumn - end - 2)), row: row, column: end + 2, style: theme.subtitle,
      in: inner)
    let typed = canvas.put("› ", row: row + 1, column: inner.column, style: theme.key, in: inner)
    let text = field.argument.isSecret ? String(repeating: "•", count: field.text.count) : field.text
    var shown =
      (isCurrent || field.answer == nil ? text : text.isEmpty ? field.answer.map { "\($0.shown)" } ?? "" : text).glyphs
    while !shown.isEmpty, shown.reduce(0, { $0 + $1.width }) > inner.endColumn - typed - 1 { shown.removeFirst() }
    let cursor = canvas.put(shown, row: row + 1, column: typed, style: theme.row, in: inner)
    guard isCurrent else { return }
    if inner.holds(row: row + 1) {
      canvas.restyle(Area(row: row + 1, column: cursor, rows: 1, columns: 1)) { $0.marks.insert(.reverse) }
    }
    var below = row + 2
    if let reason = field.reason {
      canvas.put(reason.cut(toColumns: inner.columns - 2), row: below, column: typed, style: theme.reason, in: inner)
      below += 1
    }
    drawChoices(field, below, on: &canvas, inner, theme)
  }

  private func drawChoices(
    _ field: Prompt.Field, _ row: Int, on canvas: inout Canvas, _ inner: Area, _ theme: Theme
  ) {
    let count = min(Self.mostChoices, field.found.count)
    let top = max(0, min(field.choice - count + 1, field.found.count - count))
    for line in 0..<count {
      let place = top + line
      let title = field.title(of: field.choices[field.found[place]]).cut(toColumns: inner.columns - 4)
      let end = canvas.put(title, row: row + line, column: inner.column + 3, style: theme.row, in: inner)
      guard place == field.chosen, inner.holds(row: row + line) else { continue }
      canvas.restyle(Area(row: row + line, column: inner.column + 2, rows: 1, columns: end - inner.column - 1)) {
        $0 = Style(marks: theme.current.marks)
      }
    }
  }
}
