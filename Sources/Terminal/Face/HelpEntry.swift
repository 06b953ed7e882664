/// An entry of the page of keys: a header, or a key with what it does.
enum HelpEntry {
  case header(String)
  case key(String, String)
  case empty

  static func all(_ groups: [(title: String, keys: [(String, String)])]) -> [HelpEntry] {
    var entries: [HelpEntry] = []
    for group in groups where !group.keys.isEmpty {
      if !entries.isEmpty { entries.append(.empty) }
      entries.append(.header(group.title))
      entries += group.keys.map { .key($0.0, $0.1) }
    }
    return entries
  }

  private static let gap = 3
  private static let narrowest = 22

  /// Lines of a page with the entries beside each other, as few columns as fit the screen.
  static func lines(_ entries: [HelpEntry], on screen: Area, _ theme: Theme) -> [PageView.Line] {
    let room = max(narrowest, min(screen.columns, 100) - 4)
    let most = max(1, (room + gap) / (narrowest + gap))
    let rows = max(1, screen.rows - 2)
    let columns = (1...most).first { ($0 * rows) >= entries.count } ?? 1
    let height = columns == 1 ? entries.count : (entries.count + columns - 1) / columns
    let width = columns == 1 ? room : (room - gap * (columns - 1)) / columns
    let keyWidths = (0..<columns).map { column in
      let key = entries.dropFirst(column * height).prefix(height).map(\.keyColumns).max() ?? 0
      return min(key, max(6, width / 2))
    }
    return (0..<height).map { row in
      let cells = (0..<columns).map { column -> String in
        let index = column * height + row
        guard entries.indices.contains(index) else { return "" }
        return entries[index].text(keyWidths[column], width)
      }
      let isHeader = columns == 1 && entries[row].isHeader
      let last = cells.count - 1
      let text = cells.enumerated().map { $0.offset == last ? $0.element : $0.element.padded(toColumns: width + gap) }
      return PageView.Line(text: text.joined(), style: isHeader ? theme.header : theme.row)
    }
  }

  private var isHeader: Bool { if case .header = self { true } else { false } }
  private var keyColumns: Int { if case .key(let key, _) = self { key.columns } else { 0 } }

  private func text(_ keyWidth: Int, _ width: Int) -> String {
    switch self {
    case .empty: return ""
    case .header(let title): return title.cut(toColumns: width).text
    case .key(let key, let what):
      let key = key.cut(toColumns: keyWidth).text.padded(toColumns: keyWidth)
      return key + "  " + what.cut(toColumns: max(0, width - keyWidth - 2)).text
    }
  }
}

extension [Glyph] {
  fileprivate var text: String { map(\.text).joined() }
}

extension String {
  /// With blanks at its end, as it is drawn.
  fileprivate func padded(toColumns width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - columns))
  }
}
