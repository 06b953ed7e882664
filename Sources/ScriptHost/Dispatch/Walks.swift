/// The walks made lately, by their start, each with the resolutions that were found on it; a few are kept for a focus that moves to and fro.
final class Walks {
  private let chain: Chain
  private var known: [(walk: Walk, resolutions: Resolutions)] = []
  private static let limit = 16

  init(chain: Chain) { self.chain = chain }

  /// The walk from a responder on.
  func walk(from start: Responder) -> Walk {
    let mainStart = chain.mainStart
    if let known = start.knownWalk as? Walk, known.shape == chain.shape, known.mainStart === mainStart { return known }
    return newWalk(from: start, mainStart)
  }

  private func newWalk(from start: Responder, _ mainStart: Responder?) -> Walk {
    let walk = Walk(nodes: chain.nodes(from: start), shape: chain.shape, from: start, mainStart: mainStart)
    forget { $0.shape != walk.shape || $0.start === start }
    if known.count == Self.limit {
      let oldest = known[0].walk
      forget { $0 === oldest }
    }
    known.append((walk, Resolutions()))
    start.knownWalk = walk
    return walk
  }

  /// What was found on a walk; nil if the walk was forgotten, or asks one responder only.
  func resolutions(of walk: Walk) -> Resolutions? { known.last { $0.walk === walk }?.resolutions }

  /// Drops walks, and what was found on them, which retains them.
  private func forget(where isOld: (Walk) -> Bool) {
    for (old, _) in known where isOld(old) && old.start?.knownWalk === old { old.start?.knownWalk = nil }
    known.removeAll { isOld($0.walk) }
  }

  deinit { forget { _ in true } }
}

/// The *resolutions* that were found on one walk, by the text that they resolve.
final class Resolutions {
  private(set) var byText: [ByteText: Resolution] = [:]
  private var bytes = 0
  /// How many are kept, how many bytes their texts may have together, and how many one may have to be kept. A script can fill this at will, so
  /// it is emptied when it is full.
  static let countLimit = 4096, byteLimit = 1 << 19, textLimit = 1024

  subscript(text: String) -> Resolution? { byText[ByteText(text)] }

  func keep(_ resolution: Resolution) {
    let count = resolution.raw.utf8.count
    guard count <= Self.textLimit else { return }
    if byText.count == Self.countLimit || bytes + count > Self.byteLimit { (byText, bytes) = ([:], 0) }
    if byText.updateValue(resolution, forKey: ByteText(resolution.raw)) == nil { bytes += count }
  }
}
