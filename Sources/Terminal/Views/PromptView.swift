/// The view of an open prompt: a title and a line for each field, the reasons below them, and the choices below the current one.
struct PromptView {
  let prompt: Prompt

  private static let widest = 64
  private static let mostChoices = 6
  private static let mostReason = 4

  // MARK: - Layout

  /// The list below the current field: choices or paths.
  private static func listed(_ field: Prompt.Field) -> [String] {
    field.paths.isEmpty ? field.found.map { field.title(of: field.choices[$0]) } : field.paths
  }

  private static func rowsOfList(_ field: Prompt.Field) -> Int {
    min(mostChoices, field.paths.isEmpty ? field.found.count : field.paths.count)
  }

  /// The lines under a field that say what is wrong with it.
  private static func reason(_ field: Prompt.Field, _ columns: Int) -> [String] {
    guard let reason = field.shownReason else { return [] }
    let lines = reason.onOneLine.broken(toColumns: columns - 2)
    return lines.count <= mostReason
      ? lines : lines.prefix(mostReason - 1) + [lines.dropFirst(mostReason - 1).joined(separator: " ")]
  }

  /// The number of lines of a field: title, text, a blank and the reason; for the current one also the list.
  private func height(_ index: Int, _ columns: Int) -> Int {
    let field = prompt.fields[index]
    return 3 + Self.reason(field, columns).count + (index == prompt.current ? Self.rowsOfList(field) : 0)
  }

  func area(on screen: Area) -> Area {
    let columns = min(Self.widest, screen.columns)
    let rows = prompt.fields.indices.reduce(2) { $0 + height($1, columns - 4) } - 1
    return Frame.middle(columns: columns, rows: min(rows, screen.rows), of: screen)
  }

  private func inner(_ area: Area) -> Area {
    Area(row: area.row + 1, column: area.column + 2, rows: area.rows - 2, columns: area.columns - 4)
  }

  /// The visible fields and their first rows. If not all fit, the current one is among them.
  private func placed(in inner: Area) -> [(field: Int, row: Int)] {
    var first = 0
    func needed(_ first: Int) -> Int { (first...prompt.current).reduce(0) { $0 + height($1, inner.columns) } - 1 }
    while first < prompt.current, needed(first) > inner.rows { first += 1 }
    // On a low screen choices are more important than the title, which is then in the frame.
    let isLow = first == prompt.current && inner.rows < 3 && Self.rowsOfList(prompt.field) > 0
    var row = inner.row - (isLow ? 1 : 0)
    return (first..<prompt.fields.count).compactMap { index in
      defer { row += height(index, inner.columns) }
      return row < inner.endRow ? (index, row) : nil
    }
  }

  /// The first row of the list below a field, its first visible entry, and the number of visible ones.
  private func list(_ field: Prompt.Field, _ row: Int, _ inner: Area) -> (row: Int, top: Int, count: Int) {
    let first = row + 2 + Self.reason(field, inner.columns).count
    let count = max(0, min(Self.rowsOfList(field), inner.endRow - first))
    let total = field.paths.isEmpty ? field.found.count : field.paths.count
    let current = field.paths.isEmpty ? field.choice : field.path ?? 0
    return (first, max(0, min(current - count + 1, total - count)), count)
  }

  /// The field that is drawn in a row, and its choice there, if any.
  func place(at row: Int, in area: Area) -> (field: Int, choice: Int?)? {
    let inner = inner(area)
    guard inner.holds(row: row), let placed = placed(in: inner).last(where: { $0.row <= row }) else { return nil }
    guard placed.field == prompt.current else { return (placed.field, nil) }
    let list = list(prompt.field, placed.row, inner)
    let line = row - list.row
    return (placed.field, (0..<list.count).contains(line) ? list.top + line : nil)
  }

