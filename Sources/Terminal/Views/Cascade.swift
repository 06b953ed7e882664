/// A *cascade* is the layout of the open menus on the screen, each beside the row from which it was opened, and none over another.
///
/// If not all fit, only the last ones are shown, beside each other, and the line above them names the menus around them.
struct Cascade {
  /// The area of each menu; `nowhere` for outer ones for which there is no room.
  private(set) var areas: [Area]
  /// The titles above the first menu that is shown: those of the menus around it, from the outermost, and its own.
  private(set) var path: [String] = []

  static let nowhere = Area(row: 0, column: 0, rows: 0, columns: 0)

  /// - Parameters:
  ///   - anchor: the place from which the first menu is opened.
  ///   - titles: the titles of the menus; that of the first is in the bar or in a row of the panel.
  init(_ menus: [PulldownView], from anchor: PulldownView.Anchor, titles: [String], on screen: Area) {
    areas = Self.beside(menus, from: anchor, on: screen)
    if !Self.covers(areas) { return }
    // Two menus beside each other share the line between them.
    let widths = menus.map { $0.area(at: anchor, on: screen).columns }
    func width(_ first: Int) -> Int { widths[first...].reduce(1 - (menus.count - first)) { $0 + $1 } }
    let first = menus.indices.first { width($0) <= screen.columns } ?? menus.count - 1
    path = Array(titles.prefix(first + 1).dropFirst())
    // The titles above the first menu may need more room than its rows.
    let room = screen.columns - width(first) + widths[first]
    let named = path.isEmpty ? 0 : min(room, max(widths[first], PulldownView.columns(naming: path)))
    let total = width(first) + max(0, named - widths[first])
    var start = anchor
    start.isBeside = false
    start.column = max(screen.column, min(anchor.column, screen.endColumn - total))
    let shown = Self.beside(Array(menus[first...]), from: start, on: screen, atLeast: named)
    areas = Array(repeating: Self.nowhere, count: first) + shown
  }

  /// The areas with each menu beside the one before it, and the first of at least some width.
  private static func beside(
    _ menus: [PulldownView], from anchor: PulldownView.Anchor, on screen: Area, atLeast columns: Int = 0
  ) -> [Area] {
    var areas: [Area] = []
    var anchor = anchor
    for menu in menus {
      let area = menu.area(at: anchor, on: screen, atLeast: areas.isEmpty ? columns : 0)
      areas.append(area)
      let view = menu.scrolled(in: area)
      anchor = .init(
        row: area.row + (view.current ?? 0) - view.top, column: area.endColumn - 1, isBeside: true,
        other: area.column + 1)
    }
    return areas
  }

  /// Whether a menu covers more of another than the line between them.
  private static func covers(_ areas: [Area]) -> Bool {
    areas.indices.contains { index in
      areas[..<index].contains { other in
        let common = areas[index].common(with: other)
        return common.rows > 0 && common.columns > 1
      }
    }
  }
}
