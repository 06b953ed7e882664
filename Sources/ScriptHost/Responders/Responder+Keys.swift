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
  /// The binding of keys: of several owners' the one loaded last counts.
  func binding(_ keys: KeySequence) -> KeyBinding? {
    for behaviour in stack where !behaviour.keys.isEmpty {
      if let binding = behaviour.keys[keys]?.content { return binding }
    }
    return nil
  }

  /// Its bindings that count, each sequence once, in the order of their spelling.
  var bindings: [(keys: KeySequence, binding: KeyBinding)] { allBindings.map { ($0, $1[0]) } }

  /// All its bindings, each sequence once, in the order of their spelling: of each owner the one that counts, the owner loaded last first.
  var allBindings: [(keys: KeySequence, bindings: [KeyBinding])] {
    var known: [KeySequence: [KeyBinding]] = [:]
    for behaviour in stack {
      for (keys, entry) in behaviour.keys where !(known[keys]?.contains { $0.owner === entry.content.owner } ?? false) {
        known[keys, default: []].append(entry.content)
      }
    }
    return known.map { ($0.key, $0.value) }.sorted { $0.keys.text.precedesByBytes($1.keys.text) }
  }
}
