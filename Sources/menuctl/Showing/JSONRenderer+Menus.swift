import ScriptHost

extension JSONRenderer {
  /// An element as the contract has it: what doesn't apply to its kind is left out.
  static func json(_ element: MenuElement) -> JSON {
    var members: [(String, JSON)] = [("kind", .text(element.kind.rawValue))]
    if element.kind == .separator { return .object(members) }
    if element.kind == .label { return .object(members + [("title", .text(element.title))]) }
    members += [("id", .text(element.id)), ("title", .text(element.title))]
    if element.kind == .item {
      if let subtitle = element.subtitle { members.append(("subtitle", .text(subtitle))) }
      members += [("action", .text(element.action)), ("args", json(element.arguments))]
      if let key = element.key { members.append(("key", .text(key))) }
    }
    members += [("enabled", .bool(element.isEnabled)), ("hidden", .bool(element.isHidden))]
    if element.kind == .item { members.append(("state", .text(element.state.rawValue))) }
    if let reason = element.reason { members.append(("reason", .text(reason))) }
    guard element.kind == .item else { return .object(members + [("children", .list(element.children.map(json)))]) }
    if let by = element.by { members.append(("by", .text(by))) }
    if let icon = element.icon { members.append(("icon", .text(icon))) }
    if element.isDestructive { members.append(("destructive", .bool(true))) }
    if element.keepsOpen { members.append(("keeps_open", .bool(true))) }
    if let confirm = element.confirm { members.append(("confirm", .text(confirm))) }
    if !element.alternates.isEmpty { members.append(("alternates", .list(element.alternates.map(json)))) }
    return .object(members)
  }

  private static func json(_ alternate: MenuElement.Alternate) -> JSON {
    .object([("modifiers", .list(alternate.modifiers.map(JSON.text))), ("element", json(alternate.element))])
  }

  static func json(_ change: MenuChange) -> JSON {
    switch change {
    case .insert(let element, let parent, let after):
      .object(place("insert", element.id, parent, after) + [("element", json(element))])
    case .move(let id, let parent, let after): .object(place("move", id, parent, after))
    case .remove(let id): .object([("change", .text("remove")), ("id", .text(id))])
    case .update(let element):
      .object([("change", .text("update")), ("id", .text(element.id)), ("element", json(element))])
    }
  }

  private static func place(_ change: String, _ id: String, _ parent: String, _ after: String?) -> [(String, JSON)] {
    [("change", .text(change)), ("id", .text(id)), ("parent", .text(parent))]
      + (after.map { [("after", .text($0))] } ?? [])
  }

  private static func json(_ object: LiteralObject) -> JSON {
    .object(object.members.map { ($0.key, json($0.value)) })
  }

  private static func json(_ literal: Literal) -> JSON {
    switch literal {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .text(let value): .text(value)
    case .list(let values): .list(values.map(json))
    case .object(let object): json(object)
    }
  }
}

extension JSONRenderer {
  static func json(_ key: KeyEntry) -> JSON {
    .object(
      [("key", .text(key.keys)), ("ref", .text(key.reference)), ("owner", .text(key.by))]
        + (key.conflict.map { [("conflict", .text($0))] } ?? []))
  }
}
