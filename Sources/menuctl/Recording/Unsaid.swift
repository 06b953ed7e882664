import LiveHost
import ScriptHost

// A7: what is secret stands in no recording, whoever gave it, and in nothing that came of it.

extension JSON {
  /// What stands in the place of what is secret.
  static let unsaid = JSON.object([("$", .text("secret"))])

  /// The same without what has something secret in it.
  func without(_ secrets: Set<String>) -> JSON {
    // What says that there was a secret is none, be the secret the very word.
    if secrets.isEmpty || self == .unsaid { return self }
    switch self {
    case .text(let text): return secrets.contains { text.contains($0) } ? .unsaid : self
    case .integer(let number): return secrets.contains("\(number)") ? .unsaid : self
    case .list(let values): return .list(values.map { $0.without(secrets) })
    case .object(let members):
      // The host's own words say nothing.
      return .object(members.map { ($0, Self.words.contains($0) ? $1 : $1.without(secrets)) })
    default: return self
    }
  }

  private static let words: Set<String> = ["status", "via", "kind", "change", "state", "mark", "code", "limit", "type"]

  /// Whether something in it was secret.
  var isUnsaid: Bool {
    switch self {
    case .list(let values): values.contains(where: \.isUnsaid)
    case .object(let members): self == .unsaid || members.contains { $0.1.isUnsaid }
    default: false
    }
  }
}

extension Deed {
  /// A line of Lua without what is secret in it; other deeds have their arguments masked.
  func without(_ secrets: Set<String>) -> Deed {
    guard case .evaluate(let line, let name) = self else { return self }
    return .evaluate(line.without(all: secrets), name: name)
  }
}

extension String {
  /// Without any of several secrets.
  func without(all secrets: Set<String>) -> String {
    // The longest first: one may be a part of another.
    secrets.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }.reduce(self) { $0.without($1) }
  }

  /// Where a secret stood stands that it was one. A short one is a part of too many words, and is looked for as a whole one.
  fileprivate func without(_ secret: String) -> String {
    let (bytes, wanted) = (Array(utf8), Array(secret.utf8))
    guard !wanted.isEmpty else { return self }
    func isOfName(_ index: Int) -> Bool { bytes.indices.contains(index) && bytes[index].isOfName }
    var (kept, index): ([UInt8], Int) = ([], 0)
    while index < bytes.count {
      let end = index + wanted.count
      if end <= bytes.count, bytes[index..<end].elementsEqual(wanted),
        wanted.count > 3 || !isOfName(index - 1) && !isOfName(end)
      {
        kept += "secret".utf8
        index = end
      } else {
        kept.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

// MARK: In tests, which have something in its place

extension Deed {
  /// A test gives the word instead of what was secret.
  var givingWords: Deed {
    guard case .perform(let text, var performing) = self else { return self }
    performing.arguments = performing.arguments.givingWords
    guard let reference = try? Reference.parse(text), let arguments = reference.arguments?.members,
      arguments.contains(where: { Value($0.value).isSecret })
    else { return .perform(text, performing) }
    let given = arguments.map {
      Value($0.value).isSecret ? LiteralObject.Member(key: $0.key, value: .text("secret")) : $0
    }
    return .perform(Reference(id: reference.id, arguments: LiteralObject(given)).format(), performing)
  }
}

extension Arguments {
  /// With the word instead of what was secret.
  var givingWords: Arguments {
    Arguments(members.map { ($0.key, $0.value.isSecret ? .text("secret") : $0.value) })
  }
}
