/// The *bound keys* of a walk are what keys are bound to along it, nearest first, in one table for whoever presses again.
///
/// The first press looks from node to node: a table takes longer to make than that, and most walks see few presses.
final class BoundKeys {
  /// How often bindings had changed in the whole chain when it was begun.
  let changes: Int
  private let nodes: [Responder]
  private var isAskedAgain = false
  /// Once asked again, what all keys are bound to, and what longer sequences begin with.
  // They are filled once, without running anybody's code, and looked at with each press.
  @exclusivity(unchecked) private var bindings: [KeySequence: KeyBinding] = [:]
  private var beginnings: Set<KeySequence> = []
  private var isPrepared = false

  init(of walk: Walk, changes: Int) {
    nodes = walk.nodes
    self.changes = changes
  }

  /// What keys are bound to by the nearest who binds them.
  subscript(keys: KeySequence) -> KeyBinding? {
    if isAskedAgain {
      prepare()
      return bindings[keys]
    }
    isAskedAgain = true
    return nodes.lazy.compactMap { $0.binding(keys) }.first
  }

  /// Whether somebody binds a longer sequence that begins with these.
  func has(longerThan keys: KeySequence) -> Bool {
    prepare()
    return beginnings.contains(keys)
  }

  @inline(__always)
  private func prepare() { if !isPrepared { fill() } }

  private func fill() {
    isPrepared = true
    for node in nodes {
      for (keys, binding) in node.bindings where bindings[keys] == nil {
        bindings[keys] = binding
        for count in keys.strokes.indices.dropFirst() {
          beginnings.insert(KeySequence(strokes: Array(keys.strokes.prefix(count))))
        }
      }
    }
  }
}
