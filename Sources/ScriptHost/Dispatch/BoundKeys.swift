/// The *bound keys* of a walk are what keys are bound to along it, nearest first, in one table for whoever presses again.
///
/// The first press looks from node to node: a table takes longer to make than that, and most walks see few presses.
final class BoundKeys {
  /// How often bindings had changed in the whole chain when it was begun.
  let changes: Int
  private let nodes: [Responder]
  private var isAskedAgain = false
  private lazy var table = Table(nodes)

  private struct Table {
    private(set) var bindings: [KeySequence: KeyBinding] = [:]
    /// What longer sequences begin with.
    private(set) var beginnings: Set<KeySequence> = []

    init(_ nodes: [Responder]) {
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

  init(of walk: Walk, changes: Int) {
    nodes = walk.nodes
    self.changes = changes
  }

  /// What keys are bound to by the nearest who binds them.
  subscript(keys: KeySequence) -> KeyBinding? {
    if isAskedAgain { return table.bindings[keys] }
    isAskedAgain = true
    return nodes.lazy.compactMap { $0.binding(keys) }.first
  }

  /// Whether somebody binds a longer sequence that begins with these.
  func has(longerThan keys: KeySequence) -> Bool { table.beginnings.contains(keys) }
}
