// K3: finds keys that keep other keys from being reached, and reports them when a script with one of the two is loaded.

extension ScriptHost {
  /// The conflicts in which keys that an owner bound take part.
  func keyConflicts(of owner: Owner) -> [Diagnostic] {
    var known = KnownKeys()
    menuTrees.forEachDeclaredKeys { known.add($0, .item($1, $2)) }
    for responder in responders {
      for (keys, binding) in responder.bindings { known.add(keys, .responder(responder, binding)) }
    }
    return known.conflicts(of: owner)
  }

  /// All key conflicts, whoever bound the keys; menus are taken as they are now, with rows and builders' edits.
  func keyConflicts() -> [Diagnostic] {
    let owner = Owner(name: "")
    var known = KnownKeys()
    for entry in menuTrees.keys.entries { known.add(entry.keys, .item(entry.node.element, owner)) }
    for responder in responders {
      for (keys, binding) in responder.bindings {
        known.add(
          keys,
          .responder(
            responder,
            KeyBinding(
              reference: binding.reference, raw: binding.raw, others: binding.others, owner: owner,
              place: binding.place)))
      }
    }
    return known.conflicts(of: owner)
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

    var isOfApp: Bool { if case .responder(let responder, _) = self { responder.kind == .app } else { false } }

    /// Whether picking this item does what the keys of a responder do, so that it doesn't matter which of the two is done.
    func performs(sameAs other: Holder) -> Bool {
      guard case .item(let element, _) = self, case .responder(_, let binding) = other, let action = element.action
      else {
        return false
      }
      return element.facts.details?.confirm == nil && action.own.isEmpty && binding.others.isEmpty
        && action.reference.format().hasSameBytes(as: binding.reference.format())
    }

    /// Whether both can be asked along one chain; items always can.
    func meets(_ other: Holder, _ steps: inout Int) -> Bool {
      guard case .responder(let mine, _) = self, case .responder(let theirs, _) = other else { return true }
      return mine.reaches(theirs, &steps) || theirs.reaches(mine, &steps)
    }
  }

  /// How many steps the search may still take, so that many bindings don't make loading slow.
  private var steps = 1_000_000
  private static let limit = 100

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

  /// Reports a sequence that is never reached, because its beginning is bound by itself.
  private mutating func hidden(_ keys: KeySequence, _ holder: Holder, _ owner: Owner) -> Diagnostic? {
    for count in keys.strokes.indices.dropFirst() {
      let alone = KeySequence(strokes: Array(keys.strokes.prefix(count)))
      guard steps > 0 else { return nil }
      let other = (holders[alone] ?? []).first { other in
        steps -= 1
        return (other.owner === owner || holder.owner === owner) && other.meets(holder, &steps)
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

extension Responder {
  /// Whether another responder is reached from this one along `next`; false if the steps run out.
  fileprivate func reaches(_ other: Responder, _ steps: inout Int) -> Bool {
    var node: Responder? = self
    while let known = node, known !== other {
      guard steps > 0 else { return false }
      steps -= 1
      node = known.next
    }
    return node != nil
  }
}
