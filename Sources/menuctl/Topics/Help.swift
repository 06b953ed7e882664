import Glibc
import ScriptHost

/// The formats of the help.
enum HelpForm: String, CaseIterable {
  case text, markdown, man, schema
}

/// Makes the texts of `menuctl help`.
enum Help {
  static let hint =
    "'menuctl help' lists the verbs, 'menuctl help topics' the topics, 'menuctl help language' every name of the language"

  /// The width of the help: that of the terminal, else unlimited.
  static var columns: Int { menuctl.columns(of: STDOUT_FILENO) }

  /// The words that shells offer after `help`.
  static var words: [String] { HelpSubject.verb.known + HelpSubject.topic.known }

  static func all(columns: Int) -> String {
    let verbs = Verb.all.map { ([$0.name] + $0.operands.map(\.usage)).joined(separator: " ") }
    let closing = [
      "APP is a script, a folder with app.lua, or - for stdin. REF is an action with its arguments: export(format: jpeg).",
      "'menuctl help VERB' shows a verb's options, 'menuctl help topics' what else there is to read.",
    ]
    return """
      menuctl runs a script of menu commands and shows what it does.

      usage: menuctl VERB APP [ARGUMENTS] [OPTIONS]

      \(Rows(zip(verbs, Verb.all.map(\.summary))).text(columns: columns))

      \(closing.flatMap { $0.wrapped(to: columns) }.joined(separator: "\n"))
      """
  }

  /// Returns the page on a word, in one of the formats.
  static func text(of word: String, _ wanted: HelpSubject?, _ form: HelpForm) throws(Problem) -> String {
    let subjects = wanted.map { [$0] } ?? HelpSubject.inOrder(for: word)
    guard let subject = subjects.first(where: { $0.page(of: word) != nil }), let page = subject.page(of: word) else {
      if wanted == nil, form == .text, let found = HelpSearch.text(of: word, columns: columns) { return found }
      let kind = wanted?.rawValue ?? "verb, topic, code or name"
      let short = subjects.contains(.name) ? LanguageReference.shortNames : []
      let near = didYouMean(word, among: subjects.flatMap(\.known) + short)
      throw Problem(.usage, "there is no \(kind) '\(word)'\(near)", help: hint)
    }
    switch form {
    case .man:
      if subject == .verb, let verb = Verb.named(word) { return ManualPage.text(of: verb) }
      throw Problem(
        .usage, "only the tool and its verbs have a man page", help: "usage: menuctl help [VERB] --form man")
    case .schema:
      throw Problem(
        .usage, "the schema is for all answers: leave out the word", help: "usage: menuctl help --form schema")
    case .markdown:
      switch word {
      case "language": return LanguageReference.markdown
      case "topics": return Topic.markdown
      default: return page.markdown(level: 1)
      }
    case .text:
      // Without a terminal the options of a verb are not wrapped.
      var text = subject == .verb ? page.text(upTo: columns) : page.text(columns: columns)
      var others = wanted == nil ? subject.others(of: word) : []
      // A question about a verb is often about the topic of that name, such as the key names, so both are shown.
      if subject == .verb, others.first == .topic, let topic = HelpSubject.topic.page(of: word) {
        others.removeFirst()
        text += "\n\n" + topic.text(columns: columns)
      }
      if others.isEmpty { return text }
      let also = others.map { "'menuctl help \(word) --kind \($0.rawValue)'" }.joined(separator: ", ")
      return "\(text)\n\nSee also: \(also)"
    }
  }
}

/// The kinds of words in the help. If a word has several kinds, the first counts.
enum HelpSubject: String, CaseIterable {
  case verb, topic, code, name

  /// Returns the page on a word of this kind; nil if there is none.
  func page(of word: String) -> Page? {
    switch self {
    case .verb: Verb.named(word)?.page
    case .topic:
      switch word {
      case "topics": Self.topics
      case "language": LanguageReference.contents
      case "codes": DiagnosticCodes.contents
      default: Topic.named(word)?.page
      }
    case .code: DiagnosticCodes.page(of: word)
    case .name: LanguageReference.page(of: word)
    }
  }

  /// Returns the order of kinds for a word: a whole name of the script language precedes a code.
  static func inOrder(for word: String) -> [HelpSubject] {
    LanguageReference.all.contains { $0.name == word } ? [.verb, .topic, .name, .code] : allCases
  }

  /// All words of this kind.
  var known: [String] {
    switch self {
    case .verb: Verb.all.map(\.name)
    case .topic: Topic.all.map(\.name) + ["topics", "language", "codes"]
    case .code: DiagnosticCodes.all
    case .name: LanguageReference.names
    }
  }

  /// Returns the other kinds of a word, for "See also". For a verb, only a topic or a diagnostic of that name matters.
  func others(of word: String) -> [HelpSubject] {
    let possible = self == .verb ? [.topic, .code] : Self.allCases
    return possible.filter { $0 != self && $0.page(of: word) != nil }
  }

