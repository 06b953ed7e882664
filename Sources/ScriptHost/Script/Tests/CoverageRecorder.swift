/// Records what a test sees: the items that it is shown, the actions that are done, and the reasons why some can't be.
final class CoverageRecorder {
  private(set) var coverage: ScriptCoverage
  private var items: [ByteText: Int] = [:]

  /// Begins with everything in a host whose subject was just loaded, except what a test file made itself.
  init(of subject: String, host: ScriptHost, without file: String) {
    coverage = ScriptCoverage(of: subject)
    addItems(host.menuTrees, without: file)
    for responder in host.chain.responders.values.sorted(by: { $0.number < $1.number }) {
      add(responder, host.names, without: file)
    }
  }

  /// Records what is done in a host from now on.
  func watch(_ host: ScriptHost) {
    host.onPicked = { [weak self] in self?.saw($0) }
    host.onPerformed = { [weak self] reference, outcome in
      if outcome.status == .disabled { self?.saw(outcome.reason, by: outcome.by, of: reference) }
    }
    _ = host.observe { [weak self] event in
      if event.stage != .will { self?.did(event) }
    }
  }

  // MARK: What there is

  private func addItems(_ trees: MenuTrees, without file: String) {
    // Only declared elements are in this tree: no section and no builder is asked.
    let panels = trees.declarations.filter(\.isPanel).flatMap(\.elements)
    let tree = MenuTree(trees.declarations.filter { !$0.isPanel }.flatMap(\.elements), panel: panels)
    guard (try? tree.register(tree.roots.flatMap(\.children))) != nil else { return }
    tree.forEach { node in
      guard node.element.kind == .item, node.element.place?.file != file else { return }
      items[ByteText(node.id)] = coverage.items.count
      coverage.items.append(
        ScriptCoverage.Item(
          id: node.id, place: node.element.place,
          action: node.element.action.map { trees.dispatcher.masked($0.raw, $0.reference) }))
    }
  }

  private func add(_ responder: Responder, _ names: NameTable, without file: String) {
    for behaviour in responder.stack {
      for (action, entry) in Self.named(behaviour.on, names) where entry.content.place?.file != file {
        addHandler(responder.name, action, entry.content.place)
      }
      if let unknown = behaviour.unknown, unknown.place?.file != file {
        addHandler(responder.name, nil, unknown.place)
      }
      for (action, entry) in Self.named(behaviour.needs, names) {
        for need in entry.content { addReason(responder.name, action, need.reasonOrDerived, nil) }
      }
      for (action, entry) in Self.named(behaviour.can, names) where entry.content.place?.file != file {
        addReason(responder.name, action, nil, entry.content.place)
      }
    }
  }

  /// The entries of a table with the names of their actions, sorted by name.
  private static func named<Registered>(
    _ table: [Name: Registered], _ names: NameTable
  ) -> [(action: String, entry: Registered)] {
    table.map { (names.text(of: $0.key), $0.value) }.sorted { $0.0.precedesByBytes($1.0) }
  }

  /// Adds a handler; one that a derived class or a later layer overrides is there once.
  private func addHandler(_ responder: String, _ action: String?, _ place: Place?) {
    if coverage.handlers.contains(where: { $0.responder == responder && $0.action == action }) { return }
    coverage.handlers.append(ScriptCoverage.Handler(responder: responder, action: action, place: place))
  }

  private func addReason(_ responder: String, _ action: String, _ text: String?, _ place: Place?) {
    if coverage.reasons.contains(where: { $0.responder == responder && $0.action == action && $0.text == text }) {
      return
    }
    coverage.reasons.append(
      ScriptCoverage.Reason(responder: responder, action: action, text: text, place: place))
  }

  // MARK: What is seen

  /// Records an element that a test is shown, with everything in it.
  func saw(_ element: MenuElement) {
    if let index = items[ByteText(element.id)], element.kind == .item {
      if element.isEnabled {
        coverage.items[index].isSeenEnabled = true
      } else {
        coverage.items[index].isSeenDisabled = true
      }
      if !element.isEnabled { saw(element.reason, by: element.by, of: element.action) }
    }
    for alternate in element.alternates { saw(alternate.element) }
    for child in element.children { saw(child) }
  }

  /// Records why an action can't be done, and which responder says so.
  func saw(_ reason: String?, by responder: String?, of reference: String) {
    guard let reason, let responder, let parsed = try? Reference.parse(reference) else { return }
    let own = coverage.reasons.indices.filter {
      let known = coverage.reasons[$0]
      return known.responder.hasSameBytes(as: responder)
        && parsed.candidates.contains { $0.name.hasSameBytes(as: known.action) }
    }
    let worded = own.first { coverage.reasons[$0].text?.hasSameBytes(as: reason) ?? false }
    if let index = worded ?? own.first(where: { coverage.reasons[$0].text == nil }) {
      coverage.reasons[index].isShown = true
    }
  }

