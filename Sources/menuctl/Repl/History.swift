import Glibc

/// The *history* of the REPL's entries: a file in the user's state folder, an entry on each line.
struct History {
  static let most = 2000
  /// The most bytes that are read; a longer file is ignored.
  private static let longest = 64 << 20

  /// Nil if the user has no state folder.
  private let path: String?
  /// The oldest first.
  private(set) var entries: [String] = []

  /// Reads `$XDG_STATE_HOME/menuctl/history`, else that in `~/.local/state`.
  init() {
    path = StateFolder.path.map { "\($0)/history" }
    entries = read()
  }

  /// Adds an entry, unless it repeats the last one. The file is read again first, so that entries of other sessions are kept.
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

  // MARK: Entries of several lines

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
