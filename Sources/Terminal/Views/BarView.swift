/// The bar of menus in the first row, with the app's title, and the face's own menu at the right end.
struct BarView {
  let titles: [String]
  let appTitle: String
  /// The menu that is open, the last one being the face's own.
  var open: Int?

  /// The face's own menu.
  static let own = "≡"

  init(titles: [String], appTitle: String, open: Int? = nil) {
    self.titles = titles
    self.appTitle = appTitle
    self.open = open
  }

  /// Where each title stands, with a blank on either side; the face's own menu last, always at the right. Those that don't fit have no columns.
  func areas(on screen: Area) -> [Area] {
    let last = Area(row: screen.row, column: max(0, screen.endColumn - 3), rows: 1, columns: 3)
    var column = screen.column
    var areas: [Area] = titles.map { title in
      let width = title.columns + 2
      guard column + width <= last.column else {
        return Area(row: screen.row, column: last.column, rows: 1, columns: 0)
      }
      defer { column += width }
      return Area(row: screen.row, column: column, rows: 1, columns: width)
    }
    areas.append(last)
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
    // The title of the app has what is left, where that is enough to be told from a menu.
    let end = areas.dropLast().map(\.endColumn).max() ?? 0
    let space = (areas.last?.column ?? 0) - end - 3
    if space >= min(8, appTitle.columns) {
      let width = min(space, appTitle.columns)
      canvas.put(
        appTitle.cut(toColumns: width), row: 0, column: (areas.last?.column ?? 0) - 1 - width, style: theme.appTitle)
    }
  }
}
