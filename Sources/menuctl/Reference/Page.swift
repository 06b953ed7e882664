/// A *page* is a short text of the documentation, for the terminal and for `docs/` alike.
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
  /// Reads a page as it is written in the sources: paragraphs, rows that begin with '- ' and have '  ' between a thing and what it is,
  /// and code between fences.
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
