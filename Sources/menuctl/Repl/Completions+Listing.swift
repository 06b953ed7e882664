import LiveHost

extension Completions {
  /// The candidates in columns, in as many rows as needed, but one screen at most.
  func listing(columns: Int) -> String {
    let shown = candidates.prefix(200).map(\.visible)
    let width = (shown.map(\.width).max() ?? 0) + 2
    let perRow = max(1, (min(columns, 200) - 1) / width)
    let rows = (shown.count + perRow - 1) / perRow
    var lines = (0..<rows).map { row in
      stride(from: row, to: shown.count, by: rows).map { shown[$0].padded(to: width) }.joined().withoutTrailingBlanks
    }
    if candidates.count > shown.count { lines.append("… \(candidates.count - shown.count) more") }
    return lines.joined(separator: "\n")
  }
}
