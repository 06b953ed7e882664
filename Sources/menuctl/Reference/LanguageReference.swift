/// The *language reference*: every name of the script language, for the help, the stubs and `docs/reference.md`.
enum LanguageReference {
  /// The groups, in reading order.
  static let groups = LanguageFile(Documentation.texts[0]).groups

  /// Returns the group with a title, a type, or a name in scripts.
  static func group(_ name: String) -> LanguageGroup {
    groups.first { $0.title == name || $0.type == name || $0.word == name }
      ?? LanguageGroup(title: name, receiver: .none, says: "", entries: [])
  }

  /// An entry of the reference, and its group.
  struct Found {
    let group: LanguageGroup
    let entry: LanguageEntry

    var name: String { group.name(of: entry) }
  }

  static let all: [Found] = groups.flatMap { group in group.entries.map { Found(group: group, entry: $0) } }

  /// Returns the entries of a name: `app:perform`, `app.perform` and `perform` are the same. Whole names come first.
  static func find(_ name: String) -> [Found] {
    let plain = name.map { $0 == ":" ? "." : "\($0)" }.joined()
    let wanted = plain.hasSuffix("()") ? String(plain.dropLast(2)) : plain
    let exact = all.filter { $0.plainName == wanted }
    return exact.isEmpty ? all.filter { $0.entry.name == wanted } : exact
  }

  /// All names and types, for suggestions.
  static var names: [String] { all.map(\.name) + groups.compactMap(\.type) }
  /// The names without their groups: `perform` for `app:perform`.
  static var shortNames: [String] { all.map(\.entry.name) }
}

extension LanguageReference.Found {
  fileprivate var plainName: String { name.map { $0 == ":" ? "." : "\($0)" }.joined() }
}

/// A *group* documents one object or library of the script language: its description, calls and fields.
struct LanguageGroup: Sendable {
  /// The way in which scripts write the entries of a group.
  enum Receiver: Sendable {
    /// Alone: `window`.
    case none
    /// After the object: `app:perform()`, `app.title`.
    case object(String)
    /// In a library, whose functions are called with a dot: `fs.read()`.
    case library(String)
  }

  let title: String
  /// The object's class in the stubs; nil for globals.
  var type: String?
  /// The base class of its class.
  var base: String?
  let receiver: Receiver
  let says: String
  let entries: [LanguageEntry]
}

extension LanguageGroup {
  /// The name of the object or library in scripts; nil for globals.
  var word: String? {
    switch receiver {
    case .none: nil
    case .object(let word), .library(let word): word
    }
  }

  /// Returns an entry's name in the notation of scripts.
  func name(of entry: LanguageEntry) -> String {
    switch receiver {
    case .none: entry.name
    case .object(let object):
      if case .call = entry.shape { "\(object):\(entry.name)" } else { "\(object).\(entry.name)" }
    case .library(let library): "\(library).\(entry.name)"
    }
  }

  /// Returns an entry in the notation of scripts, with its parameters and results or its type.
  func signature(of entry: LanguageEntry) -> String {
    switch entry.shape {
    case .value(let type): return "\(name(of: entry)): \(type)"
    case .lua: return name(of: entry)
    case .call, .hook:
      let results = entry.results.map(\.type).joined(separator: ", ")
      return "\(name(of: entry))\(entry.arguments)" + (results.isEmpty ? "" : " → \(results)")
    }
  }
}

/// An *entry* documents one name of the script language.
///
/// The editor stubs, `docs/reference.md` and `menuctl help NAME` are made from entries.
struct LanguageEntry: Sendable {
  /// A parameter of a call: its name, with '?' if it is optional, its type, and its description.
  typealias Parameter = (name: String, type: String, says: String)
  /// A result of a call.
  typealias Result = (type: String, says: String)

  enum Shape: Sendable {
    /// A function of the host, which scripts call.
    case call([Parameter], returns: [Result])
    /// A function of the script, which the host calls.
    case hook([Parameter], returns: [Result])
    /// Another value, with its type.
    case value(String)
    /// A name of Lua, which editors know.
    case lua
  }

  let name: String
  let shape: Shape
  /// Its purpose or effect, in one sentence or more.
  let says: String
  /// The type for assignment, if it is wider than the type for reading.
  var assigned: String?
  /// The condition under which it raises, or returns an error.
  var errors: String?
  /// The example: the body of a test, with `--> text` after each output. None if an example of the group has the entry.
  var example: Example = .none
  /// The annotations of a Lua name for editors; nil if editors know enough.
  var annotations: String?

  enum Example: Sendable {
    case none
    /// The body of a test.
    case lines(String)
    /// A file of tests, and the output of `menuctl test` for it.
    case tests(String, shows: String)
    /// A file that no test runs.
    case file(String)
  }
}

extension LanguageEntry {
  /// The parameters of a function.
  var parameters: [Parameter] {
    switch shape {
    case .call(let parameters, _), .hook(let parameters, _): parameters
    case .value, .lua: []
    }
  }

  /// The results of a function.
  var results: [Result] {
    switch shape {
    case .call(_, let results), .hook(_, let results): results
    case .value, .lua: []
    }
  }

  var isFunction: Bool {
    switch shape {
    case .call, .hook: true
    case .value, .lua: false
    }
  }

  /// `(ref, args?)` for a function; else empty.
  var arguments: String { isFunction ? "(\(parameters.map(\.name).joined(separator: ", ")))" : "" }
}

extension LanguageReference {
  /// Returns the page on a name, a type, or the title of a group; nil for an unknown name.
  static func page(of name: String) -> Page? {
    let found = find(name)
    // The groups of an object or library have its name in scripts: 'fs', 'ctx', 'item'.
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

  /// Returns the types of the language that a text contains.
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

  /// Returns a paragraph with links to the pages of types; empty if there are no types.
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
    // Fields are rows of a table, which share the example of the first entry.
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
  /// Returns the page as Markdown, with its title as code.
  fileprivate func markdown(level: Int, code: Bool) -> String {
    let body = Page(title: "", blocks: blocks).markdown(level: level).split(
      separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let heading = "\(String(repeating: "#", count: level)) `\(title)`"
    return body.count > 1 ? "\(heading)\n\(body[1])" : heading
  }
}

extension LanguageEntry {
  /// Whether the entry is a row of a table: a field with only a type and a sentence.
  fileprivate var isPlain: Bool {
    if case .none = example, errors == nil, assigned == nil, !isFunction { return true }
    return false
  }

  /// The texts of its type and of the types of its parameters and results.
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
