/// The permissions of an assistant, from the command line.
package struct AssistantSettings: Sendable {
  /// The patterns of the actions that become tools; all actions if empty.
  package var only: [String] = []
  /// The patterns of the actions that don't become tools.
  package var except: [String] = []
  /// Whether the assistant may only read.
  package var isReadOnly = false
  /// The most actions that are listed as tools. If there are more, the assistant uses `menuctl.find`.
  package var mostTools = 100
  /// The version of the server.
  package var version = ""

  package init() {}

  /// Returns true if an action becomes a tool. Undo is `menuctl.undo`, which takes back only the assistant's deeds.
  func allows(_ action: String) -> Bool {
    if isReadOnly || action == "undo" || action == "redo" { return false }
    // A reference of an item may fall back to its last components, and none of these may be refused.
    var names = [action[...]]
    while let rest = names.last, let dot = rest.firstIndex(of: ".") { names.append(rest[rest.index(after: dot)...]) }
    return (only.isEmpty || only.contains { Self.fits(action, $0) })
      && !except.contains { pattern in names.contains { Self.fits(String($0), pattern) } }
  }

  /// Returns true if a name fits a pattern, in which `*` matches any characters.
  static func fits(_ name: String, _ pattern: String) -> Bool {
    let (name, pattern) = (Array(name.utf8), Array(pattern.utf8))
    var (at, place) = (0, 0)
    var star: (place: Int, at: Int)?
    while at < name.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, at)
        place += 1
      } else if place < pattern.count, pattern[place] == name[at] {
        (at, place) = (at + 1, place + 1)
      } else if let last = star {
        (at, place) = (last.at + 1, last.place + 1)
        star = (last.place, last.at + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
