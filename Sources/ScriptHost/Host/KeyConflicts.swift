// K3: finds keys that keep other keys from being reached, and reports them when a script with one of the two is loaded.

extension ScriptHost {
  /// The conflicts in which keys that an owner bound take part.
  func keyConflicts(of owner: Owner) -> [Diagnostic] {
    var known = KnownKeys(Company(of: chain))
    menuTrees.forEachDeclaredKeys { known.add($0, .item($1, $2)) }
    for responder in responders {
      for (keys, binding) in responder.bindings where binding.isCertain {
        known.add(keys, .responder(responder, binding))
      }
    }
    return known.conflicts(of: owner) + outbound { $0.owner === owner || $1.owner === owner }
  }

  /// All key conflicts, whoever bound the keys; menus are taken as they are now, with rows and builders' edits.
  func keyConflicts() -> [Diagnostic] {
    let owner = Owner(name: "")
    var known = KnownKeys(Company(of: chain))
    for entry in menuTrees.keys.entries { known.add(entry.keys, .item(entry.node.element, owner)) }
    for responder in responders {
      for (keys, binding) in responder.bindings where binding.isCertain {
        let told = KeyBinding(binding.all, wait: binding.wait, owner: owner, place: binding.place)
        known.add(keys, .responder(responder, told))
      }
    }
    return known.conflicts(of: owner) + outbound { _, _ in true }
  }

  /// K8: reports keys that an owner bound on a responder, and that an owner loaded later bound there to something else.
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

/// The *company* of a responder is who is asked by every walk that asks it, wherever the focus is.
private struct Company {
  private let app: Responder
  /// The numbers of the responders that are asked as somebody's delegate. A walk follows the `next` of a delegate only from the focus on.
  private let delegates: Set<Int>
  /// How many steps the search may still take, so that many bindings don't make loading slow.
  var steps = 1_000_000

  init(of chain: Chain) {
    app = chain.app
    delegates = Set(chain.responders.values.compactMap { $0.delegate?.number })
  }

  /// Whether every walk that asks one responder asks another too; without that one, whether every walk does. False if the steps run out.
  mutating func holds(_ one: Responder, asked other: Responder?) -> Bool {
    // Whoever is attached before another is asked with it.
    let hosts = anchors(of: one)
    func has(_ node: Responder?) -> Bool { node.map { hosts.contains($0.number) } ?? false }
    if has(app) || has(app.delegate) { return true }
    guard let other else { return false }
    let attached = anchors(of: other)
    var next: Responder? = other
    while let node = next, node !== app, steps > 0 {
      steps -= 1
      if has(node) { return true }
      // It may be asked as a delegate, and then nobody is asked for its sake but those attached before it.
      if attached.contains(node.number), delegates.contains(node.number) { return false }
      if node.kind == .window, has(node.delegate) { return true }
      next = node.next
    }
    return false
  }

  /// The numbers of a responder, of the one that it is attached before, and so on.
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
    case responder(Responder, KeyBinding)

    var owner: Owner {
      switch self {
      case .item(_, let owner): owner
      case .responder(_, let binding): binding.owner
      }
    }

    var place: Place? {
      switch self {
      case .item(let element, _): element.place
      case .responder(_, let binding): binding.place
      }
    }

    /// What a person calls it.
    var name: String {
      switch self {
      case .item(let element, _): element.described
      case .responder(let responder, _): "'\(responder.name)'"
      }
    }

    /// What a person calls it, with its place.
    var described: String { place.map { "\(name) (\($0))" } ?? name }

    var isItem: Bool { if case .item = self { true } else { false } }

    /// Whether its keys wait for the rest of a longer sequence.
    var waits: Bool { if case .responder(_, let binding) = self { binding.wait != nil } else { false } }

    var isOfApp: Bool { if case .responder(let responder, _) = self { responder.kind == .app } else { false } }

