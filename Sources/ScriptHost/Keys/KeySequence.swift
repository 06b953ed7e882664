/// One or more strokes in order, as in `ctrl+k` and `g g`.
///
/// ```swift
/// let keys = try KeySequence.parse("Shift+CTRL+K Escape")
/// print(keys.text)  // ctrl+shift+k esc
/// print(keys.strokes.count)  // 2
/// ```
public struct KeySequence: Hashable, Sendable {
  /// The strokes in order, at least one.
  public let strokes: [Stroke]
  /// The hash, computed once because each press is looked up along the whole chain.
  private let hash: Int

  init(strokes: [Stroke]) {
    self.strokes = strokes
    hash = strokes.hashValue
  }

  /// Creates a sequence of one stroke.
  public init(_ stroke: Stroke) { self.init(strokes: [stroke]) }

  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension KeySequence {
  /// Returns this sequence with one more stroke.
  func followed(by stroke: Stroke) -> KeySequence { KeySequence(strokes: strokes + [stroke]) }
}

extension KeySequence: CustomStringConvertible {
  /// The canonical spelling.
  public var text: String {
    strokes.dropFirst().reduce(strokes.first?.text ?? "") { $0 + " " + $1.text }
  }

  public var description: String { text }

  /// Returns true if another sequence is longer and begins with this sequence.
  public func begins(_ other: KeySequence) -> Bool {
    strokes.count < other.strokes.count && other.strokes.starts(with: strokes)
  }
}

extension KeySequence: Codable {
  public init(from decoder: any Decoder) throws {
    self = try KeySequence.parse(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension KeySequence {
  /// The most bytes of a text of keys.
  static let byteLimit = 256

  /// Reads keys: strokes separated by blanks, each a key after its modifiers and `+`, in any order and case.
  public static func parse(_ text: String) throws(KeyError) -> KeySequence {
    guard text.utf8.count <= byteLimit else { throw KeyError(.tooLong(bytes: text.utf8.count), in: text, at: 0) }
    var strokes: [Stroke] = []
    var rest = Substring(text).skippingBlanks
    while !rest.isEmpty {
      let word = rest.prefix { !$0.isBlank }
      strokes.append(try stroke(word, in: text))
      rest = rest[word.endIndex...].skippingBlanks
    }
    guard !strokes.isEmpty else {
      if text == " " { throw KeyError(.spelltElsewhere(text, here: "space"), in: text, at: 0) }
      throw KeyError(.noKey, in: text, at: text.utf8.count)
    }
    return KeySequence(strokes: strokes)
  }

  /// Reads a stroke. A name before a `+` is a modifier; a `+` at the end is the key `+`.
  private static func stroke(_ word: Substring, in text: String) throws(KeyError) -> Stroke {
    var modifiers: Modifiers = []
    var rest = word
    while let plus = rest.unicodeScalars.dropFirst().firstIndex(of: "+") {
      let name = String(rest[..<plus])
      guard let modifier = Modifiers(name: name) else {
        if let here = ForeignStroke(word)?.here, here.contains("mod+") {
          throw KeyError(.spelltElsewhere(String(word), here: here), in: text, at: word.offset(in: text))
        }
        let near = KeyNames.near(name, isModifier: true)
        throw KeyError(.unknownModifier(name, near: near), in: text, at: rest.offset(in: text))
      }
      guard modifiers.isDisjoint(with: modifier) else {
        throw KeyError(.doubledModifier(name, is: modifier), in: text, at: rest.offset(in: text))
      }
      modifiers.formUnion(modifier)
      rest = rest[rest.unicodeScalars.index(after: plus)...]
    }
    guard !rest.isEmpty else { throw KeyError(.noKeyAfter(String(word)), in: text, at: rest.offset(in: text)) }
    return Stroke(modifiers: modifiers, key: try key(rest, of: word, in: text))
  }

  /// Reads the key, which is the rest of a word after its modifiers.
  private static func key(_ rest: Substring, of word: Substring, in text: String) throws(KeyError) -> String {
    let name = rest.lowercased()
    if name.count == 1, name.allSatisfy(\.isKey) { return name }
    if let key = KeyNames[name] { return key }
    if Modifiers(name: name) != nil {
      throw KeyError(.modifierAlone(String(rest)), in: text, at: rest.offset(in: text))
    }
    if let here = ForeignStroke(word)?.here {
      throw KeyError(.spelltElsewhere(String(word), here: here), in: text, at: word.offset(in: text))
    }
    let near = KeyNames.near(name, isModifier: false)
    throw KeyError(.unknownKey(String(rest), near: near), in: text, at: rest.offset(in: text))
  }
}

extension KeySequence {
  /// The binding for every stroke that types a character and has no other binding.
  package static let text = KeySequence(Stroke.text)

  /// Reads keys that can be bound: strokes, or `text`.
  package static func bindable(_ text: String) throws(KeyError) -> KeySequence {
    text == Stroke.text.key ? .text : try parse(text)
  }
}

extension Substring {
  fileprivate var skippingBlanks: Substring { drop(while: \.isBlank) }

  /// Returns the number of bytes before it in the text that contains it.
  fileprivate func offset(in text: String) -> Int { text.utf8.distance(from: text.startIndex, to: startIndex) }
}

extension Character {
  /// Whether it separates strokes.
  fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.isBlank) }

  /// Whether it can be a key: it is visible, and not the replacement character for invalid bytes.
  fileprivate var isKey: Bool {
    guard let first = unicodeScalars.first, first.isVisible, first != " ", first != "\u{FFFD}" else { return false }
    return unicodeScalars.dropFirst().allSatisfy { $0.isVisible || $0.isMark }
  }
}

/// The error in a text of keys, and its location.
///
/// ```swift
/// do {
///   _ = try KeySequence.parse("g control+k")
/// } catch {
///   print(error.message)  // there is no modifier 'control'; did you mean 'ctrl'?
///   print(error.column)  // 3
/// }
/// ```
public struct KeyError: Error, Sendable, Equatable {
  /// The kind of error.
  enum Problem: Sendable, Equatable {
    case noKey
    /// The stroke has only modifiers and `+`.
    case noKeyAfter(String)
    /// A modifier is in the place of a key.
    case modifierAlone(String)
    case unknownModifier(String, near: String?)
    case doubledModifier(String, is: Modifiers)
    case unknownKey(String, near: String?)
    /// The stroke has another program's spelling.
    case spelltElsewhere(String, here: String)
    case tooLong(bytes: Int)
  }

