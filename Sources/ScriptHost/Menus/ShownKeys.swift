/// The keys that reach an item: its own, unless the chain binds them; else keys along the chain that do the same (K13).
///
/// The chain owns the table of bindings. A pass evaluates each condition once, and only for actions that keys perform.
final class ShownKeys {
  private let tree: MenuTree
  private let dispatcher: Dispatcher
  private let bound: BoundKeys
  /// Whether keys perform the action with a number; nil before the first item with it.
  private var isBound: [Bool?]
  /// The results of binding conditions in this pass.
  private var held: [ObjectIdentifier: Bool] = [:]
  private lazy var pass = ValidationPass(dispatcher, PerformOptions())

  init(_ tree: MenuTree, _ dispatcher: Dispatcher) {
    self.tree = tree
    self.dispatcher = dispatcher
    bound = dispatcher.boundKeys
    isBound = bound.performing.isEmpty ? [] : Array(repeating: nil, count: tree.actions.count)
  }

  /// Returns true if an item's own keys do nothing, or something else, because the chain binds them (K1, K9).
  func hasLostKey(_ node: MenuNode) -> Bool {
    guard let keys = node.element.keys, let binding = counting(keys) else { return false }
    return binding.isRemoval || !does(binding, what: node)
  }

  /// Returns true if a binding performs an item's reference with its arguments.
  private func does(_ binding: KeyBinding, what node: MenuNode) -> Bool {
    guard let action = node.element.action, let reference = binding.all.first?.reference, !binding.isWhole else {
      return false
    }
    return reference.id.hasSameBytes(as: action.reference.id)
      && BoundKeys.sorted(reference.arguments) == BoundKeys.sorted(node.element.facts.details?.arguments)
  }

  /// Returns the keys of the chain that perform an item's reference with its arguments; nil if none do, or if its own
  /// keys reach it.
  func key(of node: MenuNode) -> String? {
    guard node.element.keys == nil || hasLostKey(node), let action = node.element.action,
      isBound.indices.contains(Int(node.action))
    else { return nil }
    let isKnown = isBound[Int(node.action)]
    if isKnown == false { return nil }
    let all = bound.performing[ByteText(action.reference.id)]
    if isKnown == nil { isBound[Int(node.action)] = all != nil }
    guard let all, !action.hasObjects else { return nil }
    let arguments = node.element.facts.details?.arguments
    return all[BoundKeys.sorted(arguments)]?.first { isReached($0.keys, by: $0.binding) }?.keys.text
  }

  /// Returns true if keys perform a binding now: it applies, and no beginning of the keys does anything alone.
  private func isReached(_ keys: KeySequence, by binding: KeyBinding) -> Bool {
    guard counting(keys) === binding else { return false }
    return keys.strokes.indices.dropFirst().allSatisfy { count in
      let beginning = KeySequence(strokes: Array(keys.strokes.prefix(count)))
      if let alone = counting(beginning) { return alone.isRemoval || alone.wait != nil }
      return tree.keys[beginning] == nil
    }
  }

  /// Returns the binding of keys that applies now.
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
  /// Returns true if a binding's condition holds. If the condition fails, reports that and returns false.
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