  private static let topics = Page(
    title: "Topics",
    blocks: [
      .rows(
        Topic.all.map { ($0.name, $0.summary) } + [
          ("language", "every name of the script language"), ("codes", "what every code of a diagnostic means"),
        ]),
      .paragraph("'menuctl help TOPIC' shows one of them."),
    ])
}

/// The pages about a word that is no page's name.
enum HelpSearch {
  /// Words of other programs, and the pages on their counterparts here.
  static let synonyms: [String: [String]] = [
    "button": ["item", "menus"], "callback": ["responder.on", "observers"], "checkbox": ["look", "menus"],
    "choice": ["arguments"], "combobox": ["arguments"], "command": ["references", "model"],
    "dialog": ["arguments", "modal"], "disable": ["validation"], "disabled": ["validation", "why"],
    "dropdown": ["arguments"], "exit": ["exit-status", "ui"], "form": ["arguments", "ui"],
    "fuzzy": ["ui"], "fzf": ["ui", "panel"], "grey": ["validation"], "hotkey": ["keys"],
    "permission": ["capabilities"], "popup": ["modal", "menus"],
    "preview": ["text", "text.of"],
    "prompt": ["arguments", "ui"], "quit": ["arguments", "ui", "live"], "restart": ["reload"],
    "sandbox": ["capabilities", "limits"], "search": ["ui", "panel"], "selection": ["panel", "context"],
    "shell": ["capabilities", "exec"], "shortcut": ["keys"], "split": ["beside", "stack"], "stream": ["text", "exec"],
    "streaming": ["text", "exec"], "submenu": ["menus"],
    "tui": ["ui"],
  ]

  private static let most = 12

  /// Returns a list of those pages, nearest first; nil if there is none.
  static func text(of word: String, columns: Int) -> String? {
    let wanted = word.lowercased()
    guard wanted.count > 2 else { return nil }
    var found: [(name: String, summary: String)] = []
    func add(_ name: String) {
      guard !found.contains(where: { $0.name == name }), let summary = summary(of: name) else { return }
      found.append((name, summary))
    }
    let names = HelpSubject.allCases.flatMap(\.known)
    // The plural of a page's name, or of a word of another program: panes, forms.
    let singular = wanted.hasSuffix("s") ? String(wanted.dropLast()) : wanted
    if names.contains(singular) { add(singular) }
    (synonyms[wanted] ?? synonyms[singular])?.forEach(add)
    for name in names where name.hasWord(wanted) { add(name) }
    for name in names where found.count < most && summary(of: name)?.hasWord(wanted) ?? false { add(name) }
    for name in names where found.count < most {
      if HelpSubject.inOrder(for: name).contains(where: {
        $0.page(of: name)?.text(columns: .max).hasWord(wanted) ?? false
      }) {
        add(name)
      }
    }
    if found.isEmpty { return nil }
    return """
      nothing is named '\(word.visible)'; these pages mention it:

      \(Rows(found.prefix(most).map { ($0.name, $0.summary) }).text(columns: columns))

      'menuctl help NAME' shows one of them.
      """
  }

  /// Returns the subject of a page in a sentence; nil for an unknown page.
  static func summary(of name: String) -> String? {
    if let verb = Verb.named(name) { return verb.summary }
    if let topic = Topic.named(name) { return topic.summary }
    if let found = LanguageReference.find(name).first { return found.entry.firstSentence }
    return DiagnosticCodes.page(of: name)?.blocks.lazy.compactMap {
      if case .paragraph(let text) = $0 { text.firstSentence } else { nil }
    }.first
  }
}

extension String {
  /// Returns true if the text has a word or its plural, in upper or lower case.
  fileprivate func hasWord(_ word: String) -> Bool {
    lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0 == word || $0 == "\(word)s" }
  }
}

extension Verb {
  /// The verb's page in the help, made from the table of verbs and options.
  var page: Page {
    let own = options.filter { !Option.loading.contains($0) }
    let common = options.filter(Option.loading.contains)
    let tables = [own, common].filter { !$0.isEmpty }
    return Page(
      title: "usage: \(usage) [OPTIONS]",
      blocks: [.paragraph(summary)] + (legend.isEmpty ? [] : [.rows(legend.map { ($0.sign, $0.meaning) })])
        + tables.map { .rows($0.map { ($0.usage, $0.summary) }) })
  }
}

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

