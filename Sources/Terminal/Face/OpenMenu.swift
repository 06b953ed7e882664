import ScriptHost

/// An open menu: its source, and its current row, known by its id so that it stays the same when rows change.
struct OpenMenu {
  enum Source: Equatable {
    case app(String)
    case own
    /// The context menu of a row, and a submenu of one.
    case context
    case contextMenu(String)
  }

  let source: Source
  private(set) var ids: [String] = []
  private(set) var view = PulldownView(rows: [])
  /// The version of the menus from which its rows were made.
  private var version = -1

  init(_ source: Source) { self.source = source }

  var currentID: String? { view.current.map { ids[$0] } }
  var currentRow: MenuRow? { view.current.map { view.rows[$0] } }

  /// Replaces the rows. The current row stays current if it is still there, else the nearest becomes current.
  mutating func show(_ listed: [(id: String, row: MenuRow)], version: Int, theme: Theme) {
    let (was, place, top) = (currentID, view.current, view.top)
    self.version = version
    ids = listed.map(\.id)
    view = PulldownView(rows: listed.map(\.row), bytesOfColour: theme.bytesOfColour)
    view.top = top
    guard let place else { return }
    view.current = was.flatMap { ids.firstIndex(of: $0) } ?? nearest(to: place)
  }

  func isCurrent(_ version: Int) -> Bool { self.version == version }

  private func nearest(to place: Int) -> Int? {
    let can = view.rows.indices.filter { view.rows[$0].canBeCurrent }
    return can.min { abs($0 - place) < abs($1 - place) }
  }

  // MARK: - The current row

  mutating func makeCurrent(_ place: Int) {
    if view.rows.indices.contains(place), view.rows[place].canBeCurrent { view.current = place }
  }

  mutating func makeFirstCurrent() { view.current = view.rows.firstIndex(where: \.canBeCurrent) }

  /// Moves by a number of rows that can be current: a step of one goes around the ends, a longer one stops there.
  mutating func move(by step: Int) {
    let count = view.rows.count
    guard var place = view.current else {
      view.current = step > 0 ? view.rows.firstIndex(where: \.canBeCurrent) : view.rows.lastIndex(where: \.canBeCurrent)
      return
    }
    var left = abs(step)
    var next = place
    for _ in 0..<count where left > 0 {
      next += step > 0 ? 1 : -1
      if !view.rows.indices.contains(next) {
        if abs(step) > 1 { break }
        next = step > 0 ? 0 : count - 1
      }
      if view.rows[next].canBeCurrent { (place, left) = (next, left - 1) }
    }
    view.current = place
  }

  mutating func scroll(in area: Area) { view = view.scrolled(in: area) }

  /// The row of a letter: the one with it as the mnemonic, else the next that begins with it.
  func place(of letter: String) -> (place: Int, isMnemonic: Bool)? {
    let small = letter.lowercased()
    func letterOf(_ row: MenuRow) -> String? {
      row.mnemonic.map { String(row.title.dropFirst($0).prefix(1)).lowercased() }
    }
    if let place = view.rows.firstIndex(where: { $0.canBeCurrent && letterOf($0) == small }) { return (place, true) }
    let after = (view.current ?? -1) + 1
    let order = Array(view.rows.indices.dropFirst(after)) + Array(view.rows.indices.prefix(after))
    let next = order.first { view.rows[$0].canBeCurrent && view.rows[$0].title.lowercased().hasPrefix(small) }
    return next.map { ($0, false) }
  }
}
