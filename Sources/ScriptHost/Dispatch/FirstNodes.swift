/// The *first nodes* of a walk give, for each action, the first node that may answer it, found in one go. Without it, asking about
/// thousands of actions would search the whole walk for each.
struct FirstNodes {
  private var first: [Name: Int] = [:]
  /// The first node that also answers by functions.
  private let other: Int

  init(_ walk: Walk) {
    var met: Set<ObjectIdentifier> = []
    for (index, node) in walk.nodes.enumerated() {
      for behaviour in node.stack where met.insert(ObjectIdentifier(behaviour)).inserted {
        for name in behaviour.on.keys where first[name] == nil { first[name] = index }
      }
    }
    other = walk.dynamic.firstIndex(of: true) ?? walk.nodes.count
  }

  /// Where a resolution of a reference begins.
  func position(of reference: Reference, _ names: NameTable) -> WalkPosition {
    let named = reference.candidates.first.flatMap { names.name(of: $0.name) }.flatMap { first[$0] }
    return WalkPosition(node: min(named ?? other, other))
  }
}
