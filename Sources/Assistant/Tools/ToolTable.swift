import LiveHost
import ScriptHost

/// The *tool table* has the current tools of an app.
struct ToolTable {
  /// The tools of actions, by name.
  private(set) var tools: [Tool] = []
  /// The names of the tools that the settings exclude.
  private(set) var excluded: Set<String> = []
  private let settings: AssistantSettings
  private let isOpen: Bool
  private var places: [String: Int] = [:]

  init(_ settings: AssistantSettings, isOpen: Bool) {
    self.settings = settings
    self.isOpen = isOpen
  }

  /// Updates the table from the app's actions and menus.
  mutating func take(_ entries: [ActionEntry], _ menus: [MenuElement]) {
    var items: [String: (path: [String], element: MenuElement)] = [:]
    for menu in menus { Self.collect(menu, [menu.title], into: &items) }
    let (known, settings) = (entries.filter { !$0.isInternal }, settings)
    excluded = Set(known.lazy.filter { !settings.allows($0.name) }.map { Tool.name(for: $0.name) })
    tools = known.filter { settings.allows($0.name) }.map { entry in
      Tool(entry, items: entry.items.compactMap { items[$0] })
    }
    tools.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    places = [:]
    for (place, tool) in tools.enumerated() { places[tool.name] = place }
  }

  /// Collects the items below an element by id. The path prefers ids, because titles change with the state.
  private static func collect(
    _ element: MenuElement, _ path: [String], into items: inout [String: (path: [String], element: MenuElement)]
  ) {
    if element.kind == .item { items[element.id] = (path, element) }
    for child in element.children {
      let begin = "\(element.id)/"
      let name = child.id.hasPrefix(begin) ? String(child.id.dropFirst(begin.count)) : child.title
      collect(child, child.kind == .section ? path : path + [name], into: &items)
    }
  }

  /// Returns the tool with a name.
  func tool(_ name: String) -> Tool? { places[name].map { tools[$0] } }

  /// Returns the tool of an action.
  func tool(ofAction action: String) -> Tool? { tool(Tool.name(for: action)) }

  /// Whether there are too many actions to list.
  var isLarge: Bool { tools.count > settings.mostTools }

  /// The current tools of the server itself.
  var own: [OwnTool] {
    OwnTool.allCases.filter { own in
      switch own {
      case .find, .perform: isLarge
      // Choosing a row performs its `current`, which can have any name.
      case .choose: !settings.isReadOnly && settings.only.isEmpty && settings.except.isEmpty
      case .undo: !settings.isReadOnly
      case .menus, .why: true
      }
    }
  }

  /// The list for a client, in the order of names.
  var list: [JSON] {
    let named =
      own.map { ($0.name, $0.json(isOpen: isOpen)) }
      + (isLarge ? [] : tools.map { ($0.name, $0.json(isOpen: isOpen)) })
    return named.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map(\.1)
  }

  /// The text that changes with the structure of the list, but not with titles, which follow the app's state.
  var structure: String {
    isLarge
      ? "large" : tools.map { "\($0.name) \(JSONText.text($0.schema)) \($0.isDestructive)" }.joined(separator: "\n")
  }

  /// The most results of a search.
  private static let mostFound = 20

  /// Returns the actions that contain all these words, from a number on.
  func found(_ words: String, from first: Int) -> JSON {
    let words = words.lowercased().split(whereSeparator: \.isWhitespace)
    let found = tools.filter { tool in
      let text = "\(tool.action) \(tool.title) \(tool.description)".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    return .object([
      (
        "actions",
        .list(
          found.dropFirst(max(1, first) - 1).prefix(Self.mostFound).map { tool in
            .object([
              ("action", .text(tool.action)), ("title", .text(tool.title)),
              ("description", .text(tool.description)), ("arguments", tool.schema),
              ("destructive", .bool(tool.isDestructive)),
            ])
          })
      ),
      ("found", .integer(found.count)),
    ])
  }
}

/// Writes menus as lines for an assistant: each item with its action, its key, and its reason if disabled.
enum MenuOutline {
  static func text(of menus: [MenuElement]) -> String {
    var lines: [String] = []
    for menu in menus { write(menu, 0, into: &lines) }
    return lines.isEmpty ? "the app has no menus" : lines.joined(separator: "\n")
  }

  private static func write(_ element: MenuElement, _ depth: Int, into lines: inout [String]) {
    if element.isHidden { return }
    let indent = String(repeating: "  ", count: depth)
    switch element.kind {
    case .separator: return
    case .item:
      var line = "\(indent)\(element.title) → \(element.action)"
      if element.state == .on { line += ", on" }
      if let key = element.key { line += ", key \(key)" }
      if !element.isEnabled { line += ", disabled: \(element.reason ?? "it doesn't say why")" }
      lines.append(line)
    case .section:
      for child in element.children { write(child, depth, into: &lines) }
      return
    default: lines.append("\(indent)\(element.title)")
    }
    for child in element.children { write(child, depth + 1, into: &lines) }
  }
}

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
