import ScriptHost

/// The places of a section's columns in the rows of a panel (P11).
struct CellColumns {
  /// The start and the width of each column on the screen, counted from the first.
  private(set) var places: [(start: Int, width: Int)] = []
  private let columns: [RowColumn]
  private let room: Int

  /// The blank columns between two columns that aren't empty.
  private static let between = 2
  /// The fewest columns of a growing column, as long as others can become narrower.
  private static let leastGrown = 12

  /// - Parameters:
  ///   - seen: the widest cell of each column.
  ///   - room: the columns on the screen for all.
  init(_ columns: [RowColumn], seen: [Int], room: Int) {
    self.columns = columns
    self.room = room
    var widths = zip(columns, seen).map { column, seen in
      seen == 0 ? column.least ?? 0 : min(max(seen, column.least ?? 0), column.most ?? .max)
    }
    func total() -> Int {
      widths.reduce(0, +) + Self.between * max(0, widths.reduce(0) { $0 + ($1 > 0 ? 1 : 0) } - 1)
    }
    var over = total() - room
    while over > 0, let widest = Self.yielding(widths, columns) {
      widths[widest] -= 1
      over = total() - room
    }
    let growing = columns.indices.filter { $0 < widths.count && columns[$0].grow }
    for (index, column) in growing.enumerated() where over < 0 {
      let gap = widths[column] == 0 && widths.contains { $0 > 0 } ? Self.between : 0
      let part = -over / (growing.count - index) - gap
      if part <= 0 { continue }
      widths[column] += part
      over += part + gap
    }
    var start = 0
    for width in widths {
      places.append((start, width))
      if width > 0 { start += width + Self.between }
    }
  }

  /// Returns the cells of a row with their places. A cell without room is cut, unless the following cells are empty.
  func placed(_ cells: [[StyledGlyph]]) -> [(column: Int, glyphs: [StyledGlyph])] {
    zip(cells, places).enumerated().map { index, cell in
      let (glyphs, (start, width)) = cell
      let cut: Cut = columns[index].cut == .end ? .end : .middle
      if columns[index].isRight {
        let glyphs = glyphs.cut(toColumns: width, at: cut)
        return (start + width - glyphs.columns, glyphs)
      }
      let next = cells.indices.dropFirst(index + 1).first { !cells[$0].isEmpty && places[$0].width > 0 }
      let end = next.map { places[$0].start - Self.between } ?? room
      return (start, glyphs.cut(toColumns: width == 0 ? 0 : max(width, end - start), at: cut))
    }
  }

  /// Returns the column that loses a cell: a growing column that is wide enough, else the widest.
  private static func yielding(_ widths: [Int], _ columns: [RowColumn]) -> Int? {
    let growing = widths.indices.filter { columns[$0].grow && widths[$0] > leastGrown }
    let widest = (growing.isEmpty ? Array(widths.indices) : growing).max { widths[$0] < widths[$1] }
    return widest.flatMap { widths[$0] > 0 ? $0 : nil }
  }
}

/// The widest cells so far of each section, so that its columns stay in place during scrolling.
struct SeenCells {
  private var widths: [String: [Int]] = [:]

  /// Notes the widths of a row's cells.
  mutating func see(_ cells: [Int], of section: String) {
    var known = widths[section] ?? []
    while known.count < cells.count { known.append(0) }
    for (index, width) in cells.enumerated() { known[index] = max(known[index], width) }
    widths[section] = known
  }

  func widths(of section: String) -> [Int] { widths[section] ?? [] }
}
