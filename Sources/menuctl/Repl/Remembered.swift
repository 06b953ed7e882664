import LiveHost
import ScriptHost

// A7: no secret is written to the history.

extension Session {
  /// An entry for the history, with the secrets in its references masked; nil if it may contain a secret elsewhere, so that it isn't remembered.
  func remembered(_ entry: String) -> String? {
    guard entry.utf8.contains(where: { "(={".utf8.contains($0) }) else { return entry }
    guard let names = secretNames() else { return nil }
    if names.isEmpty { return entry }
    let isCommand = entry.utf8.first == UInt8(ascii: ":")
    let (shown, rest) = isCommand ? CommandWords(entry).masking(names) : (entry, entry)
    return rest.givesAny(of: names) ? nil : shown
  }

  /// The names of all secret arguments; nil if a live app doesn't tell them.
  private func secretNames() -> Set<String>? {
    guard isLive else { return host.secretNames }
    guard let actions = try? subject.actions(nil) else { return nil }
    return Set(actions.flatMap(\.takes).filter(\.isSecret).map(\.key))
  }
}

extension CommandWords {
  /// The line with the secrets in its references masked, and the words that are no such reference.
  fileprivate func masking(_ names: Set<String>) -> (shown: String, rest: String) {
    var (shown, rest): ([String], [String]) = ([], [])
    for word in words {
      let masked = word.text.masking(names)
      shown.append(masked ?? text(from: word, to: word))
      if masked == nil { rest.append(word.text) }
    }
    return (shown.joined(separator: " "), rest.joined(separator: " "))
  }
}

extension String {
  /// The reference with its secrets masked; nil for a text that is no reference or has no secrets.
  fileprivate func masking(_ names: Set<String>) -> String? {
    guard let reference = try? Reference.parse(self), let arguments = reference.arguments?.members,
      arguments.contains(where: { names.contains($0.key) })
    else { return nil }
    let shown = arguments.map { names.contains($0.key) ? LiteralObject.Member(key: $0.key, value: .secret) : $0 }
    return Reference(id: reference.id, arguments: LiteralObject(shown)).format()
  }

  /// Whether one of the names is followed by `:` or `=`, as the name of an argument is.
  fileprivate func givesAny(of names: Set<String>) -> Bool {
    let bytes = Array(utf8)
    return names.contains { name in
      let wanted = Array(name.utf8)
      guard !wanted.isEmpty, wanted.count < bytes.count else { return false }
      return (0...(bytes.count - wanted.count)).contains { start in
        guard bytes[start..<start + wanted.count].elementsEqual(wanted) else { return false }
        let behind = bytes[(start + wanted.count)...].first { !" \t\"'\\]".utf8.contains($0) }
        return behind == UInt8(ascii: ":") || behind == UInt8(ascii: "=")
      }
    }
  }
}
