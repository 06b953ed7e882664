extension MenuElement {
  /// The fields of an element that is read from JSON, filled in one by one, because a client reads thousands and shouldn't look up names.
  package struct Told {
    package var kind: Kind
    package var id: String?
    package var title = ""
    package var subtitle: String?
    package var action = ""
    package var arguments: LiteralObject?
    package var key: String?
    package var isEnabled: Bool?
    package var isHidden = false
    package var state = Look.State.off
    package var reason: String?
    package var by: String?
    package var elsewhere: String?
    package var isBlocked = false
    package var icon: String?
    package var confirm: String?
    package var mark: Mark?
    package var mnemonic: String?
    package var asks = false
    package var isDestructive = false
    package var keepsOpen = false
    package var children: [MenuElement] = []
    package var alternates: [Alternate] = []

    package init(_ kind: Kind) { self.kind = kind }
  }

  /// - Parameter place: its position in the JSON, which serves as its id if the JSON has none.
  package init(_ told: Told, at place: @autoclosure () -> String) {
    let arguments = told.arguments.flatMap { $0.members.isEmpty ? nil : $0 }
    let details = Facts.Details(
      subtitle: told.subtitle, icon: told.icon, confirm: told.confirm, arguments: arguments, mnemonic: told.mnemonic)
    facts = Facts(
      told.kind, title: told.title, action: told.action, key: told.key, destructive: told.isDestructive,
      keepsOpen: told.keepsOpen, details: details.isEmpty ? nil : details)
    id = told.id ?? place()
    isEnabled = told.isEnabled ?? (told.kind != .separator && told.kind != .label)
    isHidden = told.isHidden
    state = told.state
    reason = told.reason ?? (told.kind == .label ? Self.reasonOfLabels : nil)
    by = told.by
    elsewhere = told.elsewhere
    isBlocked = told.isBlocked
    mark = told.mark
    asks = told.asks
    children = told.children
    if !told.alternates.isEmpty { extras = Extras(look: Look(), alternates: told.alternates) }
  }
}

extension MenuElement.Alternate {
  package init(told modifiers: [String], _ element: MenuElement) {
    self.modifiers = modifiers
    self.element = element
  }
}
