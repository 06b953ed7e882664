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
