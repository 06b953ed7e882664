import ScriptHost

// Elements of menus write themselves (`MenuElement.write`), since there may be ten thousand; they are read here.

extension MenuElement {
  /// What each kind of element has, by the name of its definition. One for clients has an id too where no script can name it.
  static var shapes: [(name: String, shape: Shape)] {
    [("", "element"), ("whole-", "whole-element")].flatMap { before, element -> [(name: String, shape: Shape)] in
      let id = before.isEmpty ? "" : ", id: string"
      return [
        (element, Shape("@\(before)item|@\(before)menu-element|@\(before)separator|@\(before)label")),
        (
          "\(before)item",
          Shape(
            """
            {kind: item, id: string, title: string, subtitle?: string, action: string, args: {*: @value}, key?: string,
            enabled: boolean, hidden: boolean, state: on|off|mixed, reason?: string, by?: string, elsewhere?: string,
            blocked?: true, icon?: string, destructive?: true, keeps_open?: true, confirm?: string, mnemonic?: string,
            mark?: check|radio, asks?: true,
            alternates?: [{modifiers: [ctrl|alt|shift|super], element: @\(before)item}]}
            """)
        ),
        (
          "\(before)menu-element",
          Shape(
            """
            {kind: menu, id: string, title: string, enabled: boolean, hidden: boolean, reason?: string,
            children: [@\(element)]}
            """)
        ),
        ("\(before)separator", Shape("{kind: separator\(id)}")),
        ("\(before)label", Shape("{kind: label, title: string\(id)}")),
        (
          "\(before)change",
          Shape(
            """
            {change: insert, id: string, parent: string, after?: string, element: @\(element)}
            |{change: move, id: string, parent: string, after?: string}|{change: remove, id: string}
            |{change: update, id: string, element: @\(element)}
            """)
        ),
      ]
    }
  }
}

extension MenuElement {
  /// Reads a list of elements.
  static func list(_ json: JSON) throws -> [MenuElement] {
    try (json.list ?? []).enumerated().map { index, json in try element(json) { "\(index)" } }
  }

  /// Reads an element of a menu with its children.
  ///
  /// - Parameter place: the path of the element, from the outermost: its id if it has none.
  private static func element(_ json: JSON, at place: () -> String) throws -> MenuElement {
    // A face in the app's process is handed the element itself.
    if case .element(let element, _) = json { return element }
    guard let members = json.members, let kind = json["kind"]?.text.flatMap(MenuElement.Kind.init) else {
      throw Unreadable()
    }
    var told = MenuElement.Told(kind)
    for (name, value) in members { try read(name, value, into: &told, place) }
    return MenuElement(told, at: place())
  }

  private static func read(
    _ name: String, _ value: JSON, into told: inout MenuElement.Told, _ place: () -> String
  ) throws {
    switch name {
    case "id": told.id = value.text
    case "title": told.title = value.text ?? ""
    case "subtitle": told.subtitle = value.text
    case "action": told.action = value.text ?? ""
    case "args": told.arguments = Literal(value).asObject
    case "key": told.key = value.text
    case "enabled": told.isEnabled = value.bool
    case "hidden": told.isHidden = value.bool ?? false
    case "state": told.state = value.text.flatMap(Look.State.init) ?? .off
    case "reason": told.reason = value.text
    case "by": told.by = value.text
    case "elsewhere": told.elsewhere = value.text
    case "blocked": told.isBlocked = value.bool ?? false
    case "icon": told.icon = value.text
    case "confirm": told.confirm = value.text
    case "mark": told.mark = value.text.flatMap(MenuElement.Mark.init)
    case "mnemonic": told.mnemonic = value.text
    case "asks": told.asks = value.bool ?? false
    case "destructive": told.isDestructive = value.bool ?? false
    case "keeps_open": told.keepsOpen = value.bool ?? false
    case "children":
      told.children = try (value.list ?? []).enumerated().map { index, child in
        try element(child) { "\(place()).children.\(index)" }
      }
    case "alternates":
      told.alternates = try (value.list ?? []).enumerated().map { index, alternate in
        MenuElement.Alternate(
          told: (alternate["modifiers"]?.list ?? []).compactMap(\.text),
          try element(alternate["element"] ?? .null) { "\(place()).alternates.\(index).element" })
      }
    default: break
    }
  }
}

extension [MenuChange] {
  init(coded json: JSON?) throws {
    if case .changes(let changes, _)? = json {
      self = changes
    } else {
      self = try (json?.list ?? []).map { try $0.decoded() }
    }
  }
}

extension Literal {
  /// Reads a value; the cases that are no plain JSON become null.
  fileprivate init(_ json: JSON) {
    switch json {
    case .null, .element, .changes, .written: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let text): self = .text(text)
    case .list(let values): self = .list(values.map { Literal($0) })
    case .object(let members):
      // Sorted by key, as a decoded object is, because changes and snapshots are compared.
      let sorted = members.count < 2 ? members : members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      self = LiteralObject(sorted.map { .init(key: $0.0, value: Literal($0.1)) }).map { .object($0) } ?? .null
    }
  }

  fileprivate var asObject: LiteralObject? { if case .object(let object) = self { object } else { nil } }
}
