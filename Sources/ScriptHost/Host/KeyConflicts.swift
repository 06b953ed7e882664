// K3: finds keys that hide other keys, and reports them when a script with either is loaded.

extension ScriptHost {
  /// Returns the conflicts of keys that an owner bound.
  func keyConflicts(of owner: Owner) -> [Diagnostic] {
    var known = KnownKeys(Company(of: chain), responders)
    menuTrees.forEachDeclaredKeys { known.add($0, .item($1, $2)) }
    for responder in responders {
      for (keys, binding) in responder.bindings where binding.isCertain {
        known.add(keys, .responder(responder, binding))
      }
    }
    return known.conflicts(of: owner) + outbound { $0.owner === owner || $1.owner === owner }
  }

  /// Returns all key conflicts, with the present rows of menus, the edits of builders, and the keys of panes.
  func keyConflicts() -> [Diagnostic] {
    let owner = Owner(name: "")
    var known = KnownKeys(Company(of: chain), responders)
    for entry in menuTrees.keys.entries { known.add(entry.keys, .item(entry.node.element, owner)) }
    // A pane with a `look` may be hidden while another has the key.
    for pane in menuTrees.panes.all.map(\.element) where pane.menu?.look == nil {
      if let keys = pane.keys { known.add(keys, .pane(pane, owner)) }
    }
    for responder in responders {
      for (keys, binding) in responder.bindings where binding.isCertain {
        let told = KeyBinding(binding.all, wait: binding.wait, owner: owner, place: binding.place)
        known.add(keys, .responder(responder, told))
      }
    }
    return known.conflicts(of: owner) + outbound { _, _ in true }
  }

  /// K8: reports keys that an owner bound on a responder, and that a later owner bound there to another action.
  private func outbound(_ isTold: (KeyBinding, KeyBinding) -> Bool) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for responder in responders {
      for (keys, bindings) in responder.allBindings where bindings.count > 1 && found.count < KnownKeys.limit {
        let winner = bindings[0]
        // A removal, or a binding with a condition, is no mistake.
        guard winner.isCertain else { continue }
        for binding in bindings.dropFirst() where isTold(winner, binding) && !binding.isRemoval {
          found.append(
            Diagnostic(
              .warning, "key-conflict",
              "'\(keys.text)' of '\(responder.name)' doesn't do '\(binding.raw)': \(winner.described) bound it later",
              place: binding.place))
        }
      }
    }
    return found
  }
}

/// The *company* of a responder is every responder that all walks through it also visit, wherever the focus is.
private struct Company {
  private let app: Responder
  /// The responders that walks visit as a delegate. A walk follows the `next` of a delegate only from the focus on.
  private let delegates: Set<Int>
  /// The remaining steps of the search, so that many bindings don't make loading slow.
  var steps = 1_000_000

  init(of chain: Chain) {
    app = chain.app
    delegates = Set(chain.responders.values.compactMap { $0.delegate?.number })
  }

  /// Returns true if every walk through `other`, or without it every walk, visits `one`. False if the steps run out.
  mutating func holds(_ one: Responder, asked other: Responder?) -> Bool {
    // A walk that visits a responder also visits those that are attached before it.
    let hosts = anchors(of: one)
    func has(_ node: Responder?) -> Bool { node.map { hosts.contains($0.number) } ?? false }
    if has(app) || has(app.delegate) { return true }
    guard let other else { return false }
    let attached = anchors(of: other)
    var next: Responder? = other
    while let node = next, node !== app, steps > 0 {
      steps -= 1
      if has(node) { return true }
      // A walk may visit it as a delegate, and then visits only those attached before it, not its `next`.
      if attached.contains(node.number), delegates.contains(node.number) { return false }
      if node.kind == .window, has(node.delegate) { return true }
      next = node.next
    }
    return false
  }

  /// Returns the numbers of a responder, of the responder that it is attached before, and so on.
  private mutating func anchors(of responder: Responder) -> Set<Int> {
    var found: Set<Int> = []
    var next: Responder? = responder
    while let node = next, steps > 0 {
      steps -= 1
      found.insert(node.number)
      next = node.before
    }
    return found
  }
}

/// All keys that are bound anywhere.
private struct KnownKeys {
  enum Holder {
    case item(Element, Owner)
    case pane(Element, Owner)
    case responder(Responder, KeyBinding)

    var owner: Owner {
      switch self {
      case .item(_, let owner), .pane(_, let owner): owner
      case .responder(_, let binding): binding.owner
      }
    }

    var place: Place? {
      switch self {
      case .item(let element, _), .pane(let element, _): element.place
      case .responder(_, let binding): binding.place
      }
    }

    /// The name for messages.
    var name: String {
      switch self {
      case .item(let element, _), .pane(let element, _): element.described
      case .responder(let responder, _): "'\(responder.name)'"
      }
    }

    /// The name for messages, with its place.
    var described: String { place.map { "\(name) (\($0))" } ?? name }

    var isItem: Bool { if case .item = self { true } else { false } }

    var isPane: Bool { if case .pane = self { true } else { false } }

    /// True if its keys wait for the rest of a longer sequence.
    var waits: Bool { if case .responder(_, let binding) = self { binding.wait != nil } else { false } }

