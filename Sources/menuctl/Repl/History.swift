import Glibc
import LiveHost
import ScriptHost

/// The *history* of the REPL's entries: a file in the user's state folder with a line for each entry.
struct History {
  static let most = 2000
  /// The most bytes of the file; a longer file is ignored.
  private static let longest = 64 << 20

  /// Nil if the user has no state folder.
  private let path: String?
  /// Oldest first.
  private(set) var entries: [String] = []

  /// Reads `$XDG_STATE_HOME/menuctl/history`, else `~/.local/state/menuctl/history`.
  init() {
    path = StateFolder.path.map { "\($0)/history" }
    entries = read()
  }

  /// Adds an entry, unless it repeats the last. Reads the file first, to keep the entries of other sessions.
  mutating func add(_ entry: String) {
    guard let path, !entry.allSatisfy(\.isWhitespace) else { return }
    entries = read()
    if entries.last == entry { return }
    entries.append(entry)
    entries.removeFirst(max(0, entries.count - Self.most))
    if let folder = StateFolder.path { AtomicFile.makeFolder(folder) }
    let text = entries.map { Self.escaped($0) + "\n" }.joined()
    // The REPL works without a history, so a failure is ignored.
    try? AtomicFile.write(text.utf8, to: path, permissions: 0o600)
  }

  private func read() -> [String] {
    guard let path, let bytes = try? Source(file: path, most: Self.longest).bytes else { return [] }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).suffix(Self.most)
    return lines.map { Self.unescaped(String(decoding: $0, as: UTF8.self)) }
  }

  // MARK: Multi-line entries

  static func escaped(_ entry: String) -> String {
    entry.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  static func unescaped(_ line: String) -> String {
    var text = ""
    var isEscape = false
    for scalar in line.unicodeScalars {
      if isEscape {
        text.unicodeScalars.append(scalar == "n" ? "\n" : scalar)
        isEscape = false
      } else if scalar == "\\" {
        isEscape = true
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

// A7: no secret is written to the history.

extension Session {
  /// Returns an entry for the history, with the secrets in its references masked; nil if it may contain another secret.
  func remembered(_ entry: String) -> String? {
    guard entry.utf8.contains(where: { "(={".utf8.contains($0) }) else { return entry }
    guard let names = secretNames() else { return nil }
    if names.isEmpty { return entry }
    let isCommand = entry.utf8.first == UInt8(ascii: ":")
    let (shown, rest) = isCommand ? CommandWords(entry).masking(names) : (entry, entry)
    return rest.givesAny(of: names) ? nil : shown
  }

  /// Returns the names of all secret arguments; nil if a live app doesn't send them.
  private func secretNames() -> Set<String>? {
    guard isLive else { return host.secretNames }
    guard let actions = try? subject.actions(nil, everywhere: false) else { return nil }
    return Set(actions.flatMap(\.takes).filter(\.isSecret).map(\.key))
  }
}

extension CommandWords {
  /// Returns the line with the secrets in its references masked, and the words without masked secrets.
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
  /// Returns the reference with its secrets masked; nil for a text without a reference or secrets.
  fileprivate func masking(_ names: Set<String>) -> String? {
    guard let reference = try? Reference.parse(self), let arguments = reference.arguments?.members,
      arguments.contains(where: { names.contains($0.key) })
    else { return nil }
    let shown = arguments.map { names.contains($0.key) ? LiteralObject.Member(key: $0.key, value: .secret) : $0 }
    return Reference(id: reference.id, arguments: LiteralObject(shown)).format()
  }

  /// Returns true if `:` or `=` follows one of the names, as after the name of an argument.
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
