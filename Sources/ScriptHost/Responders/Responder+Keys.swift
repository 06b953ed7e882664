// What keys are bound to on behalf of a responder.

extension Chain {
  /// Binds keys, or takes the binding out; the number of the entry.
  func set(_ keys: KeySequence, _ binding: KeyBinding?, in behaviour: Behaviour) -> Int {
    let number = newEntryNumber()
    behaviour.set(keys, binding.map { Entry(content: $0, number: number) })
    keyChanges += 1
    return number
  }

  /// The registration of a binding.
  func registration(of number: Int, _ keys: KeySequence, in behaviour: Behaviour) -> Registration {
    Registration { [life, weak behaviour] in
      guard let behaviour, behaviour.keys[keys]?.number == number else { return }
      behaviour.set(keys, nil)
      life.object?.keyChanges += 1
    }
  }
}

extension Responder {
  /// What binds keys on its behalf, in the order in which it counts: the maker's with its classes, then the others' in load order.
  private var keyLayers: [Behaviour] {
    let others = layers.dropFirst()
    return stack.filter { behaviour in !others.contains { $0 === behaviour } } + others
  }

  /// What keys are bound to.
  func binding(_ keys: KeySequence) -> KeyBinding? {
    var found: KeyBinding?
    for behaviour in stack where !behaviour.keys.isEmpty {
      guard let binding = behaviour.keys[keys]?.content else { continue }
      // Where two bind them it is not the order of the stack that counts.
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
