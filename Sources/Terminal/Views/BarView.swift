/// The view of the bar in the first row: the menus, the app's title, and the face's own menu at the right end.
struct BarView {
  let titles: [String]
  let appTitle: String
  /// The place of the open menu; the last place is that of the face's own.
  var open: Int?

  /// The title of the face's own menu.
  static let own = "≡"

  init(titles: [String], appTitle: String, open: Int? = nil) {
    self.titles = titles
    self.appTitle = appTitle
    self.open = open
  }

  /// The areas of the titles, with a blank on either side; the last is that of the face's own menu, always at the right. Titles that don't fit have
  /// no columns. These are the last ones; if one of them is open, as many of the first as it takes to show it.
  func areas(on screen: Area) -> [Area] {
    let own = Area(row: screen.row, column: max(0, screen.endColumn - 3), rows: 1, columns: 3)
    let widths = titles.map { $0.columns + 2 }
    let isWhole = widths.reduce(0, +) <= own.column - screen.column
    // Leaves a column on either side for the signs that there are more.
    let (left, right) = isWhole ? (screen.column, own.column) : (screen.column + 1, own.column - 1)
    var first = 0
    if let open, titles.indices.contains(open) {
      while first < open, left + widths[first...open].reduce(0, +) > right { first += 1 }
    }
    var column = first > 0 ? left : screen.column
    var isFull = false
    var areas = titles.indices.map { index in
      isFull = isFull || index >= first && column + widths[index] > right
      guard index >= first, !isFull else { return Area(row: screen.row, column: own.column, rows: 1, columns: 0) }
      defer { column += widths[index] }
      return Area(row: screen.row, column: column, rows: 1, columns: widths[index])
    }
    areas.append(own)
    return areas
  }

  func draw(on canvas: inout Canvas, theme: Theme = Theme()) {
    let screen = Area(row: 0, column: 0, rows: 1, columns: canvas.columns)
    canvas.fill(screen, style: theme.bar)
    let areas = areas(on: screen)
    let mnemonics = Mnemonics.chosen(for: titles)
    for (index, (title, area)) in zip(titles + [Self.own], areas).enumerated() where area.columns > 0 {
      let style = index == open ? theme.openMenu : theme.bar
      canvas.fill(area, style: style)
      canvas.put(title, row: 0, column: area.column + 1, style: style)
      guard index < titles.count, let letter = mnemonics[index] else { continue }
      let place = area.column + 1 + String(title.prefix(letter)).columns
      canvas.restyle(Area(row: 0, column: place, rows: 1, columns: 1)) { $0.marks.formUnion(theme.mnemonic) }
    }
    drawMore(areas, on: &canvas, theme)
    drawTitle(areas, on: &canvas, theme)
  }

  /// Draws a sign on each side on which there are menus that don't fit.
  private func drawMore(_ areas: [Area], on canvas: inout Canvas, _ theme: Theme) {
    guard let own = areas.last, own.column > 1 else { return }
    let isShown = areas.dropLast().map { $0.columns > 0 }
    if isShown.first == false { canvas.put("‹", row: 0, column: 0, style: theme.frame) }
    if isShown.last == false { canvas.put("›", row: 0, column: own.column - 1, style: theme.frame) }
  }

  /// Draws the app's title in the space that is left, if that is enough for it to be told from a menu.
  private func drawTitle(_ areas: [Area], on canvas: inout Canvas, _ theme: Theme) {
    guard let own = areas.last, areas.dropLast().allSatisfy({ $0.columns > 0 }) else { return }
    let space = own.column - (areas.dropLast().map(\.endColumn).max() ?? 0) - 3
    guard space >= min(8, appTitle.columns) else { return }
    let width = min(space, appTitle.columns)
    canvas.put(appTitle.cut(toColumns: width), row: 0, column: own.column - 1 - width, style: theme.appTitle)
  }
}
