import Expectations
import Testing

@testable import menuctl

@Test("Help on a word", arguments: helps)
func helpWord(_ toolCase: ToolCase) throws { try toolCase.check() }

@Test("The help fits the terminal", .enabled(if: Program.hasTerminals, "there are no terminals here"))
func helpWidth() throws {
  let run = try Program.shell(
    "sh", "script -qec \"stty cols 50; '\(Program.folder)/menuctl' help limits\" /dev/null </dev/null")
  let lines = run.out.split(whereSeparator: \.isNewline)
  expect(lines.count > 12 && lines.allSatisfy { $0.count <= 50 }, "\(run)")
}

private let helps: [ToolCase] = [
  ToolCase(
    name: "a topic", words: ["help", "colour"],
    out: """
      colour: when the tool colours its text

      The tool uses colour only in a terminal, and never as the only sign. The first of
      these that is set decides:

        --color=auto|always|never  on the command line; auto goes on to the next
        NO_COLOR                   set to anything: no colour
        CLICOLOR_FORCE             set to anything but 0: colour
        TERM=dumb                  no colour

      """),
  ToolCase(
    name: "a name", words: ["help", "app:find"],
    out: """
      app:find(name) → Responder?

      Finds a responder by its name.

        name: string  the name of a responder or window

      Returns 'Responder?', the responder, or nil if it doesn't exist.

        responder "page"

        print(app:find("page").name, app:find("line"))  --> page  nil

      Belongs to: The app.

      See also: 'menuctl help Responder'.

      """),
  ToolCase(
    name: "a name that several things have", words: ["help", "make_key"],
    out: """
      window:make_key()

      Makes it the key window: the walk begins at its first responder.

        local one, two = window "one", window "two"
        two:make_key()

        print(one.is_key, two.is_key)  --> false  true

      Belongs to: Windows.

      """),
  ToolCase(
    name: "a code", words: ["help", "look-field"],
    out: """
      look-field

      A look returns a field that the host doesn't read.

      A look can return title, subtitle, state, hidden, icon and destructive. The host
      ignores every other field. Correct the field's name.

      For example:

        menubar { menu "View" { item "Grid" { "grid" } } }
        function app.on:grid() end
        function app.look:grid() return { stat = true } end

      What was meant:

        menubar { menu "View" { item "Grid" { "grid" } } }
        function app.on:grid() end
        function app.look:grid() return { state = true } end

      'app.allow_warnings = { "look-field" }' silences it in 'menuctl check'.

      """),
  ToolCase(
    name: "a word that is a verb and a topic", words: ["help", "chain", "--kind", "topic", "--form", "markdown"],
    out: chainInMarkdown),
  ToolCase(
    name: "a word that nobody knows", words: ["help", "vallidation"], status: 64,
    err: """
      menuctl: error: there is no verb, topic, code or name 'vallidation'; did you mean 'validation'?
      'menuctl help' lists the verbs, 'menuctl help topics' the topics, 'menuctl help language' every name of the language

      """),
  ToolCase(
    name: "a word that is none of its kind", words: ["help", "app:find", "--kind", "topic"], status: 64,
    err: """
      menuctl: error: there is no topic 'app:find'
      'menuctl help' lists the verbs, 'menuctl help topics' the topics, 'menuctl help language' every name of the language

      """),
]

private let chainInMarkdown =
  (try? Project.text("docs/topics.md")).flatMap { text in
    text.split(separator: "\n## ", omittingEmptySubsequences: false).first { $0.hasPrefix("chain: ") }
      .map { "# \($0)" }
  } ?? "docs/topics.md is not there"

@Test("K7: Help on keys shows the verb's usage first, then how keys are written")
func helpKeys() throws {
  let run = try Program.menuctl(["help", "keys"])
  expect(run.status == 0 && run.out.hasPrefix("usage: menuctl keys APP [OPTIONS]\n"))
  for part in ["\nkeys: strokes, sequences, and their owners\n", "f1 to f24", "kpenter", "printscreen"] {
    expect(run.out.contains(part), "\(part)")
  }
  expect(!run.out.contains("--kind topic"))
}

@Suite("Search for unknown words")
struct HelpSearchTests {
  @Test(
    "Words of other programs find their equivalents",
    arguments: ["fzf", "prompt", "dialog", "quit", "selection", "Quit", "shortcut", "forms", "stream", "split"])
  func words(_ word: String) throws {
    let run = try Program.menuctl(["help", word])
    expect(run.status == 0 && run.err == "", "\(run)")
    expect(run.out.hasPrefix("nothing is named '\(word)'; these pages mention it:\n\n  "), "\(run)")
    expect(run.out.split(separator: "\n").count <= 14)
  }

  @Test("The plural of a page's name finds the page first", arguments: [("panes", "pane"), ("texts", "text")])
  func plurals(_ word: String, _ page: String) throws {
    let run = try Program.menuctl(["help", word])
    expect(run.status, is: 0, "\(run)")
    expect(run.out.hasPrefix("nothing is named '\(word)'; these pages mention it:\n\n  \(page) "), "\(run)")
  }

  @Test("Every page that a word leads to exists, and no word is a page itself")
  func synonyms() {
    for (word, pages) in HelpSearch.synonyms {
      for page in pages { expect(HelpSearch.summary(of: page) != nil, "\(word): \(page)") }
      expect(HelpSubject.allCases.allSatisfy { $0.page(of: word) == nil }, "'\(word)' has a page")
    }
  }

  @Test("A word in a text finds its page; a word in no text is an error")
  func texts() throws {
    let run = try Program.menuctl(["help", "Ctrl-R"])
    expect(run.status == 64 || run.out.contains("repl"), "\(run)")
    let none = try Program.menuctl(["help", "zebra"])
    expect(none.status == 64 && none.err.contains("there is no verb, topic, code or name 'zebra'"), "\(none)")
    try expect(Program.menuctl(["help", "fzf", "--kind", "verb"]).status, is: 64)
  }
}