    /// Whether picking this item does what the keys of a responder do, so that it doesn't matter which of the two is done.
    func performs(sameAs other: Holder) -> Bool {
      guard case .item(let element, _) = self, case .responder(_, let binding) = other, let action = element.action
      else {
        return false
      }
      guard binding.all.count == 1, let reference = binding.all.first?.reference else { return false }
      return element.facts.details?.confirm == nil && action.reference.id.hasSameBytes(as: reference.id)
        && action.arguments.areSame(as: Arguments(reference.arguments))
    }

    /// Whether these keys are looked at wherever the other's are, be the focus where it may. Items are looked at by every walk.
    func isAlwaysBeside(_ other: Holder, _ company: inout Company) -> Bool {
      guard case .responder(let mine, _) = self else { return true }
      guard case .responder(let theirs, _) = other else { return company.holds(mine, asked: nil) }
      return company.holds(mine, asked: theirs)
    }
  }

  private var company: Company
  static let limit = 100

  init(_ company: Company) { self.company = company }

  private var holders = [KeySequence: [Holder]](minimumCapacity: 32)
  private var order: [KeySequence] = []

  mutating func add(_ keys: KeySequence, _ holder: Holder) {
    if Self.append(holder, to: &holders[keys, default: []]) == 1 { order.append(keys) }
  }

  /// Appends a holder, and returns how many there are then.
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

  /// Reports items whose keys an earlier item has, or the app, which is asked along every chain and before the menus: the first wins.
  private func doubled(_ keys: KeySequence, _ holders: [Holder], _ owner: Owner) -> [Diagnostic] {
    let items = holders.filter(\.isItem)
    guard let first = holders.first(where: \.isOfApp) ?? items.first else { return [] }
    let others = first.isItem ? Array(items.dropFirst()) : items.filter { !$0.performs(sameAs: first) }
    return others.filter { $0.owner === owner || first.owner === owner }.map { item in
      Diagnostic(
        .warning, "key-conflict", "'\(keys.text)' doesn't pick \(item.name): \(first.described) has it first",
        place: item.place)
    }
  }

  /// Reports a sequence that is never reached, because its beginning is bound by itself wherever the sequence is looked at.
  private mutating func hidden(_ keys: KeySequence, _ holder: Holder, _ owner: Owner) -> Diagnostic? {
    for count in keys.strokes.indices.dropFirst() {
      let alone = KeySequence(strokes: Array(keys.strokes.prefix(count)))
      guard company.steps > 0 else { return nil }
      let other = (holders[alone] ?? []).first { other in
        company.steps -= 1
        return (other.owner === owner || holder.owner === owner) && !other.waits
          && other.isAlwaysBeside(holder, &company)
      }
      guard let other else { continue }
      return Diagnostic(
        .warning, "key-conflict",
        "'\(keys.text)' of \(holder.name) is never reached: '\(alone.text)' alone is bound by \(other.described)",
        place: holder.place)
    }
    return nil
  }
}

extension KeyBinding {
  /// Whether it does something whenever its keys are pressed.
  fileprivate var isCertain: Bool { !isRemoval && condition == nil }
}

extension Arguments {
  /// Whether both have the same keys, and may have the same values, in whatever order.
  fileprivate func areSame(as other: Arguments) -> Bool {
    count == other.count && members.allSatisfy { key, value in other[key].map { value.isAlike($0) } ?? false }
  }
}

extension Value {
  /// Whether both may be the same value, with the members of objects in whatever order.
  fileprivate func isAlike(_ other: Value) -> Bool {
    switch (self, other) {
    case (.list(let one), .list(let other)): one.count == other.count && zip(one, other).allSatisfy { $0.isAlike($1) }
    case (.object(let one), .object(let other)): Arguments(one).areSame(as: Arguments(other))
    // A table of a script's may hold the same: what can't be seen is no conflict.
    case (.opaque, .object), (.opaque, .list): true
    default: isSame(as: other)
    }
  }
}
