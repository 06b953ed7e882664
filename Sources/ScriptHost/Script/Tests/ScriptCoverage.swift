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
