// What keys do: they are looked up along the chain, nearest first.

extension Dispatcher {
  /// Whose binding of keys counts now.
  func binding(of keys: KeySequence) -> (responder: Responder, binding: KeyBinding)? {
    for node in defaultWalk().nodes {
      if let binding = node.binding(keys) { return (node, binding) }
    }
    return nil
  }

  /// Whether somebody along the chain binds a longer sequence that begins with these keys.
  func binds(longerThan keys: KeySequence) -> Bool { defaultWalk().nodes.contains { $0.binds(longerThan: keys) } }
}
