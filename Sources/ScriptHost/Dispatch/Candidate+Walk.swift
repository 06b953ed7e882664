extension Candidate {
  /// The nearest catch-all of a walk on which nobody takes a reference.
  convenience init?(lastResortFor reference: Reference, on walk: Walk) {
    guard let (node, handler) = walk.catchAlls.first else { return nil }
    self.init(lastResort: handler, of: walk.nodes[node], for: reference, at: node)
  }

  /// The step from which a candidate's failure goes on.
  func step(on walk: Walk) -> Int { via == .native ? walk.nodes.count : after.node }
}
