/// A *page* is a short text of the documentation, for the terminal and for `docs/`.
struct Page: Sendable {
  enum Block: Sendable {
    case paragraph(String)
    case heading(String)
    /// Terms with their descriptions.
    case rows([(String, String)])
    case code(String, language: String)
  }

  let title: String
  let blocks: [Block]
}

extension Page {
  /// Reads a page in the format of the sources: paragraphs, rows `- term  description`, and code between fences.
  init(title: String, text: String) {
    self.title = title
    var blocks: [Block] = []
    var code: (language: String, lines: [Substring])?
    var paragraph: [Substring] = []
    var rows: [(String, String)] = []
    func close() {
      if !paragraph.isEmpty { blocks.append(.paragraph(paragraph.joined(separator: " "))) }
      if !rows.isEmpty { blocks.append(.rows(rows)) }
      paragraph = []
      rows = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let (language, lines) = code {
        if line == "```" {
          blocks.append(.code(lines.joined(separator: "\n"), language: language))
          code = nil
        } else {
          code?.lines = lines + [line]
        }
      } else if line.hasPrefix("```") {
        close()
        code = (String(line.dropFirst(3)), [])
      } else if line.isEmpty {
        close()
      } else if line.hasPrefix("- ") {
        if !paragraph.isEmpty { close() }
        rows.append(Self.row(line.dropFirst(2)))
      } else {
        if !rows.isEmpty { close() }
        paragraph.append(line)
      }
    }
    close()
    self.blocks = blocks
  }

  /// Splits a row at its first two blanks into a term and its description.
  private static func row(_ line: Substring) -> (String, String) {
    var before: Character = "\0"
    for index in line.indices {
      if line[index] == " ", before == " " {
        let says = line[index...].drop { $0 == " " }
        return (String(line[..<line.index(before: index)]), String(says))
      }
      before = line[index]
    }
    return (String(line), "")
  }
}

extension Page {
  /// The most columns of a page, since longer lines are hard to read.
  static let widest = 84

  /// Returns the page as plain text, at most `widest` columns wide.
  func text(columns: Int) -> String { text(upTo: min(columns, Self.widest)) }

  /// Returns the page as plain text, with lines of `width` columns at most.
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

/// *Rows* are terms with their descriptions: side by side, or below each other without enough room.
struct Rows {
  let rows: [(String, String)]

  init(_ rows: some Sequence<(String, String)>) { self.rows = Array(rows) }

  /// Returns the rows with terms indented by two, and descriptions in a column. A wide term has its own line.
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
  /// Returns the words in lines of so many columns at most; a longer word has its own line.
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

extension Page {
  /// Returns the page as Markdown, with its title as a heading of a level.
  func markdown(level: Int) -> String {
    let marks = String(repeating: "#", count: level)
    return (["\(marks) \(title.coded)"] + blocks.map { Self.markdown($0, level) }).joined(separator: "\n\n")
  }

  private static func markdown(_ block: Block, _ level: Int) -> String {
    switch block {
    case .paragraph(let text): return text.coded
    case .heading(let text): return "\(String(repeating: "#", count: level + 1)) \(text.coded)"
    case .code(let text, let language): return "```\(language)\n\(text)\n```"
    case .rows(let rows):
      let lines = rows.map { "| \($0.0.asCode) | \($0.1.coded.replacingBars) |" }
      return "| | |\n|---|---|\n" + lines.joined(separator: "\n")
    }
  }
}

extension String {
  /// The text as code, with its bars escaped.
  var asCode: String { "`\(replacingBars)`" }

  /// Escaped, because a bar would end the cell of a table.
  fileprivate var replacingBars: String { map { $0 == "|" ? "\\|" : "\($0)" }.joined() }

  /// The text with quoted parts, such as 'ctx.k', as code. Apostrophes within words stay.
  var coded: String {
    var result = ""
    var open: String?
    var before: Character = " "
    let characters = Array(self)
    for (index, character) in characters.enumerated() {
      let after = index + 1 < characters.count ? characters[index + 1] : " "
      if character == "'", open == nil, before == " " || before == "(" || before == "\"", after != " " {
        open = ""
      } else if character == "'", let code = open, !after.isLetter {
        result += "`\(code)`"
        open = nil
      } else if open != nil {
        open?.append(character)
      } else {
        result.append(character)
      }
      before = character
    }
    return open.map { "\(result)'\($0)" } ?? result
  }
}
