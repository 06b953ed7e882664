/// A *reference* says which action is meant and with which arguments, as in `image.export(format: jpeg, quality: 0.9)`.
///
/// ```swift
/// let reference = try Reference.parse("image.export(format: jpeg)")
/// print(reference.name)  // export
/// print(reference.prefix)  // image
/// print(reference.arguments?["format"] == .text("jpeg"))  // true
/// ```
public struct Reference: Sendable {
  /// Everything before the parentheses.
  public let id: String

  /// What stands between the parentheses; nil without parentheses, which performs the same as `()`.
  public let arguments: LiteralObject?

  package init(id: String, arguments: LiteralObject?) {
    self.id = id
    self.arguments = arguments
  }
}

extension Reference: Equatable {
  public static func == (left: Reference, right: Reference) -> Bool {
    left.id.hasSameBytes(as: right.id) && left.arguments == right.arguments
  }
}

extension Reference {
  /// One way to read the id: the name to look for, and what was dropped before it.
  struct Candidate: Sendable, Equatable {
    let name: String
    let prefix: String

    static func == (left: Candidate, right: Candidate) -> Bool {
      left.name.hasSameBytes(as: right.name) && left.prefix.hasSameBytes(as: right.prefix)
    }
  }

  /// The names to look for, in this order: the whole id, then with one leading component dropped at a time.
  ///
  /// They are made when asked for, because together they can be a hundred times as long as the id.
  var candidates: [Candidate] {
    var candidates = [Candidate(name: id, prefix: "")]
    var rest = id.utf8[...]
    while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
      rest = rest[rest.index(after: dot)...]
      candidates.append(Candidate(name: String(Substring(rest)), prefix: String(id[..<dot])))
    }
    return candidates
  }

  /// The parts of the id between the dots.
  public var components: [String] {
    id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }

  /// The last component, which is the action's name if nobody answers it.
  public var name: String {
    guard let dot = id.utf8.lastIndex(of: UInt8(ascii: ".")) else { return id }
    return String(id[id.utf8.index(after: dot)...])
  }

  /// All components but the last, joined by dots.
  public var prefix: String {
    guard let dot = id.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(id[..<dot])
  }
}