/// The man pages of the tool and its verbs, from the table of verbs and options: `menuctl help [VERB] --form man`.
enum ManualPage {
  static var text: String {
    let sections = [
      heading("MENUCTL"),
      section("NAME", ["menuctl \\- run scripts of menu commands"]),
      section(
        "SYNOPSIS",
        [".B menuctl", #"\fIVERB\fR [\fIARGUMENTS\fR] [\fIOPTIONS\fR]"#]),
      section("DESCRIPTION", [paragraph(description)]),
      section("VERBS", Verb.all.map(verb)),
      section("OPTIONS OF EVERY VERB THAT LOADS", Option.loading.map(option)),
      section("EXIT STATUS", blocks(of: Topic.named("exit-status")?.page)),
      section("COLOUR", blocks(of: Topic.named("colour")?.page)),
      section("SEE ALSO", [Verb.all.map { reference(to: $0) }.joined(separator: ",\n"), ".PP", paragraph(closing)]),
    ]
    return sections.joined(separator: "\n") + "\n"
  }

  /// Returns the page `menuctl-VERB`.
  static func text(of verb: Verb) -> String {
    let words =
      [".B menuctl \(verb.name.roff)"] + verb.operands.map { #"\fI\#($0.usage.roff)\fR"# } + ["[\\fIOPTIONS\\fR]"]
    let own = verb.options.filter { !Option.loading.contains($0) }
    let common = verb.options.filter(Option.loading.contains)
    let topic = Topic.named(verb.name)?.page
    let parts: [(title: String, parts: [String])] = [
      ("NAME", ["menuctl\\-\(verb.name.roff) \\- \(verb.summary.roff)"]), ("SYNOPSIS", words),
      ("DESCRIPTION", blocks(of: topic) + rows(verb.legend.map { ($0.sign, $0.meaning) })),
      ("OPTIONS", own.map(option)), ("OPTIONS OF EVERY VERB THAT LOADS", common.map(option)),
      ("SEE ALSO", [".BR menuctl (1)"]),
    ]
    let sections = parts.filter { !$0.parts.isEmpty }.map { section($0.title, $0.parts) }
    return ([heading("MENUCTL-\(verb.name.uppercased())")] + sections).joined(separator: "\n") + "\n"
  }

  private static func heading(_ title: String) -> String {
    #".TH \#(title.roff) 1 "" "menuctl \#(Verb.versionNumber.roff)" "User Commands""#
  }

  private static func reference(to verb: Verb) -> String { "\\fBmenuctl\\-\(verb.name.roff)\\fR(1)" }

  private static let description = """
    A script in Lua declares menus and responders; menuctl loads it, performs its actions, shows its menus with what can be done now, and says why \
    the rest can't. APP is a script, a folder with app.lua, or - for stdin. REF is an action with its arguments, as in export(format: jpeg). The answer \
    goes to stdout, everything about it to stderr.
    """

  private static let closing = """
    'menuctl help topics' lists what else there is to read, 'menuctl help language' every name of the script language.
    """

  private static func section(_ title: String, _ parts: [String]) -> String {
    ([".SH \(title)"] + parts).joined(separator: "\n")
  }

  private static func verb(_ verb: Verb) -> String {
    let own = verb.options.filter { !Option.loading.contains($0) }
    let operands = verb.operands.map { #"\fI\#($0.usage.roff)\fR"# }
    let options = own.isEmpty ? [] : [".RS"] + own.map(option) + [".RE"]
    return
      ([".TP", (["\\fB\(verb.name.roff)\\fR"] + operands).joined(separator: " "), paragraph(verb.summary)] + options)
      .joined(separator: "\n")
  }

  private static func option(_ option: Option) -> String {
    let value = option.value.map { option.isValueOptional ? #"[=\fI\#($0.roff)\fR]"# : #" \fI\#($0.roff)\fR"# } ?? ""
    return ".TP\n\\fB\(option.name.roff)\\fR\(value)\n\(paragraph(option.summary))"
  }

  private static func blocks(of page: Page?) -> [String] {
    (page?.blocks ?? []).map { block in
      switch block {
      case .paragraph(let text): ".PP\n\(paragraph(text))"
      case .heading(let text): ".SS \(text.roff)"
      case .rows(let rows): Self.rows(rows).joined(separator: "\n")
      case .code(let text, _):
        ".PP\n.nf\n\(text.split(separator: "\n").map { paragraph(String($0)) }.joined(separator: "\n"))\n.fi"
      }
    }
  }

  private static func rows(_ rows: [(String, String)]) -> [String] {
    rows.map { ".TP\n\\fB\($0.0.roff)\\fR\n\(paragraph($0.1))" }
  }

  /// Escapes the beginning of a line: roff would read a dot or an apostrophe there as a request.
  private static func paragraph(_ text: String) -> String {
    let roff = text.roff
    return roff.hasPrefix(".") || roff.hasPrefix("'") ? "\\&\(roff)" : roff
  }
}

extension String {
  /// Escapes a text for roff: backslashes, and dashes and quotes so that they are shown as typed.
  fileprivate var roff: String {
    map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "\"": "\\(dq"
      case "…": "..."
      case "’": "\\(cq"
      default: "\(character)"
      }
    }.joined()
  }
}
