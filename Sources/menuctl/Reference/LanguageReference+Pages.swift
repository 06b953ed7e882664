extension LanguageReference {
  /// The page on a name, a type, or the title of a group; nil if the language has none such.
  static func page(of name: String) -> Page? {
    let found = find(name)
    // The groups of an object or library are found by its name in scripts: 'fs', 'ctx', 'item'.
    let below = groups.filter { $0.word == name }
    if found.count == 1 { return Page(found[0].page, below) }
    if found.count > 1 {
      return Page(
        title: name,
        blocks: [
          .paragraph("This name stands for several things:"), .rows(found.map { ($0.name, $0.entry.firstSentence) }),
          .paragraph("'menuctl help \(found[0].name)' shows the first of them."),
        ])
    }
    if below.count > 1 { return Page(Page(title: name, blocks: []), below) }
    let titled = groups.first { [$0.type, $0.title].contains { $0?.lowercased() == name.lowercased() } }
    return (below.first ?? titled)?.page
  }

  /// The types of the language that a text contains.
  fileprivate static func types(in text: String) -> [String] {
    let words = Set(text.split { !$0.isLetter }.map(String.init))
    return groups.compactMap(\.type).filter(words.contains)
  }

  /// Every name with its first sentence.
  static var contents: Page {
    var blocks: [Page.Block] = [.paragraph("'menuctl help NAME' shows more of each.")]
    for group in groups {
      blocks.append(.heading(group.title))
      blocks.append(.rows(group.entries.map { (group.name(of: $0), $0.firstSentence) }))
    }
    return Page(title: "The script language", blocks: blocks)
  }

  /// The whole reference: `docs/reference.md`.
  static var markdown: String {
    let introduction = """
      # The script language

      Every name that a script may meet, each with what it is, what it is given, what comes of it, and an example. The same stands in \
      `menuctl help NAME`, and as annotations for editors in `menuctl stubs`. This file is written by `make docs`; a test compares it with \
      its source.

      An example is the body of a test: what it declares it then tries, and `-->` shows what is printed, tabs as two blanks. In an app the \
      part that performs stands in an action, a test or the REPL. A `?` behind a parameter says that it can be left out; types are written \
      as [LuaCATS](https://luals.github.io/wiki/annotations/) has them.
      """
    return ([introduction] + groups.map(\.markdown)).joined(separator: "\n\n") + "\n"
  }
}

extension LanguageReference.Found {
  var page: Page {
    let types = LanguageReference.types(in: entry.types).filter { $0 != group.type }
    return Page(
      title: group.signature(of: entry),
      blocks: entry.blocks + [.paragraph("Belongs to: \(group.title).")] + Page.pointers(to: types))
  }
}

extension Page {
  /// A page with the pages of groups below it.
  fileprivate init(_ page: Page, _ groups: [LanguageGroup]) {
    self.init(title: page.title, blocks: page.blocks + groups.flatMap(\.page.blocks))
  }

  /// A paragraph that points to the pages of types; none if there are no types.
  fileprivate static func pointers(to types: [String]) -> [Block] {
    types.isEmpty
      ? [] : [.paragraph("See also: \(types.map { "'menuctl help \($0)'" }.joined(separator: ", ")).")]
  }
}

extension LanguageGroup {
  /// The page of the group: its description, and its entries.
  var page: Page {
    let name = type ?? word
    var blocks: [Page.Block] = [
      .paragraph(name == nil ? says : "\(title). \(says)"),
      .rows(entries.map { (self.name(of: $0), $0.firstSentence) }),
    ]
    if let base { blocks.append(.paragraph("It has also what belongs to '\(base)'.")) }
    let named = entries.map(\.types) + [says, base ?? ""]
    let types = LanguageReference.types(in: named.joined(separator: " ")).filter { $0 != type }
    return Page(title: name ?? title, blocks: blocks + Page.pointers(to: types))
  }

  var markdown: String {
    var parts = ["## \(title)", says.coded]
    if let base { parts.append("It has also what belongs to `\(base)`.") }
    let plain = entries.filter(\.isPlain)
    let first = entries.first.flatMap { $0.isPlain ? nil : $0 }
    // Fields are written as a table; the example of the first entry is for all of them.
    if !plain.isEmpty {
      if let first {
        parts.append(Page(title: signature(of: first), blocks: first.blocks).markdown(level: 3, code: true))
      }
      parts.append(
        "| | | |\n|---|---|---|\n"
          + plain.map { "| \(name(of: $0).asCode) | \($0.typeText.asCode) | \($0.says.coded) |" }.joined(
            separator: "\n"))
    }
    for entry in entries where !entry.isPlain && (plain.isEmpty || entry.name != first?.name) {
      parts.append(Page(title: signature(of: entry), blocks: entry.blocks).markdown(level: 3, code: true))
    }
    return parts.joined(separator: "\n\n")
  }
}

extension Page {
  /// The page as Markdown, with its title as code.
  fileprivate func markdown(level: Int, code: Bool) -> String {
    let body = Page(title: "", blocks: blocks).markdown(level: level).split(
      separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let heading = "\(String(repeating: "#", count: level)) `\(title)`"
    return body.count > 1 ? "\(heading)\n\(body[1])" : heading
  }
}

extension LanguageEntry {
  /// Whether it is a field with nothing but a type and a sentence, so that it is a row of a table.
  fileprivate var isPlain: Bool {
    if case .none = example, errors == nil, assigned == nil, !isFunction { return true }
    return false
  }

  /// The texts of all its types: its own, and those of its parameters and results.
  fileprivate var types: String {
    ([typeText, assigned ?? ""] + parameters.map(\.type) + results.map(\.type)).joined(separator: " ")
  }

  fileprivate var typeText: String { if case .value(let type) = shape { type } else { "" } }

  var firstSentence: String { says.firstSentence }

  /// The blocks of its page, below the title.
  fileprivate var blocks: [Page.Block] {
    var blocks: [Page.Block] = [.paragraph(says)]
    if let assigned { blocks.append(.paragraph("It may be assigned: '\(assigned)'.")) }
    if !parameters.isEmpty { blocks.append(.rows(parameters.map { ("\($0.name): \($0.type)", $0.says) })) }
    if !results.isEmpty {
      let returned = results.map { "'\($0.type)', \($0.says)" }.joined(separator: "; ")
      blocks.append(.paragraph("Returns \(returned)."))
    }
    if let errors { blocks.append(.paragraph("It \(errors).")) }
    switch example {
    case .none: break
    case .lines(let text), .file(let text): blocks.append(.code(text, language: "lua"))
    case .tests(let text, let shows):
      blocks.append(.code(text, language: "lua"))
      blocks.append(.code(shows, language: "text"))
    }
    return blocks
  }
}

extension String {
  /// The text up to its first full stop.
  var firstSentence: String {
    var sentence = ""
    let characters = Array(self)
    for (index, character) in characters.enumerated() {
      sentence.append(character)
      if character == ".", index + 1 == characters.count || characters[index + 1] == " " { break }
    }
    return sentence
  }
}
