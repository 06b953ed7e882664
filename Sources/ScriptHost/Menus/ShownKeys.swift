/// The *shown keys* of a pass: for an item without keys of its own, the strokes that do the same along the chain (K13).
///
/// The table of bindings is the chain's. A pass asks each condition once, and only for actions that some stroke performs.
final class ShownKeys {
  private let tree: MenuTree
  private let dispatcher: Dispatcher
  private let bound: BoundKeys
  /// Whether any stroke performs the action of a number; nil before an item with it was met.
  private var isBound: [Bool?]
  /// What the conditions of bindings answered in this pass.
  private var held: [ObjectIdentifier: Bool] = [:]
  private lazy var pass = ValidationPass(dispatcher, PerformOptions())

  init(_ tree: MenuTree, _ dispatcher: Dispatcher) {
    self.tree = tree
    self.dispatcher = dispatcher
    bound = dispatcher.boundKeys
    isBound = bound.performing.isEmpty ? [] : Array(repeating: nil, count: tree.actions.count)
  }

  /// The keys that perform the reference of an item, arguments included; nil if none do.
  func key(of node: MenuNode) -> String? {
    guard node.element.keys == nil, let action = node.element.action, isBound.indices.contains(Int(node.action))
    else { return nil }
    let isKnown = isBound[Int(node.action)]
    if isKnown == false { return nil }
    let all = bound.performing[ByteText(action.reference.id)]
    if isKnown == nil { isBound[Int(node.action)] = all != nil }
    guard let all, !action.hasObjects else { return nil }
    let arguments = node.element.facts.details?.arguments
    return all[BoundKeys.sorted(arguments)]?.first { isReached($0.keys, by: $0.binding) }?.keys.text
  }

  /// Whether keys perform a binding now: it is the one that counts, and no beginning of the keys does anything alone.
  private func isReached(_ keys: KeySequence, by binding: KeyBinding) -> Bool {
    guard counting(keys) === binding else { return false }
    return keys.strokes.indices.dropFirst().allSatisfy { count in
      let beginning = KeySequence(strokes: Array(keys.strokes.prefix(count)))
      if let alone = counting(beginning) { return alone.isRemoval || alone.wait != nil }
      return tree.keys[beginning] == nil
    }
  }

  /// The binding of keys that counts now.
  private func counting(_ keys: KeySequence) -> KeyBinding? {
    bound[keys].first { binding in binding.condition.map { holds($0, of: binding) } ?? true }
  }

  private func holds(_ condition: KeyCondition, of binding: KeyBinding) -> Bool {
    if let known = held[ObjectIdentifier(binding)] { return known }
    let answer = binding.owner.whySetAside == nil && dispatcher.holds(condition, in: pass.context)
    held[ObjectIdentifier(binding)] = answer
    return answer
  }
}

extension Dispatcher {
  /// Whether the condition of a binding holds. A condition that fails is a no, and is reported.
  func holds(_ condition: KeyCondition, in context: Context) -> Bool {
    let answer = asking(in: context) {
      engine?.beginQuestion()
      defer { engine?.endQuestion() }
      return condition.holds(in: context)
    }
    switch answer {
    case .success(let holds): return holds
    case .failure(let failure):
      report(Diagnostic(failure))
      return false
    }
  }
}
