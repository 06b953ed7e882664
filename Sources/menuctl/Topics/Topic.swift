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

/// The codes of diagnostics, each with its meaning and a remedy: `menuctl help CODE`.
enum DiagnosticCodes {
  /// Returns the page on a code; nil for an unknown code.
  static func page(of code: String) -> Page? {
    if let kind = DiagnosticKind.named(code) { return kind.page }
    return failures.first { $0.code == code }.map { Page(title: $0.code, text: $0.says) }
  }

  /// The list of all codes, each with its first sentence.
  static var contents: Page {
    Page(
      title: "Codes of diagnostics",
      blocks: [
        .rows(
          failures.map { ($0.code, $0.says.firstSentence) } + DiagnosticKind.all.map { ($0.code, $0.summary.sentence) }),
        .paragraph("'menuctl help CODE' says more of one."),
      ])
  }

  static let all = failures.map(\.code) + DiagnosticKind.all.map(\.code)

  /// The codes of failures of functions and of calls.
  private static let failures: [(code: String, says: String)] = [
    (
      "script",
      "A function of the script raised. The message is what it raised; the place is where. What the action did before is taken back."
    ),
    (
      "reference",
      "A reference to an action can't be read. The message shows the column. 'menuctl help references' says how they are written."
    ),
    ("keys", "A key stroke can't be read. 'menuctl help keys' says how they are written."),
    (
      "nesting",
      "Actions perform each other more than 50 deep, or functions call each other deeper than Lua's stack. Usually one performs itself."
    ),
    ("limit", "A script spent its time, its instructions or the memory. 'menuctl help limits' says how much there is."),
    ("cancelled", "Somebody cancelled the action, or interrupted the tool."),
    ("circle", "Responders redirect an action to each other in a circle. The message names them."),
    (
      "misuse",
      "The script asked the host for something that it can't do, or a plugin's manifest doesn't fit what is there. The message says what, and what is possible instead."
    ),
    (
      "capability",
      "A script asked for something outside of the host that nobody granted. The message names the capability; 'menuctl help capabilities' says how it is granted."
    ),
    ("expectation", "A scripted test found something else than it expects."),
    (
      "client",
      "A client, a program outside of the host, failed to do an action, or didn't answer. The message names it. 'menuctl help live' explains clients."
    ),
  ]
}

extension DiagnosticKind {
  fileprivate var page: Page {
    var blocks: [Page.Block] = [
      .paragraph(summary.sentence), .paragraph(explanation.split(separator: "\n").joined(separator: " ")),
    ]
    if let bad, let good {
      blocks += [
        .paragraph("For example:"), .code(bad, language: "lua"), .paragraph("What was meant:"),
        .code(good, language: "lua"),
      ]
    }
    blocks.append(.paragraph("'app.allow_warnings = { \"\(code)\" }' silences it in 'menuctl check'."))
    return Page(title: code, blocks: blocks)
  }
}

extension String {
  /// The text with a capital letter and a full stop.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
