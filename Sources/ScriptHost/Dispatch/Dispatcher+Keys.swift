// What keys do: they are looked up along the chain, nearest first.

extension Dispatcher {
  /// What keys are bound to along the chain now.
  var boundKeys: BoundKeys {
    let walk = defaultWalk()
    if let known = walk.boundKeys, known.changes == chain.keyChanges { return known }
    let made = BoundKeys(of: walk, changes: chain.keyChanges)
    walk.boundKeys = made
    return made
  }
}
