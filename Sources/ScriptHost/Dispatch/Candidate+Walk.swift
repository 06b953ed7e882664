extension Candidate {
  /// A candidate for the nearest catch-all of a walk on which nobody takes a reference; nil if there is none.
  convenience init?(lastResortFor reference: Reference, on walk: Walk) {
    guard let (node, handler) = walk.catchAlls.first else { return nil }
    self.init(lastResort: handler, of: walk.nodes[node], for: reference, at: node)
  }

  /// The index in the walk from which a failure of this candidate travels up.
  func step(on walk: Walk) -> Int { via == .native ? walk.nodes.count : after.node }
}
