import ScriptHost

/// A *topic* is a page on one idea of menuctl, which `menuctl help TOPIC` and `docs/topics.md` show.
struct Topic: Sendable {
  let name: String
  /// The subject in a few words.
  let summary: String
  /// The text in the format of `Page`.
  let text: String

  var page: Page { Page(title: "\(name): \(summary)", text: text) }

  /// Reads a page of Markdown with the title `# name: summary`.
  fileprivate init(_ markdown: String) {
    let parts = markdown.split(separator: "\n", maxSplits: 1)
    let title = parts[0].dropFirst(2).split(separator: ": ", maxSplits: 1)
    name = String(title[0])
    summary = title.dropFirst().joined()
    text = parts.dropFirst().joined()
  }
}

extension Topic {
  /// The topics, in reading order.
  static let all = Documentation.texts.dropFirst().map(Topic.init)

  static func named(_ name: String) -> Topic? { all.first { $0.name == name } }

  /// The text of `docs/topics.md`.
  static var markdown: String {
    let introduction = """
      # Topics

      What there is to know, one idea a page. `menuctl help TOPIC` shows the same in a terminal. This file is written by `make docs`; a test
      compares it with its source, and runs the examples: each is the body of a test, and `-->` shows what is printed.
      """
    return ([introduction] + all.map { $0.page.markdown(level: 2) }).joined(separator: "\n\n") + "\n"
  }
}