    var isOfApp: Bool { if case .responder(let responder, _) = self { responder.kind == .app } else { false } }

    /// Returns true if picking this item does the same as the keys of a responder, so that a conflict doesn't matter.
    func performs(sameAs other: Holder) -> Bool {
      guard case .item(let element, _) = self, case .responder(_, let binding) = other, let action = element.action
      else {
        return false
      }
      guard binding.all.count == 1, let reference = binding.all.first?.reference else { return false }
      return element.facts.details?.confirm == nil && action.reference.id.hasSameBytes(as: reference.id)
        && action.arguments.areSame(as: Arguments(reference.arguments))
    }

    /// Returns true if the host tries these keys wherever it tries the other's. It tries items in every walk.
    func isAlwaysBeside(_ other: Holder, _ company: inout Company) -> Bool {
      guard case .responder(let mine, _) = self else { return true }
      guard case .responder(let theirs, _) = other else { return company.holds(mine, asked: nil) }
      return company.holds(mine, asked: theirs)
    }
  }

  private var company: Company
  static let limit = 100

  /// The keys that some responder removes. Where it is in the chain, longer sequences work.
  private var removed: Set<KeySequence> = []

  init(_ company: Company, _ responders: [Responder]) {
    self.company = company
    for responder in responders {
      for (keys, bindings) in responder.allBindings where bindings.contains(where: \.isRemoval) { removed.insert(keys) }
    }
  }

  private var holders = [KeySequence: [Holder]](minimumCapacity: 32)
  private var order: [KeySequence] = []

  mutating func add(_ keys: KeySequence, _ holder: Holder) {
    if Self.append(holder, to: &holders[keys, default: []]) == 1 { order.append(keys) }
  }

  /// Appends a holder, and returns the new count.
  private static func append(_ holder: Holder, to holders: inout [Holder]) -> Int {
    holders.append(holder)
    return holders.count
  }

  mutating func conflicts(of owner: Owner) -> [Diagnostic] {
    var conflicts: [Diagnostic] = []
    for keys in order where conflicts.count < Self.limit {
      let all = holders[keys] ?? []
      if all.count > 1 { conflicts += doubled(keys, all, owner) }
      for holder in all { hidden(keys, holder, owner).map { conflicts.append($0) } }
    }
    return Array(conflicts.prefix(Self.limit))
  }

  /// Reports items and panes whose keys an earlier item or the app has. The app precedes the menus in every chain, and
  /// the panes come last.
  private func doubled(_ keys: KeySequence, _ holders: [Holder], _ owner: Owner) -> [Diagnostic] {
    let (items, panes) = (holders.filter(\.isItem), holders.filter(\.isPane))
    guard let first = holders.first(where: \.isOfApp) ?? items.first ?? panes.first else { return [] }
    let others = first.isItem ? Array(items.dropFirst()) : items.filter { !$0.performs(sameAs: first) }
    let hidden = others + (first.isPane ? Array(panes.dropFirst()) : panes)
    return hidden.filter { $0.owner === owner || first.owner === owner }.map { other in
      let does = other.isPane ? "focus" : "pick"
      return Diagnostic(
        .warning, "key-conflict", "'\(keys.text)' doesn't \(does) \(other.name): \(first.described) has the same key",
        place: other.place)
    }
  }

  /// Reports a sequence that is out of reach, because a shorter sequence is bound wherever the host tries it.
  private mutating func hidden(_ keys: KeySequence, _ holder: Holder, _ owner: Owner) -> Diagnostic? {
    for count in keys.strokes.indices.dropFirst() {
      let alone = KeySequence(strokes: Array(keys.strokes.prefix(count)))
      guard company.steps > 0 else { return nil }
      if removed.contains(alone) { continue }
      let other = (holders[alone] ?? []).first { other in
        company.steps -= 1
        // The key of a pane comes after longer sequences.
        return (other.owner === owner || holder.owner === owner) && !other.waits && !other.isPane
          && other.isAlwaysBeside(holder, &company)
      }
      guard let other else { continue }
      return Diagnostic(
        .warning, "key-conflict",
        "'\(keys.text)' of \(holder.name) never works: '\(alone.text)' alone is bound by \(other.described)",
        place: holder.place)
    }
    return nil
  }
}

extension KeyBinding {
  /// True if it acts whenever its keys are pressed.
  fileprivate var isCertain: Bool { !isRemoval && condition == nil }
}

extension Arguments {
  /// Returns true if both have the same keys, and may have the same values, in any order.
  fileprivate func areSame(as other: Arguments) -> Bool {
    count == other.count && members.allSatisfy { key, value in other[key].map { value.isAlike($0) } ?? false }
  }
}

extension Value {
  /// Returns true if both may be the same value, with the members of objects in any order.
  fileprivate func isAlike(_ other: Value) -> Bool {
    switch (self, other) {
    case (.list(let one), .list(let other)): one.count == other.count && zip(one, other).allSatisfy { $0.isAlike($1) }
    case (.object(let one), .object(let other)): Arguments(one).areSame(as: Arguments(other))
    // A table of a script may hold the same. The host can't see inside, so it reports no conflict.
    case (.opaque, .object), (.opaque, .list): true
    default: isSame(as: other)
    }
  }
}