  /// The kind of error.
  let problem: Problem
  /// The column in Unicode scalars, from 1.
  public let column: Int
  /// The text around the place, for messages.
  public let excerpt: Excerpt

  init(_ problem: Problem, in text: String, at offset: Int) {
    self.problem = problem
    column = 1 + text.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 }
    excerpt = text.withBytes { Excerpt(of: $0, at: offset) }
  }
}

extension KeyError: CustomStringConvertible {
  /// Returns the message, the text below it, and a caret below the place.
  public func render() -> String { "\(message)\n\(excerpt.render())" }

  public var description: String { render() }

  /// The problem in one sentence.
  public var message: String {
    switch problem {
    case .noKey: "expected a key"
    case .noKeyAfter(let held): "expected a key after '\(held)'"
    case .modifierAlone(let name): "'\(name)' is a modifier: add a key after it without blanks, as in '\(name)+k'"
    case .unknownModifier(let name, let near): "there is no modifier '\(name)'\(hint(near))"
    case .doubledModifier(let name, let modifier): doubled(name, modifier.names.first ?? name)
    case .unknownKey(let name, nil) where (2...4).contains(name.count) && name.allSatisfy(\.isLetter):
      "there is no key '\(name)'; write a sequence with blanks: '\(name.map(String.init).joined(separator: " "))'"
    case .unknownKey(let name, let near): "there is no key '\(name)'\(hint(near))"
    case .spelltElsewhere(let word, let here):
      "write '\(here)' instead of '\(word)'\(here.contains("mod+") ? ": ctrl, or command on Apple's systems" : "")"
    case .tooLong(let bytes): "keys can have \(KeySequence.byteLimit) bytes at most, and these have \(bytes)"
    }
  }

  private func hint(_ near: String?) -> String { near.map { "; did you mean '\($0)'?" } ?? "" }

  private func doubled(_ name: String, _ known: String) -> String {
    name.lowercased() == known
      ? "'\(name)' is twice in one stroke" : "'\(name)' means '\(known)', which is here twice"
  }
}
