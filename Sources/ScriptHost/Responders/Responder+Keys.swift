// The key bindings of a responder.

extension Chain {
  /// Binds keys, or removes the binding. Returns the number of the entry.
  func set(_ keys: KeySequence, _ binding: KeyBinding?, in behaviour: Behaviour) -> Int {
    let number = newEntryNumber()
    behaviour.set(keys, binding.map { Entry(content: $0, number: number) })
    keyChanges += 1
    return number
  }

  /// The handle that removes a binding.
  func registration(of number: Int, _ keys: KeySequence, in behaviour: Behaviour) -> Registration {
    Registration { [life, weak behaviour] in
      guard let behaviour, behaviour.keys[keys]?.number == number else { return }
      behaviour.set(keys, nil)
      life.object?.keyChanges += 1
    }
  }
}

extension Responder {
  /// The behaviours whose bindings count, in this order: the maker's with its classes, then others' in load order.
  private var keyLayers: [Behaviour] {
    let others = layers.dropFirst()
    return stack.filter { behaviour in !others.contains { $0 === behaviour } } + others
  }

  /// The binding of keys.
  func binding(_ keys: KeySequence) -> KeyBinding? {
    var found: KeyBinding?
    for behaviour in stack where !behaviour.keys.isEmpty {
      guard let binding = behaviour.keys[keys]?.content else { continue }
      // If two bind the keys, `keyLayers` gives the order, not `stack`.
      if found != nil { return keyLayers.lazy.compactMap { $0.keys[keys]?.content }.first }
      found = binding
    }
    return found
  }

  /// All its bindings, each sequence once, in the order of their spelling.
  var bindings: [(keys: KeySequence, binding: KeyBinding)] {
    var known: [KeySequence: KeyBinding] = [:]
    for behaviour in keyLayers {
      for (keys, entry) in behaviour.keys where known[keys] == nil { known[keys] = entry.content }
    }
    return known.map { ($0.key, $0.value) }.sorted { $0.keys.text.precedesByBytes($1.keys.text) }
  }
}