  private func did(_ event: ActionEvent) {
    if let by = event.by, let via = event.outcome?.via {
      for index in coverage.handlers.indices where coverage.handlers[index].responder.hasSameBytes(as: by) {
        let action = coverage.handlers[index].action
        let isCatchAll = via == .unknown || via == .claims
        if isCatchAll ? action == nil : action?.hasSameBytes(as: event.action) ?? false {
          coverage.handlers[index].hasRun = true
        }
      }
    }
    if event.outcome?.status == .disabled { saw(event.outcome?.reason, by: event.by, of: event.raw) }
    guard event.outcome?.status == .handled else { return }
    for index in coverage.items.indices where coverage.items[index].action?.hasSameBytes(as: event.raw) ?? false {
      coverage.items[index].isPerformed = true
    }
  }
}

/// What tests saw of their subject's items, its handlers, and the reasons why its actions can't be done.
package struct ScriptCoverage: Sendable {
  /// An item that is declared in a menu.
  package struct Item: Sendable {
    /// Its id.
    package let id: String
    /// Where it is declared.
    package let place: Place?
    /// The reference that it performs; nil where there is none, so that it is never enabled.
    package let action: String?
    /// Whether a test saw it enabled.
    package var isSeenEnabled = false
    /// Whether a test saw it disabled.
    package var isSeenDisabled = false
    /// Whether it was picked, or its action performed as it is written.
    package var isPerformed = false
  }

  /// A function that does an action.
  package struct Handler: Sendable {
    /// The responder that has the handler.
    package let responder: String
    /// The action that it does; nil for a catch-all.
    package let action: String?
    /// Where it stands.
    package let place: Place?
    /// Whether it ran.
    package var hasRun = false
  }

  /// What keeps an action from being done: something that it needs, or what its `can` says.
  package struct Reason: Sendable {
    /// The responder whose action it is.
    package let responder: String
    /// The action that the reason keeps from being done.
    package let action: String
    /// The reason's text; nil for a `can`, which gives its own each time.
    package let text: String?
    /// Where the `can` stands.
    package let place: Place?
    /// Whether a test saw it.
    package var isShown = false
  }

  /// The name of the script that is tested.
  package let subject: String
  /// What is declared in its menus.
  package internal(set) var items: [Item] = []
  /// What its responders do.
  package internal(set) var handlers: [Handler] = []
  /// What keeps its actions from being done.
  package internal(set) var reasons: [Reason] = []

  init(of subject: String) { self.subject = subject }

  /// Adds what another test of the same subject saw.
  package mutating func merge(_ other: ScriptCoverage) {
    items.merge(other.items, by: { $0.id }) { mine, theirs in
      mine.isSeenEnabled = mine.isSeenEnabled || theirs.isSeenEnabled
      mine.isSeenDisabled = mine.isSeenDisabled || theirs.isSeenDisabled
      mine.isPerformed = mine.isPerformed || theirs.isPerformed
    }
    handlers.merge(other.handlers, by: { "\($0.responder)\n\($0.action ?? "")" }) { mine, theirs in
      mine.hasRun = mine.hasRun || theirs.hasRun
    }
    reasons.merge(other.reasons, by: { "\($0.responder)\n\($0.action)\n\($0.text ?? "")" }) { mine, theirs in
      mine.isShown = mine.isShown || theirs.isShown
    }
  }

  /// How many things there are to see: three for an item with an action, one for anything else.
  package var total: Int { items.reduce(0) { $0 + $1.seen.count } + handlers.count + reasons.count }

  /// How many of them were seen.
  package var seen: Int {
    items.reduce(0) { $0 + $1.seen.count { $0 } } + handlers.count(where: \.hasRun) + reasons.count(where: \.isShown)
  }

  /// The percentage of these that were seen; 100 if there are none.
  package var percent: Double { total == 0 ? 100 : Double(seen) * 100 / Double(total) }
}

extension ScriptCoverage.Item {
  fileprivate var seen: [Bool] {
    action == nil ? [isSeenDisabled] : [isSeenEnabled, isSeenDisabled, isPerformed]
  }
}

extension Array {
  /// Adds to each element what another that is called the same holds; those of other names come in at the end.
  fileprivate mutating func merge(
    _ others: [Element], by name: (Element) -> String, _ add: (inout Element, Element) -> Void
  ) {
    var places: [ByteText: Int] = [:]
    for (index, element) in enumerated() { places[ByteText(name(element))] = index }
    for other in others {
      if let index = places[ByteText(name(other))] { add(&self[index], other) } else { append(other) }
    }
  }
}
