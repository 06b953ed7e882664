import ScriptHost

// A7: what is secret is told to nobody and stands in no recording, whoever gave it, nor does anything that came of it.

/// The *secrets* are the texts that were given for arguments that are secret: who tells or writes down what happens leaves them out.
package struct Secrets {
  package private(set) var texts: Set<String> = []
  private static let most = 10_000

  package init() {}

  package mutating func keep(_ value: Value) {
    if texts.count == Self.most { return }
    switch value {
    case .text(let text) where !text.isEmpty: texts.insert(text)
    case .integer(let number): texts.insert("\(number)")
    case .list(let values): for value in values { keep(value) }
    default: break
    }
  }
}

extension JSON {
  /// What stands in the place of what is secret.
  package static let unsaid = JSON.object([("$", .text("secret"))])

  /// The same without what has something secret in it.
  package func without(_ secrets: Set<String>) -> JSON { without(secrets, keeping: Self.words, inWords: false) }

  /// The same as it is told to clients: what they go by stays as it is.
  ///
  /// - Parameter inWords: whether a text keeps what is not secret of it, and so is one to whoever reads it.
  package func told(without secrets: Set<String>, inWords: Bool) -> JSON {
    without(secrets, keeping: Self.words.union(Self.wordsOfProtocol), inWords: inWords)
  }

  private func without(_ secrets: Set<String>, keeping kept: Set<String>, inWords: Bool) -> JSON {
    // What says that there was a secret is none, be the secret the very word.
    if secrets.isEmpty || self == .unsaid { return self }
    switch self {
    case .text(let text) where inWords: return .text(text.without(all: secrets))
    case .text(let text): return secrets.contains { text.contains($0) } ? .unsaid : self
    case .integer(let number): return secrets.contains("\(number)") ? .unsaid : self
    case .list(let values): return .list(values.map { $0.without(secrets, keeping: kept, inWords: inWords) })
    case .object(let members):
      return .object(
        members.map { key, value in
          // The host's own words say nothing. Of a line of Lua the rest is to be seen.
          if kept.contains(key) { return (key, value) }
          return (key, value.without(secrets, keeping: kept, inWords: inWords || key == "eval"))
        })
    default: return self
    }
  }

  private static let words: Set<String> = ["status", "via", "kind", "change", "state", "mark", "code", "limit", "type"]
  private static let wordsOfProtocol: Set<String> = [
    "job", "action", "by", "owner", "file", "line", "column", "argument", "fraction", "id", "level",
  ]

  /// Whether something in it was secret.
  package var isUnsaid: Bool {
    switch self {
    case .list(let values): values.contains(where: \.isUnsaid)
    case .object(let members): self == .unsaid || members.contains { $0.1.isUnsaid }
    default: false
    }
  }
}

extension String {
  /// Without any of several secrets.
  package func without(all secrets: Set<String>) -> String {
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
