/// What an action takes under one key, as a form shows it.
public struct AskedArgument {
  /// What may be given.
  public enum Kind: String, Sendable, CaseIterable {
    case string, integer, number, boolean, file, folder, any
    case oneOf = "one_of"
  }

  /// One of several values that may be given.
  public struct Choice {
    public var value: Value
    /// What a person calls it, where that is not the value.
    public var title: String?

    public init(_ value: Value, title: String? = nil) {
      self.value = value
      self.title = title
    }
  }

  /// The name of the argument.
  public var key: String
  /// What may be given.
  public var kind: Kind
  /// What a person calls it.
  public var title: String?
  /// A sentence about it.
  public var help: String?
  /// The values that may be given, if it is one of several; nil also if the function that lists them wasn't called, or failed.
  public var choices: [Choice]?
  /// Values that a form suggests, where others may be given too; nil also if the function that lists them wasn't called, or failed.
  public var suggestions: [Choice]?
  /// The least number, or the least length of a string.
  public var from: Value?
  /// The largest number, or the greatest length of a string.
  public var to: Value?
  /// What a string has to match.
  public var pattern: String?
  /// What is taken where nothing is given.
  public var preset: Value?
  /// Whether a function gives the default, which wasn't called.
  public package(set) var isPresetComputed = false
  /// Why its choices, its default or its proposal aren't known: the function that gives them failed.
  public var failure: Failure?
  /// The value with which a form begins. A person is asked nevertheless, so that no value is taken that nobody has seen.
  public var proposal: Value?
  /// Whether it can be left out.
  public var isOptional = false
  /// Whether it is a list of such values.
  public var isMany = false
  /// Whether only the action's handler may see it.
  public var isSecret = false
  /// The number of lines that a form shows of a text with several; nil for a text of one line.
  public var lines: Int?
  /// The number of columns after which a form highlights the rest of the first line; nil for no limit.
  public var wide: Int?
  /// Its position among the arguments that are asked for; arguments without one come last.
  public var order: Double?

  public init(_ key: String, _ kind: Kind) {
    self.key = key
    self.kind = kind
  }
}

extension AskedArgument {
  /// Whether an action can't be done without it.
  public var isRequired: Bool { !isOptional && preset == nil && !isPresetComputed }

  /// Whether people are asked for it: they can't enter a value of kind `any`, so it is left out unless it is required.
  package var isForPeople: Bool { isRequired || kind != .any }

  /// The value proposed to a person; nil for a secret.
  package var proposed: Value? { isSecret ? nil : proposal }

  /// Throws if a person can't be suggested values for it.
  func checkSuggesting<Thrown: Error>(_ error: (String) -> Thrown) throws(Thrown) {
    if kind == .oneOf { throw error("has 'one_of' and 'suggest': it is one of the two") }
    if kind == .boolean { throw error("has 'suggest', and is true or false already") }
    if isSecret { throw error("has 'suggest' and is secret: nobody may see what it is") }
    if lines != nil { throw error("has 'suggest' and 'lines': a value that is suggested has one line") }
  }

  /// Whether a form shows both in the same way.
  package func isSame(as other: AskedArgument) -> Bool { value.isSame(as: other.value) }

  /// The values that are suggested, in a sentence; nil if there are none.
  package var suggested: String? {
    guard let suggestions, !suggestions.isEmpty else { return nil }
    return "as \(Self.list(suggestions, \.shown))"
  }

  /// The order in which people are asked.
  static func isBefore(_ one: AskedArgument, _ other: AskedArgument) -> Bool {
    if one.isRequired != other.isRequired { return one.isRequired }
    let (first, second) = (one.order ?? .infinity, other.order ?? .infinity)
    return first == second ? one.key.precedesByBytes(other.key) : first < second
  }

  /// Its facts as a plain value, named as JSON names them.
  package var value: Value {
    var members: [(key: String, value: Value)] = [("key", .text(key)), ("type", .text(kind.rawValue))]
    func add(_ name: String, _ value: Value?) { if let value { members.append((name, value)) } }
    add("title", title.map { .text($0) })
    add("help", help.map { .text($0) })
    add("one_of", choices.map { .list($0.map(\.asValue)) })
    add("suggest", suggestions.map { .list($0.map(\.asValue)) })
    add("from", from)
    add("to", to)
    if !isSecret { add("default", isPresetComputed ? .object([("$", "function")]) : preset) }
    if !isSecret { add("proposal", proposal) }
    if isOptional { add("optional", true) }
    if isMany { add("many", true) }
    if isSecret { add("secret", true) }
    add("lines", lines.map { .integer($0) })
    add("wide", wide.map { .integer($0) })
    add("error", failure?.value)
    return .object(members)
  }
}

extension Failure {
  /// What a form shows of it, as a plain value.
  fileprivate var value: Value {
    var members: [(key: String, value: Value)] = [("message", .text(message))]
    if let place {
      members += [("file", .text(place.file)), ("line", .integer(place.line))]
      if let column = place.column { members.append(("column", .integer(column))) }
    }
    if let owner { members.append(("owner", .text(owner))) }
    return .object(members)
  }
}

extension AskedArgument.Choice {
  /// The value alone where it has no title.
  fileprivate var asValue: Value {
    title.map { .object([("value", value), ("title", .text($0))]) } ?? value
  }
}

