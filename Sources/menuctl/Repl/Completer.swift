import Glibc
import ScriptHost

/// Finds what may stand at a place of a line, from the app as it is now.
struct Completer {
  let host: ScriptHost
  /// The names of the commands that begin with ':', with what they take.
  let commands: [ReplCommand]

  /// - Parameter cursor: the place, counted in bytes.
  func completions(of line: String, at cursor: Int) -> Completions {
    let before = String(decoding: line.utf8.prefix(cursor), as: UTF8.self)
    switch before.utf8.first {
    case UInt8(ascii: ":"): return completions(ofCommand: before)
    case UInt8(ascii: "?"): return Completions(ReplHelp.words.map { "?\($0)" }, begun: before)
    default: return completions(ofLua: before)
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
    case .lua: return completions(ofLua: words.text(behind: first))
    case .words: return Completions(command.takes.choices, begun: last?.text ?? "") { _ in " " }
    case .file: return files(last?.text ?? "")
    // Ids and references may have blanks in them: all that stands behind the command is one.
    case .names:
      let rest = words.text(behind: first)
      let begun = isNew && !rest.isEmpty ? rest + " " : rest
      return Completions(command.takes.kinds.flatMap { $0.names(in: host) }, begun: begun)
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

  // MARK: Lua

  private func completions(ofLua line: String) -> Completions {
    let place = LuaPlace(line)
    switch place {
    case .string(let begun, let quote):
      let names = [AppName.actions, .responders, .ids, .keys].flatMap { $0.names(in: host) }
      return Completions(begun.isEmpty ? names : names.filter { $0 != begun }, begun: begun) { _ in quote }
    case .name(let path, let responder, let begun):
      let words = path.isEmpty && responder == nil ? Self.words : []
      return Completions(host.names(behind: path, of: responder) + words, begun: begun)
    case .nothing: return Completions()
    }
  }

  /// The words of Lua that are worth a key.
  private static let words = ["function", "local", "return", "repeat", "while", "until", "false"]
}

extension MenuElement {
  /// The ids of the menus in it, its own first.
  var menuIDs: [String] { kind == .menu ? [id] + children.flatMap(\.menuIDs) : [] }
}
