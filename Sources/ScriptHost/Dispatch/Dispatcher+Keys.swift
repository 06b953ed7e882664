// Key bindings: they are looked up along the chain, nearest first.

extension Dispatcher {
  /// The bindings along the chain, as they are now.
  var boundKeys: BoundKeys {
    let walk = defaultWalk()
    if let known = walk.boundKeys, known.changes == chain.keyChanges { return known }
    let made = BoundKeys(of: walk, changes: chain.keyChanges)
    walk.boundKeys = made
    return made
  }
}
