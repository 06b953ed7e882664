/// Records what a test sees of its subject: shown items, performed actions, and reasons for refusals.
final class CoverageRecorder {
  private var seen: ScriptCoverage
  private var items: [ByteText: Int] = [:]
  /// The functions of each handler: more than one if a derived class or a later layer overrides it.
  private var functions: [[Handler]] = []

  /// Begins with all declarations of a newly loaded subject, except those of the test file.
  init(of subject: String, host: ScriptHost, without file: String) {
    seen = ScriptCoverage(of: subject)
    addItems(host.menuTrees, without: file)
    for responder in host.chain.responders.values.sorted(by: { $0.number < $1.number }) {
      add(responder, host.names, without: file)
    }
  }

  /// The coverage so far.
  var coverage: ScriptCoverage {
    var coverage = seen
    for (place, functions) in functions.enumerated() where functions.contains(where: \.hasRun) {
      coverage.handlers[place].hasRun = true
    }
    return coverage
  }

  /// Records all later actions in a host.
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
    // Only declared elements are in this tree: it calls no section and no builder.
    let panels = trees.declarations.filter(\.isPanel).flatMap(\.elements)
    let tree = MenuTree(trees.declarations.filter { !$0.isPanel }.flatMap(\.elements), panel: panels)
    guard (try? tree.register(tree.roots.flatMap(\.children))) != nil else { return }
    tree.forEach { node in
      guard node.element.kind == .item, node.element.place?.file != file else { return }
      items[ByteText(node.id)] = seen.items.count
      seen.items.append(
        ScriptCoverage.Item(
          id: node.id, place: node.element.place,
          action: node.element.action.map { trees.dispatcher.masked($0.raw, $0.reference) }))
    }
  }

  private func add(_ responder: Responder, _ names: NameTable, without file: String) {
    for behaviour in responder.stack {
      for (action, entry) in Self.named(behaviour.on, names) where entry.content.place?.file != file {
        addHandler(responder.name, action, entry.content)
      }
      if let unknown = behaviour.unknown, unknown.place?.file != file {
        addHandler(responder.name, nil, unknown)
      }
      for (action, entry) in Self.named(behaviour.needs, names) {
        for need in entry.content { addReason(responder.name, action, need.reasonOrDerived, nil) }
      }
      for (action, entry) in Self.named(behaviour.can, names) where entry.content.place?.file != file {
        addReason(responder.name, action, nil, entry.content.place)
      }
    }
  }

  /// Returns the entries of a table with the names of their actions, sorted by name.
  private static func named<Registered>(
    _ table: [Name: Registered], _ names: NameTable
  ) -> [(action: String, entry: Registered)] {
    table.map { (names.text(of: $0.key), $0.value) }.sorted { $0.0.precedesByBytes($1.0) }
  }

  /// Adds a handler, once even if a derived class or a later layer overrides it.
  private func addHandler(_ responder: String, _ action: String?, _ handler: Handler) {
    if let place = seen.handlers.firstIndex(where: { $0.responder == responder && $0.action == action }) {
      return functions[place].append(handler)
    }
    seen.handlers.append(ScriptCoverage.Handler(responder: responder, action: action, place: handler.place))
    functions.append([handler])
  }

  private func addReason(_ responder: String, _ action: String, _ text: String?, _ place: Place?) {
    if seen.reasons.contains(where: { $0.responder == responder && $0.action == action && $0.text == text }) {
      return
    }
    seen.reasons.append(
      ScriptCoverage.Reason(responder: responder, action: action, text: text, place: place))
  }

  // MARK: What is seen

  /// Records an element that a test gets, with everything in it.
  func saw(_ element: MenuElement) {
    if let index = items[ByteText(element.id)], element.kind == .item {
      if element.isEnabled {
        seen.items[index].isSeenEnabled = true
      } else {
        seen.items[index].isSeenDisabled = true
      }
      if !element.isEnabled { saw(element.reason, by: element.by, of: element.action) }
    }
    for alternate in element.alternates { saw(alternate.element) }
    for child in element.children { saw(child) }
  }

  /// Records the reason why an action can't be done, and the responder with this reason.
  func saw(_ reason: String?, by responder: String?, of reference: String) {
    guard let reason, let responder, let parsed = try? Reference.parse(reference) else { return }
    let own = seen.reasons.indices.filter {
      let known = seen.reasons[$0]
      return known.responder.hasSameBytes(as: responder)
        && parsed.candidates.contains { $0.name.hasSameBytes(as: known.action) }
    }
    let worded = own.first { seen.reasons[$0].text?.hasSameBytes(as: reason) ?? false }
    if let index = worded ?? own.first(where: { seen.reasons[$0].text == nil }) {
      seen.reasons[index].isShown = true
    }
  }

  private func did(_ event: ActionEvent) {
    if event.outcome?.status == .disabled { saw(event.outcome?.reason, by: event.by, of: event.raw) }
    guard event.outcome?.status == .handled else { return }
    for index in seen.items.indices where seen.items[index].action?.hasSameBytes(as: event.raw) ?? false {
      seen.items[index].isPerformed = true
    }
  }
}

/// The parts of a subject that tests saw: its items, its handlers, and the reasons for refusals.
package struct ScriptCoverage: Sendable {
  /// An item that is declared in a menu.
  package struct Item: Sendable {
    /// The id of the item.
    package let id: String
    /// The line of its declaration.
    package let place: Place?
    /// The reference that it performs; nil if it has none and so is never enabled.
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
    /// The line of the function.
    package let place: Place?
    /// Whether it ran.
    package var hasRun = false
  }

  /// A reason for a refusal: a missing need, or the action's `can`.
  package struct Reason: Sendable {
    /// The responder of the action.
    package let responder: String
    /// The refused action.
    package let action: String
    /// The reason's text; nil for a `can`, whose text may differ each time.
    package let text: String?
    /// The line of the `can`.
    package let place: Place?
    /// Whether a test saw it.
    package var isShown = false
  }

  /// The name of the tested script.
  package let subject: String
  /// The items of its menus.
  package internal(set) var items: [Item] = []
  /// The handlers of its responders.
  package internal(set) var handlers: [Handler] = []
  /// The reasons that refuse its actions.
  package internal(set) var reasons: [Reason] = []

  init(of subject: String) { self.subject = subject }

  /// Adds the results of another test of the same subject.
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

  /// The number of things to see: three for an item with an action, one for anything else.
  package var total: Int { items.reduce(0) { $0 + $1.seen.count } + handlers.count + reasons.count }

  /// The number of seen things.
  package var seen: Int {
    items.reduce(0) { $0 + $1.seen.count { $0 } } + handlers.count(where: \.hasRun) + reasons.count(where: \.isShown)
  }

  /// The percentage of seen things; 100 if there are none.
  package var percent: Double { total == 0 ? 100 : Double(seen) * 100 / Double(total) }
}

extension ScriptCoverage.Item {
  fileprivate var seen: [Bool] {
    action == nil ? [isSeenDisabled] : [isSeenEnabled, isSeenDisabled, isPerformed]
  }
}

extension Array {
  /// Merges each element with the other list's element of the same name, and appends the rest.
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
