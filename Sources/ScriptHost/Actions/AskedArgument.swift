/// An argument of an action, as forms show it.
public struct AskedArgument {
  /// The kind of value.
  public enum Kind: String, Sendable, CaseIterable {
    case string, integer, number, boolean, file, folder, any
    case oneOf = "one_of"
  }

  /// One of several allowed values.
  public struct Choice {
    public var value: Value
    /// The title for people, if it differs from the value.
    public var title: String?

    public init(_ value: Value, title: String? = nil) {
      self.value = value
      self.title = title
    }
  }

  /// The name of the argument.
  public var key: String
  /// The kind of value.
  public var kind: Kind
  /// The title for people.
  public var title: String?
  /// A sentence that describes it.
  public var help: String?
  /// The allowed values, if it is one of several. Nil also if the function that lists them wasn't called, or failed.
  public var choices: [Choice]?
  /// Values that a form suggests. Nil also if the function that lists them wasn't called, or failed.
  public var suggestions: [Choice]?
  /// Whether its values are still to come, because the function that lists them waits.
  public package(set) var isAwaited = false
  /// The least number, or the least length of a string.
  public var from: Value?
  /// The largest number, or the greatest length of a string.
  public var to: Value?
  /// The pattern that a string has to match.
  public var pattern: String?
  /// The default value.
  public var preset: Value?
  /// Whether a function computes the default, and wasn't called.
  public package(set) var isPresetComputed = false
  /// Why its choices, default or proposal aren't known: the function failed.
  public var failure: Failure?
  /// The initial value in a form. A person still has to see the form, so that nobody accepts an unseen value.
  public var proposal: Value?
  /// Whether it may be missing.
  public var isOptional = false
  /// Whether it is a list of values.
  public var isMany = false
  /// Whether only the action's handler may see it.
  public var isSecret = false
  /// The number of lines in a form for a multi-line text; nil for a text of one line.
  public var lines: Int?
  /// The number of columns after which a form highlights the rest of the first line; nil for no limit.
  public var wide: Int?
  /// Its position among the arguments of a form; arguments without one come last.
  public var order: Double?
  /// Whether it declares a `when`.
  var isConditional = false

  public init(_ key: String, _ kind: Kind) {
    self.key = key
    self.kind = kind
  }
}

extension AskedArgument {
  /// Whether the action needs it.
  public var isRequired: Bool { !isOptional && preset == nil && !isPresetComputed }

  /// Whether forms show it. People can't enter values of kind `any`, so forms omit those unless required.
  package var isForPeople: Bool { isRequired || kind != .any }

  /// The value proposed to a person; nil for a secret.
  package var proposed: Value? { isSecret ? nil : proposal }

  /// Throws if forms can't suggest values for it.
  func checkSuggesting<Thrown: Error>(_ error: (String) -> Thrown) throws(Thrown) {
    if kind == .oneOf { throw error("has 'one_of' and 'suggest': it is one of the two") }
    if kind == .boolean { throw error("has 'suggest', and is true or false already") }
    if isSecret { throw error("has 'suggest' and is secret: nobody may see what it is") }
    if lines != nil { throw error("has 'suggest' and 'lines': a value that is suggested has one line") }
  }

  /// Returns true if a form shows both the same way.
  package func isSame(as other: AskedArgument) -> Bool { value.isSame(as: other.value) }

  /// The suggested values, in a sentence; nil if there are none.
  package var suggested: String? {
    guard let suggestions, !suggestions.isEmpty else { return nil }
    return "as \(Self.list(suggestions, \.shown))"
  }

  /// Orders the arguments of a form (A5): those that are always required, then by their 'order', then by their keys.
  static func isBefore(_ one: AskedArgument, _ other: AskedArgument) -> Bool {
    let isFirst = one.isRequired && !one.isConditional
    if isFirst != (other.isRequired && !other.isConditional) { return isFirst }
    let (first, second) = (one.order ?? .infinity, other.order ?? .infinity)
    return first == second ? one.key.precedesByBytes(other.key) : first < second
  }

  /// The argument as a plain value, with JSON's names.
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
    if isAwaited { add("waits", true) }
    add("error", failure?.value)
    return .object(members)
  }
}

extension Failure {
  /// The failure as a plain value for forms.
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
  /// The choice as a plain value: the value alone if it has no title.
  fileprivate var asValue: Value {
    title.map { .object([("value", value), ("title", .text($0))]) } ?? value
  }
}

// MARK: In words

extension AskedArgument {
  /// Why its choices, default or proposal aren't known, in a sentence with the place; nil if nothing failed.
  package var trouble: String? {
    failure.map { failure in failure.asReason + (failure.place.map { " (\($0))" } ?? "") }
  }
}

extension AskedArgument {
  /// The allowed values, in words.
  public var expected: String { expected(\.value.whole) }

  /// The allowed values with the titles of choices, for a person who picks one.
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
  /// Its value, with its title if it differs.
  fileprivate var shown: String {
    guard let title, !title.hasSameBytes(as: value.spelling) else { return value.whole }
    return "\(value.whole) (\(title))"
  }
}

extension Value {
  /// The value for a person who may want to type it, shortened if it is very long.
  fileprivate var whole: String {
    if case .text(let text) = self { "'\(text.shortened(toBytes: 400))'" } else { shown }
  }

  /// The value in a sentence about it: short, with strings in quotes.
  package var shown: String {
    switch self {
    case .null: "nothing"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let text): "'\(text.shortened(toBytes: 40))'"
    case .list: "a list"
    case .object, .opaque: typeName.withArticle
    }
  }
}

extension AskedArgument {
  /// Reads a person's answer, from a line of a form or a prompt. Throws why it is wrong.
  ///
  /// Commas separate several values. The value or the title identifies a choice.
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

  /// Returns true if a number, or the length of a string, is within the bounds.
  func admits(_ number: Value) -> Bool {
    guard Value.order(number, number) != nil else { return false }
    if let from, Value.order(number, from) ?? -1 < 0 { return false }
    if let to, Value.order(number, to) ?? 1 > 0 { return false }
    return true
  }
}

extension Value {
  /// The value as a person writes it outside a sentence.
  package var spelling: String {
    switch self {
    case .text(let text): text
    default: shown
    }
  }

  /// Reads a text as an argument of a reference. If it isn't one, the value is the text.
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
