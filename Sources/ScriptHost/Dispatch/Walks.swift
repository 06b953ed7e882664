/// The walks made lately, by their start; a few are kept for a focus that moves to and fro.
final class Walks {
  private let chain: Chain
  private var known: [Walk] = []
  private static let limit = 16

  init(chain: Chain) { self.chain = chain }

  /// The walk from a responder on.
  func walk(from start: Responder) -> Walk {
    let mainStart = chain.mainStart
    if let known = start.knownWalk {
      // Only this class sets it, and a checked cast would cost as much as the rest of a change of focus.
      let walk = unsafeDowncast(known, to: Walk.self)
      if walk.shape == chain.shape, walk.mainStart === mainStart { return walk }
    }
    return newWalk(from: start, mainStart)
  }

  private func newWalk(from start: Responder, _ mainStart: Responder?) -> Walk {
    let walk = Walk(nodes: chain.nodes(from: start), shape: chain.shape, from: start, mainStart: mainStart)
    forget { $0.shape != walk.shape || $0.start === start }
    if known.count == Self.limit {
      let oldest = known[0]
      forget { $0 === oldest }
    }
    known.append(walk)
    start.knownWalk = walk
    return walk
  }

  /// Drops walks. A walk and its cached resolutions retain each other until then.
  private func forget(where isOld: (Walk) -> Bool) {
    for old in known where isOld(old) {
      old.resolutions.removeAll()
      old.isForgotten = true
      if old.start?.knownWalk === old { old.start?.knownWalk = nil }
    }
    known.removeAll(where: isOld)
  }

  deinit { forget { _ in true } }
}
