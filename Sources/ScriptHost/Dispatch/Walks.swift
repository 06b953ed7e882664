/// The walks that were made, by where they begin; a few at a time, for a focus that goes to and fro.
final class Walks {
  private let chain: Chain
  private var known: [(start: Responder, walk: Walk)] = []
  private static let limit = 16

  init(chain: Chain) { self.chain = chain }

  /// The walk from a responder on.
  func walk(from start: Responder) -> Walk {
    let shape = chain.shape
    for index in known.indices where known[index].start === start && known[index].walk.shape == shape {
      return known[index].walk
    }
    let walk = Walk(nodes: chain.nodes(from: start), shape: shape)
    known.removeAll { $0.start === start || $0.walk.shape != shape }
    if known.count == Self.limit { known.removeFirst() }
    known.append((start, walk))
    return walk
  }
}
