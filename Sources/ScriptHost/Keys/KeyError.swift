/// Why a text is no key sequence, and where.
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
  /// What is wrong.
  enum Problem: Sendable, Equatable {
    case noKey
    /// Only modifiers and `+` stand there.
    case noKeyAfter(String)
    /// A modifier stands where a key should.
    case modifierAlone(String)
    case unknownModifier(String, near: String?)
    case doubledModifier(String, is: Modifiers)
    case unknownKey(String, near: String?)
    /// The stroke is spelt as other programs spell it.
    case spelltElsewhere(String, here: String)
    case tooLong(bytes: Int)
  }

  /// What is wrong.
  let problem: Problem
  /// Where the place is, counted in Unicode scalars from 1 on.
  public let column: Int
  /// The text around the place, to be shown.
  public let excerpt: Excerpt

  init(_ problem: Problem, in text: String, at offset: Int) {
    self.problem = problem
    column = 1 + text.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 }
    excerpt = text.withBytes { Excerpt(of: $0, at: offset) }
  }
}

extension KeyError: CustomStringConvertible {
  /// The sentence, the text below it, and a caret below the place.
  public func render() -> String { "\(message)\n\(excerpt.render())" }

  public var description: String { render() }

  /// Says in one sentence what is wrong.
  public var message: String {
    switch problem {
    case .noKey: "expected a key"
    case .noKeyAfter(let held): "expected a key after '\(held)'"
    case .modifierAlone(let name): "'\(name)' is held, and a key must follow it, as in '\(name)+k', without blanks"
    case .unknownModifier(let name, let near): "there is no modifier '\(name)'\(hint(near))"
    case .doubledModifier(let name, let modifier): doubled(name, modifier.names.first ?? name)
    case .unknownKey(let name, let near): "there is no key '\(name)'\(hint(near))"
    case .spelltElsewhere(let word, let here):
      "'\(word)' is written '\(here)' here\(here.contains("mod+") ? ": ctrl, and command on Apple's systems" : "")"
    case .tooLong(let bytes): "keys have at most \(KeySequence.byteLimit) bytes, and these have \(bytes)"
    }
  }

  private func hint(_ near: String?) -> String { near.map { "; did you mean '\($0)'?" } ?? "" }

  private func doubled(_ name: String, _ known: String) -> String {
    name.lowercased() == known
      ? "'\(name)' stands twice in one stroke" : "'\(name)' is '\(known)' here, which stands there already"
  }
}
