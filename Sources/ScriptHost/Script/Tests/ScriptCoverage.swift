/// What tests saw of their subject's items, its handlers, and the reasons why its actions can't be done.
public struct ScriptCoverage: Sendable {
  /// An item that is declared in a menu.
  public struct Item: Sendable {
    /// Its id.
    public let id: String
    /// Where it is declared.
    public let place: Place?
    /// The reference that it performs; nil where there is none, so that it is never enabled.
    public let action: String?
    /// Whether a test saw it enabled.
    public var isSeenEnabled = false
    /// Whether a test saw it disabled.
    public var isSeenDisabled = false
    /// Whether it was picked, or its action performed as it is written.
    public var isPerformed = false
  }

  /// A function that does an action.
  public struct Handler: Sendable {
    /// The responder that has the handler.
    public let responder: String
    /// The action that it does; nil for a catch-all.
    public let action: String?
    /// Where it stands.
    public let place: Place?
    /// Whether it ran.
    public var hasRun = false
  }

  /// What keeps an action from being done: something that it needs, or what its `can` says.
  public struct Reason: Sendable {
    /// The responder whose action it is.
    public let responder: String
    /// The action that the reason keeps from being done.
    public let action: String
    /// The reason's text; nil for a `can`, which gives its own each time.
    public let text: String?
    /// Where the `can` stands.
    public let place: Place?
    /// Whether a test saw it.
    public var isShown = false
  }

  /// The name of the script that is tested.
  public let subject: String
  /// What is declared in its menus.
  public internal(set) var items: [Item] = []
  /// What its responders do.
  public internal(set) var handlers: [Handler] = []
  /// What keeps its actions from being done.
  public internal(set) var reasons: [Reason] = []

  init(of subject: String) { self.subject = subject }

  /// Adds what another test of the same subject saw.
  public mutating func merge(_ other: ScriptCoverage) {
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
  public var total: Int { items.reduce(0) { $0 + $1.seen.count } + handlers.count + reasons.count }

  /// How many of them were seen.
  public var seen: Int {
    items.reduce(0) { $0 + $1.seen.count { $0 } } + handlers.count(where: \.hasRun) + reasons.count(where: \.isShown)
  }

  /// The percentage of these that were seen; 100 if there are none.
  public var percent: Double { total == 0 ? 100 : Double(seen) * 100 / Double(total) }
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