// MARK: In words

extension AskedArgument {
  /// Why its choices, its default or its proposal aren't known, in a sentence with the place; nil if nothing failed.
  package var trouble: String? {
    failure.map { failure in failure.asReason + (failure.place.map { " (\($0))" } ?? "") }
  }
}

extension AskedArgument {
  /// What may be given, in words.
  public var expected: String { expected(\.value.whole) }

  /// The same with the titles of choices, for a person who picks one.
  package var expectedByTitle: String { expected(\.shown) }

  private func expected(_ choice: (Choice) -> String) -> String {
    let single = single(choice)
    return isMany ? "a list, each \(single)" : single
  }

  private func single(_ choice: (Choice) -> String) -> String {
    switch kind {
    case .string: "a string\(length)" + (pattern.map { " that matches '\($0)'" } ?? "")
    case .integer: "an integer\(range)"
    case .number: "a number\(range)"
    case .boolean: "true or false"
    case .file: "the path of a file"
    case .folder: "the path of a folder"
    case .any: "a value"
    case .oneOf: choices.map { "one of \(Self.list($0, choice))" } ?? "one of several values"
    }
  }

  private var range: String {
    switch (from, to) {
    case (let from?, let to?): " from \(from.shown) to \(to.shown)"
    case (let from?, nil): " of \(from.shown) or more"
    case (nil, let to?): " of \(to.shown) or less"
    case (nil, nil): ""
    }
  }

  private var length: String {
    switch (from, to) {
    case (let from?, let to?): " of \(from.shown) to \(to.shown) characters"
    case (let from?, nil): " of \(from.shown) or more characters"
    case (nil, let to?): " of \(to.shown) or fewer characters"
    case (nil, nil): ""
    }
  }

  private static func list(_ choices: [Choice], _ shown: (Choice) -> String) -> String {
    if choices.isEmpty { return "nothing: there are no choices now" }
    let list = choices.prefix(8).map(shown).joined(separator: ", ")
    return choices.count > 8 ? "\(list), …" : list
  }
}

extension AskedArgument.Choice {
  /// Its value, with its title if that is different.
  fileprivate var shown: String {
    guard let title, !title.hasSameBytes(as: value.spelling) else { return value.whole }
    return "\(value.whole) (\(title))"
  }
}

extension Value {
  /// The whole value, unless it is very long, for a person who may want to type it.
  fileprivate var whole: String {
    if case .text(let text) = self { "'\(text.shortened(toBytes: 400))'" } else { shown }
  }

  /// A value in a sentence about it: short, and strings in quotes.
  package var shown: String {
    switch self {
    case .null: "nothing"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let text): "'\(text.shortened(toBytes: 40))'"
    case .list: "a list"
    case .object, .opaque: "a \(typeName)"
    }
  }
}

extension AskedArgument {
  /// Reads a person's answer, from a line of a form or a prompt. Throws why it isn't taken.
  ///
  /// Several values are separated by commas. A choice is named by its value or its title.
  public func read(_ text: String) throws(Misfit) -> Value {
    guard isMany else { return try readOne(text) }
    var values: [Value] = []
    for part in text.split(separator: ",") { values.append(try readOne(String(part).trimmed)) }
    return .list(values)
  }

  private func readOne(_ text: String) throws(Misfit) -> Value {
    let value = value(of: text)
    if let value, isTaken(value) { return value }
    throw Misfit(self, given: value ?? .text(text))
  }

  private func value(of text: String) -> Value? {
    switch kind {
    case .string, .file, .folder: .text(text)
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "y", "on": true
      case "false", "no", "n", "off": false
      default: nil
      }
    case .integer, .number, .any: Value(spelling: text)
    case .oneOf:
      choices?.first { $0.value.spelling.hasSameBytes(as: text) || $0.title?.hasSameBytes(as: text) ?? false }?.value
    }
  }

  private func isTaken(_ value: Value) -> Bool {
    switch (kind, value) {
    case (.integer, .integer), (.number, .integer), (.number, .number): admits(value)
    case (.integer, _), (.number, _): false
    case (.string, .text(let text)): admits(.integer(text.unicodeScalars.count))
    case (.file, .text(let path)), (.folder, .text(let path)): !path.isEmpty
    default: true
    }
  }

  /// Whether a number, or the length of a string, is within the bounds.
  func admits(_ number: Value) -> Bool {
    guard Value.order(number, number) != nil else { return false }
    if let from, Value.order(number, from) ?? -1 < 0 { return false }
    if let to, Value.order(number, to) ?? 1 > 0 { return false }
    return true
  }
}

extension Value {
  /// A value as a person writes it where it stands alone.
  package var spelling: String {
    switch self {
    case .text(let text): text
    default: shown
    }
  }

  /// Reads a text as an argument of a reference; if it isn't one, the value is the text itself.
  package init(spelling text: String) {
    let literal = (try? Reference.parse("a(value: \(text))"))?.arguments
    self = literal?.members.count == 1 ? literal?["value"].map(Value.init) ?? .null : .text(text)
  }
}

extension String {
  fileprivate var trimmed: String {
    let blanks: Set<Character> = [" ", "\t"]
    let start = drop { blanks.contains($0) }
    return String(start.reversed().drop { blanks.contains($0) }.reversed())
  }
}
