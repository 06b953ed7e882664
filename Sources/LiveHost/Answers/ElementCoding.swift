import ScriptHost

// Elements of menus write and read themselves, since a program that embeds the library codes them too.

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
  /// Reads a list of elements. A face in the app's process is handed the elements themselves.
  static func list(_ json: JSON) throws -> [MenuElement] {
    try (json.list ?? []).enumerated().map { index, json in
      if case .element(let element, _) = json { return element }
      return try MenuElement(read: Literal(json), at: "\(index)")
    }
  }
}

extension [MenuChange] {
  init(coded json: JSON?) throws {
    if case .changes(let changes, _)? = json {
      self = changes
      return
    }
    self = try (json?.list ?? []).map { json in
      func text(_ name: String) throws -> String {
        guard let text = json[name]?.text else { throw Unreadable() }
        return text
      }
      func element() throws -> MenuElement {
        try MenuElement(read: Literal(json["element"] ?? .null), at: try text("id"))
      }
      switch try text("change") {
      case "insert": return .insert(try element(), parent: try text("parent"), after: json["after"]?.text)
      case "move": return .move(id: try text("id"), parent: try text("parent"), after: json["after"]?.text)
      case "remove": return .remove(id: try text("id"))
      case "update": return .update(try element())
      default: throw Unreadable()
      }
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

}
