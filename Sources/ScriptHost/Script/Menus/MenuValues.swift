// Snapshots and changes as the plain tables that scripts are given.

extension MenuElement {
  /// The element as a plain value, with the fields that its JSON has.
  var value: Value {
    var members: [(key: String, value: Value)] = [("kind", .text(kind.rawValue)), ("id", .text(id))]
    func add(_ key: String, _ text: String?) { if let text { members.append((key, .text(text))) } }
    func add(_ key: String, _ flag: Bool) { if flag { members.append((key, true)) } }
    if kind != .separator { add("title", title) }
    guard kind != .separator, kind != .label else { return .object(members) }
    members.append(("enabled", .bool(isEnabled)))
    members.append(("hidden", .bool(isHidden)))
    add("reason", reason)
    if kind != .item {
      members.append(("children", .list(children.map(\.value))))
      return .object(members)
    }
    add("subtitle", subtitle)
    add("action", action)
    members.append(("args", Value(Literal.object(arguments))))
    add("key", key)
    members.append(("state", .text(state.rawValue)))
    add("by", by)
    add("elsewhere", elsewhere)
    add("blocked", isBlocked)
    add("icon", icon)
    add("confirm", confirm)
    add("mark", mark?.rawValue)
    add("mnemonic", mnemonic)
    add("asks", asks)
    add("destructive", isDestructive)
    add("keeps_open", keepsOpen)
    if !alternates.isEmpty {
      members.append(
        ("alternates", .object(alternates.map { ($0.modifiers.joined(separator: "+"), $0.element.value) })))
    }
    return .object(members)
  }
}

extension MenuChange {
  /// The change as a plain value: `change`, `id`, and what belongs to it.
  var value: Value {
    var members: [(key: String, value: Value)] = [("change", .text(name)), ("id", .text(id))]
    switch self {
    case .insert(_, let parent, let after), .move(_, let parent, let after):
      members.append(("parent", .text(parent)))
      if let after { members.append(("after", .text(after))) }
    case .remove, .update: break
    }
    switch self {
    case .insert(let element, _, _), .update(let element): members.append(("element", element.value))
    case .remove, .move: break
    }
    return .object(members)
  }
}
