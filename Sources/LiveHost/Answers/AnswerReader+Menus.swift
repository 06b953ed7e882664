import ScriptHost

// A face reads its whole menus before its first frame, so elements are read off the JSON itself, and not by what says how they are coded,
// which takes seven times as long.

extension AnswerReader {
  /// An element of a menu, and what is in it.
  ///
  /// - Parameter place: where it stands, outermost first: its id, where it has none.
  func element(_ json: JSON, at place: () -> String) throws -> MenuElement {
    // In the process of the app it is what the app has drawn.
    if case .element(let element, _) = json { return element }
    guard let members = json.members, let kind = json["kind"]?.text.flatMap(MenuElement.Kind.init) else {
      throw Unreadable()
    }
    var told = MenuElement.Told(kind)
    for (name, value) in members { try read(name, value, into: &told, place) }
    return MenuElement(told, at: place())
  }

  private func read(_ name: String, _ value: JSON, into told: inout MenuElement.Told, _ place: () -> String) throws {
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

extension Literal {
  /// Reads a value; what is none of JSON's own is nothing.
  fileprivate init(_ json: JSON) {
    switch json {
    case .null, .element, .changes, .written: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let text): self = .text(text)
    case .list(let values): self = .list(values.map { Literal($0) })
    case .object(let members):
      // In the order of the keys, as what is decoded: changes and snapshots are compared.
      let sorted = members.count < 2 ? members : members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      self = LiteralObject(sorted.map { .init(key: $0.0, value: Literal($0.1)) }).map { .object($0) } ?? .null
    }
  }

  fileprivate var asObject: LiteralObject? { if case .object(let object) = self { object } else { nil } }
}
