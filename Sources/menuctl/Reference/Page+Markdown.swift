extension Page {
  /// The page as Markdown, its title a heading of a level.
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

  /// The text with quoted parts, such as 'ctx.k', as code; an apostrophe within a word stays.
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
