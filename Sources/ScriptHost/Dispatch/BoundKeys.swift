/// The *bound keys* of a walk say what each key sequence is bound to along it; the nearest binding counts.
///
/// The first look-up goes from node to node, because filling a table takes longer and most walks see few presses. The table is filled by
/// the second look-up, or when a longer sequence is asked for.
final class BoundKeys {
  /// The chain's `keyChanges` when this was made; at another count it is stale.
  let changes: Int
  private let nodes: [Responder]
  private var isAskedAgain = false
  /// All bindings along the walk, once the table is filled, and the beginnings of longer sequences.
  // Filled once, without running anybody's code, and read with each press.
  private var bindings: [KeySequence: [KeyBinding]] = [:]
  private var beginnings: Set<KeySequence> = []
  private var isPrepared = false

  init(of walk: Walk, changes: Int) {
    nodes = walk.nodes
    self.changes = changes
  }

  /// The bindings of a key sequence, nearest first.
  subscript(keys: KeySequence) -> [KeyBinding] {
    if isAskedAgain {
      prepare()
      return bindings[keys] ?? []
    }
    isAskedAgain = true
    return nodes.flatMap { $0.allBindings(of: keys) }
  }

  /// The references that the keys perform, as they are written.
  private(set) lazy var references: Set<ByteText> = {
    prepare()
    return Set(bindings.values.flatMap { $0.prefix { !$0.isRemoval }.map { ByteText($0.raw) } })
  }()

  /// Whether keys are taken away, whatever farther responders and the menus bind them to.
  func isTakenAway(_ keys: KeySequence) -> Bool {
    prepare()
    return bindings[keys]?.first { $0.condition == nil }?.isRemoval ?? false
  }

  /// Whether a longer sequence is bound that begins with these keys.
  func has(longerThan keys: KeySequence) -> Bool {
    prepare()
    return beginnings.contains(keys)
  }

  @inline(__always)
  private func prepare() { if !isPrepared { fill() } }

  private func fill() {
    isPrepared = true
    for node in nodes {
      for (keys, all) in node.allBindings {
        let isNew = bindings[keys] == nil
        bindings[keys, default: []] += all
        guard isNew, bindings[keys]?.first?.isRemoval == false else { continue }
        for count in keys.strokes.indices.dropFirst() {
          beginnings.insert(KeySequence(strokes: Array(keys.strokes.prefix(count))))
        }
      }
    }
  }
}
