/// The key bindings along a walk. The user's keymap comes first, then the nearest responder.
///
/// The first look-up goes from node to node, because filling the table takes longer and most walks see few presses. The
/// second look-up, or one of a longer sequence, fills the table.
final class BoundKeys {
  /// The chain's `keyChanges` when this was created. If the chain's count differs, this is stale.
  let changes: Int
  private let nodes: [Responder]
  private let keymap: Keymap?
  private var isAskedAgain = false
  /// All bindings along the walk, and the beginnings of longer sequences. Filled once, without running scripts.
  private var bindings: [KeySequence: [KeyBinding]] = [:]
  private var beginnings: Set<KeySequence> = []
  /// Longer sequences that are bound only under a condition, by their beginnings.
  private var conditional: [KeySequence: [KeySequence]] = [:]
  private var isPrepared = false

  init(of walk: Walk, under keymap: Keymap?, changes: Int) {
    nodes = walk.nodes
    self.keymap = keymap
    self.changes = changes
  }

  /// The bindings of a key sequence, nearest first.
  subscript(keys: KeySequence) -> [KeyBinding] {
    if isAskedAgain {
      prepare()
      return bindings[keys] ?? []
    }
    isAskedAgain = true
    let own = keymap.map { map in nodes.compactMap { map.binding(of: keys, for: $0) } } ?? []
    return own + nodes.flatMap { $0.allBindings(of: keys) }
  }

  /// All bindings: the keymap's along the walk, then the scripts'.
  private var layers: [[(keys: KeySequence, bindings: [KeyBinding])]] {
    (keymap.map { map in nodes.map { map.bindings(for: $0) } } ?? []) + nodes.map(\.allBindings)
  }

  /// The bindings with a condition.
  private(set) lazy var withCondition: [KeyBinding] = layers.flatMap { layer in
    layer.flatMap { $0.bindings.filter { $0.condition != nil } }
  }

  /// The references that the keys perform, as written.
  private(set) lazy var references: Set<ByteText> = {
    prepare()
    return Set(bindings.values.flatMap { $0.prefix { !$0.isRemoval }.map { ByteText($0.raw) } })
  }()

  /// The bindings of each action by id and arguments: nearest first, then shortest keys first (K13).
  private(set) lazy var performing: [ByteText: [Literal: [(keys: KeySequence, binding: KeyBinding)]]] = {
    var all: [ByteText: [Literal: [(keys: KeySequence, binding: KeyBinding)]]] = [:]
    for layer in layers {
      for (keys, bindings) in layer.sorted(by: { $0.keys.isShorter(than: $1.keys) }) {
        for binding in bindings {
          guard let reference = binding.all.first?.reference, !binding.isWhole else { continue }
          all[ByteText(reference.id), default: [:]][Self.sorted(reference.arguments), default: []]
            .append((keys, binding))
        }
      }
    }
    return all
  }()

  /// Sorts arguments by key, so that equal arguments compare as equal.
  static func sorted(_ arguments: LiteralObject?) -> Literal {
    let members = arguments?.members ?? []
    return .object(LiteralObject(distinct: members.sorted { $0.key.precedesByBytes($1.key) }))
  }

  /// Returns true if digits before a stroke are a count: a responder counts, and no nearer one handles typed text
  /// (K12).
  func counts(besides text: KeyBinding?) -> Bool {
    for node in nodes {
      let typing = node.allBindings(of: .text) + [keymap?.binding(of: .text, for: node)].compactMap { $0 }
      if let text, !text.isRemoval, typing.contains(where: { $0 === text }) { return false }
      if node.counts { return true }
    }
    return false
  }

  /// Returns true if a binding removes these keys, even if farther responders or menus bind them.
  func isTakenAway(_ keys: KeySequence) -> Bool {
    prepare()
    return bindings[keys]?.first { $0.condition == nil }?.isRemoval ?? false
  }

  /// The longer sequences that begin with these keys and are bound only under a condition.
  func conditional(longerThan keys: KeySequence) -> [KeySequence] {
    prepare()
    return conditional[keys] ?? []
  }

  /// Returns true if a longer sequence that begins with these keys is bound unconditionally.
  func has(longerThan keys: KeySequence) -> Bool {
    prepare()
    return beginnings.contains(keys)
  }

  @inline(__always)
  private func prepare() { if !isPrepared { fill() } }

  private func fill() {
    isPrepared = true
    for layer in layers {
      for (keys, all) in layer {
        bindings[keys, default: []] += all
      }
    }
    for (keys, all) in bindings where keys.strokes.count > 1 {
      let certain = all.first { $0.condition == nil }
      let isCertain = certain?.isRemoval == false
      guard isCertain || all.contains(where: { $0.condition != nil }) else { continue }
      for count in keys.strokes.indices.dropFirst() {
        let beginning = KeySequence(strokes: Array(keys.strokes.prefix(count)))
        if isCertain { beginnings.insert(beginning) } else { conditional[beginning, default: []].append(keys) }
      }
    }
  }
}

extension KeySequence {
  /// Compares the number of strokes, then the length of the spelling, then the bytes.
  fileprivate func isShorter(than other: KeySequence) -> Bool {
    let (own, others) = (text, other.text)
    if strokes.count != other.strokes.count { return strokes.count < other.strokes.count }
    if own.utf8.count != others.utf8.count { return own.utf8.count < others.utf8.count }
    return own.precedesByBytes(others)
  }
}
