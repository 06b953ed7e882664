/// An element is coded as the tool prints it. What JSON leaves out, the ids of separators and labels, is made up when it is read.
extension MenuElement: Codable {
  private enum Key: String, CodingKey {
    case kind, id, title, subtitle, action, args, key, enabled, hidden, state, reason, by, icon, destructive
    case children, alternates, confirm, asks, mark, mnemonic, elsewhere, blocked
    case keepsOpen = "keeps_open"
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    guard kind != .separator else { return }
    guard kind != .label else { return try container.encode(title, forKey: .title) }
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encode(isEnabled, forKey: .enabled)
    try container.encode(isHidden, forKey: .hidden)
    try container.encodeIfPresent(reason, forKey: .reason)
    if kind != .item { return try container.encode(children, forKey: .children) }
    try container.encodeIfPresent(subtitle, forKey: .subtitle)
    try container.encode(action, forKey: .action)
    try container.encode(arguments, forKey: .args)
    try container.encodeIfPresent(key, forKey: .key)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(by, forKey: .by)
    try container.encodeIfPresent(elsewhere, forKey: .elsewhere)
    if isBlocked { try container.encode(true, forKey: .blocked) }
    try container.encodeIfPresent(icon, forKey: .icon)
    try container.encodeIfPresent(confirm, forKey: .confirm)
    try container.encodeIfPresent(mark, forKey: .mark)
    try container.encodeIfPresent(mnemonic, forKey: .mnemonic)
    if asks { try container.encode(true, forKey: .asks) }
    if isDestructive { try container.encode(true, forKey: .destructive) }
    if keepsOpen { try container.encode(true, forKey: .keepsOpen) }
    if !alternates.isEmpty { try container.encode(alternates, forKey: .alternates) }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let kind = try container.decode(Kind.self, forKey: .kind)
    func text(_ key: Key) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }
    let details = Facts.Details(
      subtitle: try text(.subtitle), icon: try text(.icon), confirm: try text(.confirm),
      arguments: try container.decodeIfPresent(LiteralObject.self, forKey: .args).flatMap {
        $0.members.isEmpty ? nil : $0
      }, mnemonic: try text(.mnemonic))
    let isDestructive = try container.decodeIfPresent(Bool.self, forKey: .destructive) ?? false
    facts = Facts(
      kind, title: try text(.title) ?? "", action: try text(.action) ?? "", key: try text(.key),
      destructive: isDestructive, keepsOpen: try container.decodeIfPresent(Bool.self, forKey: .keepsOpen) ?? false,
      details: details == Facts.Details() ? nil : details)
    id =
      try text(.id) ?? decoder.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    isEnabled = try container.decodeIfPresent(Bool.self, forKey: .enabled) ?? (kind != .separator && kind != .label)
    isHidden = try container.decodeIfPresent(Bool.self, forKey: .hidden) ?? false
    state = try container.decodeIfPresent(Look.State.self, forKey: .state) ?? .off
    reason = try text(.reason) ?? (kind == .label ? Self.reasonOfLabels : nil)
    by = try text(.by)
    elsewhere = try text(.elsewhere)
    isBlocked = try container.decodeIfPresent(Bool.self, forKey: .blocked) ?? false
    mark = try container.decodeIfPresent(Mark.self, forKey: .mark)
    asks = try container.decodeIfPresent(Bool.self, forKey: .asks) ?? false
    children = try container.decodeIfPresent([MenuElement].self, forKey: .children) ?? []
    let alternates = try container.decodeIfPresent([Alternate].self, forKey: .alternates) ?? []
    if !alternates.isEmpty { extras = Extras(look: Look(), alternates: alternates) }
  }
}

extension Look.State: Codable {}
