// Asks the catch-alls when nobody takes the action.

extension Perform {
  func askCatchAlls(after node: Int) -> Outcome? {
    guard !options.isDelivery else { return nil }
    var last = node
    while let (node, handler) = catchAll(after: last) {
      last = node
      let candidate = Candidate(lastResort: handler, of: walk.nodes[node], for: reference, at: node)
      guard !passed.contains(candidate.responder.number) else { continue }
      witness?.asked(candidate.responder.name, .unknown, reference.name, answer: .takes, place: handler.place)
      if let outcome = offer(candidate) { return outcome }
    }
    return nil
  }

  /// The next catch-all after a node, as the chain is now: it may have changed since the walk was made.
  func catchAll(after last: Int) -> (node: Int, handler: Handler)? {
    guard walk.shape != dispatcher.chain.shape else { return walk.catchAlls.first { $0.node > last } }
    for node in walk.nodes.indices.dropFirst(last + 1) where !walk.nodes[node].isRemoved {
      if let handler = walk.nodes[node].hook(\.unknown) { return (node, handler) }
    }
    return nil
  }
}