  // MARK: - Drawing

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme = Theme()) {
    let inner = inner(area)
    let placed = placed(in: inner)
    let isLow = placed.first.map { $0.row < inner.row } ?? false
    Frame.draw(on: &canvas, in: area, title: isLow ? prompt.field.title : prompt.title, theme: theme)
    guard inner.rows > 0, inner.columns > 4 else { return }
    for (index, row) in placed {
      draw(prompt.fields[index], isCurrent: index == prompt.current, row, on: &canvas, inner, theme)
    }
    let end = placed.last.map { $0.row + height($0.field, inner.columns) - 1 } ?? inner.row
    Frame.drawMore(
      above: placed.first.map { $0.field > 0 } ?? false,
      below: end > inner.endRow || (placed.last?.field ?? 0) + 1 < prompt.fields.count, on: &canvas, in: area,
      theme: theme)
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
    drawText(
      field, isCurrent, on: &canvas,
      Area(row: row + 1, column: typed, rows: inner.holds(row: row + 1) ? 1 : 0, columns: inner.endColumn - typed),
      theme)
    for (line, reason) in Self.reason(field, inner.columns).enumerated() {
      canvas.put(
        reason.cut(toColumns: inner.columns - 2), row: row + 2 + line, column: typed, style: theme.reason, in: inner)
    }
    if isCurrent { drawList(field, list(field, row, inner), on: &canvas, inner, theme) }
  }

  /// Draws the typed text of a field; for one with choices that isn't current, the answer in words. Of a long text the part with the cursor is
  /// shown.
  private func drawText(_ field: Prompt.Field, _ isCurrent: Bool, on canvas: inout Canvas, _ line: Area, _ theme: Theme)
  {
    guard !line.isEmpty else { return }
    let typed = field.argument.isSecret ? String(repeating: "•", count: field.text.count) : field.text
    let isAnswer = field.picksSeveral || (!isCurrent && !field.choices.isEmpty)
    guard isCurrent, !isAnswer || !typed.isEmpty else {
      let answer = isAnswer && !field.argument.isSecret ? field.shownAnswer : ""
      let shown = answer.isEmpty ? typed : answer
      let end = canvas.put(
        shown.cut(toColumns: line.columns - 1), row: line.row, column: line.column,
        style: field.isProposed ? theme.subtitle : theme.row, in: line)
      if isCurrent { mark(line, end, 1, on: &canvas) }
      return
    }
    let (before, after) = (String(typed.prefix(field.cursor)).glyphs, String(typed.dropFirst(field.cursor)).glyphs)
    var shown = before
    while !shown.isEmpty, shown.reduce(0, { $0 + $1.width }) > line.columns - 1 { shown.removeFirst() }
    let cursor = canvas.put(shown, row: line.row, column: line.column, style: theme.row, in: line)
    canvas.put(after, row: line.row, column: cursor, style: theme.row, in: line)
    // A proposal is marked as a whole, because the next character replaces it.
    if field.isProposed { mark(line, line.column, cursor - line.column, on: &canvas) }
    mark(line, cursor, after.first?.width ?? 1, on: &canvas)
  }

  private func mark(_ line: Area, _ column: Int, _ columns: Int, on canvas: inout Canvas) {
    canvas.restyle(Area(row: line.row, column: column, rows: 1, columns: columns).common(with: line)) {
      $0.marks.insert(.reverse)
    }
  }

  private func drawList(
    _ field: Prompt.Field, _ list: (row: Int, top: Int, count: Int), on canvas: inout Canvas, _ inner: Area,
    _ theme: Theme
  ) {
    let all = Self.listed(field)
    let current = field.paths.isEmpty ? field.chosen : field.path
    for line in 0..<list.count where inner.holds(row: list.row + line) {
      let (place, row) = (list.top + line, list.row + line)
      let isPicked = field.paths.isEmpty && field.picked.contains(field.found[place])
      let mark = isPicked ? "✓ " : field.picksSeveral ? "  " : ""
      let end = canvas.put(
        mark.glyphs + all[place].cut(toColumns: inner.columns - 5 - mark.count), row: row, column: inner.column + 3,
        style: theme.row, in: inner)
      if place == current {
        canvas.restyle(Area(row: row, column: inner.column + 2, rows: 1, columns: end - inner.column - 1)) {
          $0 = Style(marks: theme.current.marks)
        }
      }
    }
    let last = min(list.count, inner.endRow - list.row) - 1
    guard last >= 0 else { return }
    if list.top > 0 { canvas.put("▴", row: list.row, column: inner.endColumn - 1, style: theme.frame) }
    if list.top + list.count < all.count {
      canvas.put("▾", row: list.row + last, column: inner.endColumn - 1, style: theme.frame)
    }
  }
}
