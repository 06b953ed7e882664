import Glibc
import LiveHost

/// Finds the completions at a place of a REPL's line, from the app's current state.
struct Completer {
  let subject: any Subject
  /// The commands that begin with ':'.
  let commands: [ReplCommand]

  /// - Parameter cursor: the place, in bytes.
  func completions(of line: String, at cursor: Int) -> Completions {
    let before = String(decoding: line.utf8.prefix(cursor), as: UTF8.self)
    switch before.utf8.first {
    case UInt8(ascii: ":"): return completions(ofCommand: before)
    case UInt8(ascii: "?"): return Completions(ReplHelp.words.map { "?\($0)" }, begun: before)
    default: return (try? subject.completions(ofLua: before)) ?? Completions()
    }
  }

  // MARK: Commands

  private func completions(ofCommand line: String) -> Completions {
    let words = CommandWords(line)
    let isNew = line.utf8.last.map { $0 == 0x20 || $0 == 0x09 } ?? false
    guard let first = words.words.first, words.words.count > 1 || isNew && words.open == nil else {
      return Completions(commands.map { ":\($0.name)" }, begun: line) { _ in " " }
    }
    guard let command = commands.first(where: { ":\($0.name)" == first.text }) else {
      return Completions()
    }
    let last = isNew && words.open == nil ? nil : words.words.last
    if let last, last.text.utf8.first == UInt8(ascii: "-"), !last.isQuoted {
      return Completions(command.options.map(\.name), begun: last.text) { _ in " " }
    }
    switch command.takes.form {
    case .nothing: return Completions()
    case .lua: return (try? subject.completions(ofLua: words.text(behind: first))) ?? Completions()
    case .words: return Completions(command.takes.choices, begun: last?.text ?? "") { _ in " " }
    case .file: return files(last?.text ?? "")
    // Ids and references may contain blanks, so the rest of the line is one operand.
    case .names:
      let rest = words.text(behind: first)
      let begun = isNew && !rest.isEmpty ? rest + " " : rest
      return (try? subject.completions(of: command.takes.kinds, begun: begun)) ?? Completions()
    }
  }

  private func files(_ begun: String) -> Completions {
    let parts = begun.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().map { $0 + "/" }.joined()
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return Completions() }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < 10_000, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix("."), parts.last?.hasPrefix(".") != true { continue }
      if name == "." || name == ".." { continue }
      let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
      names.append(folder + name + (isFolder ? "/" : ""))
    }
    return Completions(names, begun: begun)
  }
}

extension Completions {
  /// Returns the candidates in columns, at most a screen of them.
  func listing(columns: Int) -> String {
    let shown = candidates.prefix(200).map(\.visible)
    let width = (shown.map(\.width).max() ?? 0) + 2
    let perRow = max(1, (min(columns, 200) - 1) / width)
    let rows = (shown.count + perRow - 1) / perRow
    var lines = (0..<rows).map { row in
      stride(from: row, to: shown.count, by: rows).map { shown[$0].padded(to: width) }.joined().withoutTrailingBlanks
    }
    if candidates.count > shown.count { lines.append("… \(candidates.count - shown.count) more") }
    return lines.joined(separator: "\n")
  }
}
