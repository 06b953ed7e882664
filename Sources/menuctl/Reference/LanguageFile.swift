import Language

/// Reads `language.lua`, the annotations for the reference. The head of the file describes the format.
struct LanguageFile {
  private(set) var groups: [LanguageGroup] = []
  /// The current group.
  private var title = "", says = "", word = ""
  private var type: String?
  private var base: String?
  private var receiver = LanguageGroup.Receiver.none
  private var entries: [LanguageEntry] = []

  init(_ text: String) {
    var comment: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("---") {
        comment.append(line.dropFirst(3))
      } else if line.hasPrefix("-- # ") {
        endGroup()
        title = String(line.dropFirst(5))
      } else if line.hasPrefix("-- ") {
        if !title.isEmpty { says += (says.isEmpty ? "" : " ") + line.dropFirst(3) }
      } else {
        if !line.isEmpty { read(line, Annotated(comment)) }
        comment = []
      }
    }
    endGroup()
  }

  private mutating func endGroup() {
    if !title.isEmpty {
      groups.append(
        LanguageGroup(title: title, type: type, base: base, receiver: receiver, says: says, entries: entries))
    }
    (says, word, type, base, receiver, entries) = ("", "", nil, nil, .none, [])
  }

  /// Reads a line of code with the comment before it.
  private mutating func read(_ line: Substring, _ comment: Annotated) {
    if let declared = comment.tag("class") {
      let parts = declared.split(separator: ": ", maxSplits: 1)
      (type, base) = (parts.first.map { String($0) }, parts.dropFirst().first.map { String($0) })
      word = String(line.dropFirst("local ".count).prefix { $0 != " " })
      receiver = .object(line.firstRange(of: "-- ").map { String(line[$0.upperBound...]) } ?? word)
      says = comment.says
    } else if line.hasSuffix(" = {}") {
      word = String(line.dropLast(" = {}".count))
      receiver = .library(word)
      says = comment.says
    } else {
      entries.append(entry(line, comment))
    }
  }

  private func entry(_ line: Substring, _ comment: Annotated) -> LanguageEntry {
    let isHook = line.hasSuffix("  -- a script's own")
    let isFunction = line.hasPrefix("function ")
    var name = isFunction ? line.dropFirst("function ".count).prefix { $0 != "(" } : line.prefix { $0 != " " }
    if !word.isEmpty {
      name = name.dropFirst(word.count)
      if !name.hasPrefix("[") { name = name.dropFirst() }
    }
    let shape: LanguageEntry.Shape =
      if line.hasSuffix("  -- Lua's") {
        .lua
      } else if isFunction {
        isHook
          ? .hook(comment.parameters, returns: comment.results) : .call(comment.parameters, returns: comment.results)
      } else {
        .value(comment.tag("type") ?? "any")
      }
    var entry = LanguageEntry(
      name: String(name), shape: shape, says: comment.says, assigned: comment.assigned, errors: comment.errors,
      example: comment.example)
    if case .lua = shape, !comment.tags.isEmpty {
      let code = String(line.dropLast("  -- Lua's".count))
      entry.annotations = (comment.tags.map { "---@\($0)" } + [code]).joined(separator: "\n")
    }
    return entry
  }
}

/// A comment before a line of code: its paragraphs, its example and its tags.
private struct Annotated {
  private(set) var says = ""
  private(set) var errors: String?
  private(set) var assigned: String?
  private(set) var example = LanguageEntry.Example.none
  /// The lines that begin with `@`, without this character.
  private(set) var tags: [Substring] = []

  init(_ lines: [Substring]) {
    var paragraph = ""
    var code: (language: Substring, lines: [Substring])?
    for line in lines + [""] {
      if let (language, text) = code {
        if line == "```" {
          take(text.joined(separator: "\n"), language)
          code = nil
        } else {
          code = (language, text + [line])
        }
      } else if line.hasPrefix("```") {
        code = (line.dropFirst(3), [])
      } else if line.hasPrefix("@") {
        take(paragraph: paragraph)
        paragraph = ""
        tags.append(line.dropFirst())
      } else if line.isEmpty {
        take(paragraph: paragraph)
        paragraph = ""
      } else {
        paragraph += (paragraph.isEmpty ? "" : " ") + line
      }
    }
  }

  private mutating func take(paragraph: String) {
    let assigning = "It may be assigned: `"
    if paragraph.hasPrefix(assigning) {
      assigned = String(paragraph.dropFirst(assigning.count).dropLast())
    } else if says.isEmpty {
      says = paragraph
    } else if paragraph.hasPrefix("It ") {
      errors = String(paragraph.dropFirst(3).dropLast())
    }
  }

  private mutating func take(_ text: String, _ language: Substring) {
    switch (language, example) {
    case ("text", .tests(let tests, _)): example = .tests(tests, shows: text)
    case ("lua tests", _): example = .tests(text, shows: "")
    case ("lua file", _): example = .file(text)
    default: example = .lines(text)
    }
  }

  /// Returns the rest of the first tag with this name.
  func tag(_ name: String) -> String? {
    tags.first { $0.hasPrefix("\(name) ") }.map { String($0.dropFirst(name.count + 1)) }
  }

  var parameters: [LanguageEntry.Parameter] {
    tags.filter { $0.hasPrefix("param ") }.map { tag in
      let rest = tag.dropFirst("param ".count)
      let name = rest.prefix { $0 != " " }
      let (type, says) = Self.type(before: rest.dropFirst(name.count + 1))
      return (String(name), type, says)
    }
  }

  var results: [LanguageEntry.Result] {
    tags.filter { $0.hasPrefix("return ") }.map { tag in
      let rest = tag.dropFirst("return ".count)
      guard let end = rest.firstRange(of: " # ") else { return (String(rest), "") }
      return (String(rest[..<end.lowerBound]), String(rest[end.upperBound...]))
    }
  }

  /// Splits a type from the following sentence. A type has blanks only in brackets, after a colon and after a comma.
  private static func type(before text: Substring) -> (type: String, says: String) {
    var depth = 0
    var last: Character = " "
    for (index, character) in zip(text.indices, text) {
      switch character {
      case "(", "<", "{", "[": depth += 1
      case ")", ">", "}", "]": depth -= 1
      case " " where depth == 0 && last != ":" && last != ",":
        return (String(text[..<index]), String(text[text.index(after: index)...]))
      default: break
      }
      last = character
    }
    return (String(text), "")
  }
}

/// The texts of the documentation, which are built into the tool: the language reference, then the topics.
enum Documentation {
  static let texts: [String] = {
    var count = 0
    let bytes = UnsafeRawBufferPointer(start: language_texts(&count), count: count)
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }()
}
