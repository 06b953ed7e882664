extension Page {
  /// The most columns of a page, since longer lines are hard to read.
  static let widest = 84

  /// The page as plain text, `widest` columns wide at most.
  func text(columns: Int) -> String { text(upTo: min(columns, Self.widest)) }

  /// The page as plain text, with lines of `width` columns at most.
  func text(upTo width: Int) -> String {
    ([title] + blocks.map { Self.text($0, width) }).joined(separator: "\n\n")
  }

  private static func text(_ block: Block, _ width: Int) -> String {
    switch block {
    case .paragraph(let text): text.wrapped(to: width).joined(separator: "\n")
    case .heading(let text): text
    case .rows(let rows): Rows(rows).text(columns: width)
    case .code(let text, _):
      text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }
        .joined(separator: "\n")
    }
  }
}

/// *Rows* are terms with their descriptions: side by side, or below each other if there is no room.
struct Rows {
  let rows: [(String, String)]

  init(_ rows: some Sequence<(String, String)>) { self.rows = Array(rows) }

  /// Terms are indented by two. Descriptions have a column of their own; a term that would take more than half of the width has its own line.
  func text(columns: Int) -> String {
    let most = columns == .max ? Int.max : columns / 2
    let width = rows.map(\.0.width).filter { $0 + 4 <= most }.max() ?? 0
    return rows.flatMap { lines($0, width, columns) }.joined(separator: "\n")
  }

  private func lines(_ row: (String, String), _ width: Int, _ columns: Int) -> [String] {
    if row.1.isEmpty { return ["  \(row.0)"] }
    let indent = String(repeating: " ", count: width + 4)
    let says = row.1.wrapped(to: columns == .max ? .max : max(10, columns - width - 4))
    if row.0.width > width { return ["  \(row.0)"] + says.map { indent + $0 } }
    return says.enumerated().map { ($0 == 0 ? "  \(row.0.padded(to: width))  " : indent) + $1 }
  }
}

extension String {
  /// The words in lines of so many columns at most; a longer word has a line of its own.
  func wrapped(to columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if !line.isEmpty, line.width + 1 + String(word).width > columns {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
