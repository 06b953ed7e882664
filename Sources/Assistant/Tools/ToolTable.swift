import LiveHost
import ScriptHost

/// The *tool table* has the current tools of an app.
struct ToolTable {
  /// The tools of actions, by name.
  private(set) var tools: [Tool] = []
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
    tools = entries.filter { settings.allows($0.name) }.map { entry in
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

  /// Returns the actions that contain all these words.
  func found(_ words: String) -> JSON {
    let words = words.lowercased().split(whereSeparator: \.isWhitespace)
    let found = tools.filter { tool in
      let text = "\(tool.action) \(tool.title) \(tool.description)".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    return .object([
      (
        "actions",
        .list(
          found.prefix(Self.mostFound).map { tool in
            .object([
              ("action", .text(tool.action)), ("title", .text(tool.title)),
              ("description", .text(tool.description)), ("arguments", tool.schema),
            ])
          })
      ),
      ("found", .integer(found.count)),
    ])
  }
}
