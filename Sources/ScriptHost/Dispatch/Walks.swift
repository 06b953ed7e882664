/// The walks that were made, by where they begin; a few at a time, for a focus that goes to and fro.
final class Walks {
  private let chain: Chain
  private var known: [Known] = []
  private static let limit = 16

  private struct Known {
    let start: Responder
    /// Where it went on in the main window, which depends on the focus as the shape does not.
    let mainStart: Responder?
    let walk: Walk
  }

  init(chain: Chain) { self.chain = chain }

  /// The walk from a responder on.
  func walk(from start: Responder) -> Walk {
    let shape = chain.shape
    let mainStart = chain.mainStart
    for index in known.indices where known[index].start === start && known[index].walk.shape == shape {
      if known[index].mainStart === mainStart { return known[index].walk }
    }
    let walk = Walk(nodes: chain.nodes(from: start), shape: shape)
    forget { $0.walk.shape != shape }
    if known.count == Self.limit { known.removeFirst().walk.resolutions.removeAll() }
    known.append(Known(start: start, mainStart: mainStart, walk: walk))
    return walk
  }

  /// Walks and the resolutions that they keep hold each other, until a walk is forgotten.
  private func forget(where isOld: (Known) -> Bool) {
    for old in known where isOld(old) { old.walk.resolutions.removeAll() }
    known.removeAll(where: isOld)
  }

  deinit { forget { _ in true } }
}
