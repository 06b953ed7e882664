/// A block of code in a text of Markdown.
struct CodeBlock {
  /// The text after the opening fence.
  let language: String
  let text: String
}

extension CodeBlock {
  /// The blocks of a text, in order.
  static func all(in text: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (language: String, lines: [Substring])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let (language, lines) = open {
        if line == "```" {
          blocks.append(CodeBlock(language: language, text: lines.map { $0 + "\n" }.joined()))
          open = nil
        } else {
          open?.lines = lines + [line]
        }
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [])
      }
    }
    return blocks
  }

  static func first(_ language: String, in path: String) throws -> String {
    let found = all(in: try Project.text(path)).first { $0.language == language }
    guard let found else { throw Missing(language: language, path: path) }
    return found.text
  }

  struct Missing: Error {
    let language: String
    let path: String
  }
}
