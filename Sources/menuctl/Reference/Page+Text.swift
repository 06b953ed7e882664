extension Page {
  /// How wide a page is where nothing else limits it: lines that are longer are hard to read.
  static let widest = 84

  /// The page as plain text, as wide as fits.
  func text(columns: Int) -> String { text(upTo: min(columns, Self.widest)) }

  /// The page as plain text, in lines of so many columns.
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

/// *Rows* are things, each with what it is: side by side, or one below the other where there is no room.
struct Rows {
  let rows: [(String, String)]

  init(_ rows: some Sequence<(String, String)>) { self.rows = Array(rows) }

  /// Each begins two columns in. What a thing is gets a column of its own if that leaves half of the width for it.
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
  /// Its words in lines that fit a number of columns; a word that is longer has a line of its own.
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
