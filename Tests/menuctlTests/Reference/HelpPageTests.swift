import Expectations
import Testing

@testable import menuctl

@Suite("Help on topics, names and codes")
struct HelpPageTests {
  @Test(
    "Every word that the help offers has a page that fits narrow and wide terminals", arguments: HelpSubject.allCases)
  func pages(_ subject: HelpSubject) throws {
    expect(!subject.known.isEmpty)
    for word in subject.known {
      let page = try require(subject.page(of: word), "\(word)")
      for columns in [40, 80, 200] {
        // The title is the name as scripts write it.
        for line in page.text(columns: columns).split(separator: "\n").dropFirst() where String(line).width > columns {
          // Only text without a break may be longer: code, and single words.
          expect(line.hasPrefix("  ") || !line.contains(" "), "\(word), \(columns): \(line)")
        }
      }
    }
  }

  @Test("A name is found as it is written, with a dot, and alone")
  func names() {
    for name in ["app:perform", "app.perform", "app:perform()"] {
      expect(
        LanguageReference.page(of: name)?.title.hasPrefix("app:perform(ref, args?, options?)"), is: true, "\(name)")
    }
    expect(LanguageReference.page(of: "advance")?.title, is: "app:advance(seconds)")
    expect(LanguageReference.page(of: "pick")?.title, is: "pick")
    expect(LanguageReference.page(of: "Outcome")?.title, is: "Outcome")
    expect(LanguageReference.page(of: "nothing of that name") == nil)
    expect(LanguageReference.page(of: "window")?.title, is: "window(name) → Window")
  }

  @Test(
    "Names of a group are found by its name in scripts, by its type, and by its title, in any case"
  )
  func things() throws {
    for (word, name) in [
      ("fs", "fs.read"), ("json", "json.write"), ("clipboard", "clipboard.get"), ("ctx", "ctx:set"),
      ("app", "app:perform"), ("files", "fs.read"), ("the app", "app:perform"), ("element", "element.action"),
      ("itemfields", "item.key"), ("item", "item.key"), ("section", "section.row"), ("options", "options.confirmed"),
    ] {
      expect(LanguageReference.page(of: word)?.text(columns: 200).contains("  \(name)"), is: true, "\(word)")
    }
  }

  @Test("A page names the pages of the types in it")
  func types() throws {
    for (word, types) in [
      ("exec", ["ProgramOptions", "ProgramResult"]), ("responder.takes", ["ArgumentType"]), ("app:find", ["Responder"]),
      ("responder.look", ["Context", "Look"]),
      ("Element", ["ItemFields", "MenuFields", "SectionFields", "PaneFields", "TextFields", "LayoutFields"]),
    ] {
      let also = "See also: \(types.map { "'menuctl help \($0)'" }.joined(separator: ", "))."
      let page = LanguageReference.page(of: word)?.text(columns: 200).replacing("\n", with: " ")
      expect(page?.contains(also), is: true, "\(word)")
    }
    expect(LanguageReference.page(of: "window:make_key")?.text(columns: 200).contains("See also"), is: false)
  }

  @Test("A full name goes before a code of the same name, and a code before members of that name")
  func namesAndCodes() throws {
    let section = try Help.text(of: "section", nil, .text)
    expect(section.hasPrefix("section(id) → Element"))
    expect(section.hasSuffix("See also: 'menuctl help section --kind code'"))
    try expect(Help.text(of: "limit", nil, .text).hasPrefix("limit\n\nA script spent its time"))
    for code in DiagnosticCodes.all {
      expect(HelpSubject.topic.page(of: "codes")?.text(columns: 200).contains(code), is: true)
    }
  }

  @Test("No name of the reference appears twice")
  func unique() {
    let names = LanguageReference.names
    for name in Set(names) where names.filter({ $0 == name }).count > 1 {
      // Options of different calls have the same receiver.
      expect(name.hasPrefix("options."), "\(name)")
    }
  }

  @Test("For a word with several meanings the help names them all")
  func several() {
    expect(HelpSubject.verb.others(of: "keys"), is: [.topic, .code])
    expect(HelpSubject.topic.others(of: "keys").contains(.code))
    expect(HelpSubject.verb.others(of: "perform"), is: [])
  }

  @Test("The topic has every status that the tool exits with")
  func statuses() throws {
    let page = try require(Topic.named("exit-status")?.page)
    guard case .rows(let rows) = page.blocks[0] else { return expect(Bool(false), "rows come first") }
    for status in ["0", "1", "64", "65", "66", "69", "70", "75", "130"] { expect(rows.contains { $0.0 == status }) }
    for number in Int32(0)...255 where ExitStatus(rawValue: number) != nil {
      expect(rows.contains { $0.0 == "\(number)" }, "\(number)")
    }
  }

  @Test("Every code that the library's sources report has a page")
  func codes() throws {
    let known = Set(DiagnosticCodes.all)
    for path in Project.files(below: "Sources/ScriptHost", ending: ".swift") {
      let text = try Project.text(path)
      let found = text.matches(of: /(?:warnOnce\(|\.(?:warning|error|note),)\s*"([a-z]+(?:-[a-z]+)*)"/)
      for code in found.map({ String($0.output.1) }) { expect(known.contains(code), "\(code) in \(path)") }
    }
  }

  @Test("Rows are side by side if they fit, else below each other")
  func rows() {
    let rows = Rows([("one", "the first of them"), ("a very long name", "the second")])
    expect(rows.text(columns: .max), is: "  one               the first of them\n  a very long name  the second")
    expect(
      rows.text(columns: 24), is: "  one  the first of them\n  a very long name\n       the second")
  }

  @Test("Pages are read in the form in which they are written")
  func reading() {
    let page = Page(title: "t", text: "one\ntwo 'x'\n\n- a  first\n- b\n\n```lua\nprint(1)\n\nx\n```\nthree")
    expect(page.text(columns: 80), is: "t\n\none two 'x'\n\n  a  first\n  b\n\n  print(1)\n\n  x\n\nthree")
    expect(
      page.markdown(level: 2),
      is: "## t\n\none two `x`\n\n| | |\n|---|---|\n| `a` | first |\n| `b` |  |\n\n```lua\nprint(1)\n\nx\n```\n\nthree"
    )
  }

  @Test("Text between apostrophes becomes code, an apostrophe in a word doesn't")
  func code() {
    expect("it doesn't say 'ctx.k', or ('a')".coded, is: "it doesn't say `ctx.k`, or (`a`)")
    expect("the host's 'x' isn't it's".coded, is: "the host's `x` isn't it's")
    expect("an open 'one".coded, is: "an open 'one")
  }
}
