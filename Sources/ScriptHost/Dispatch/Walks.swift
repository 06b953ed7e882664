/// The walks made lately, by their start, each with the resolutions that were found on it; a few are kept for a focus that moves to and fro.
final class Walks {
  private let chain: Chain
  private var known: [Walk] = []
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
      let oldest = known[0]
      forget { $0 === oldest }
    }
    walk.resolutions = Resolutions()
    known.append(walk)
    start.knownWalk = walk
    return walk
  }

  /// Drops walks, and what was found on them, which retains them.
  private func forget(where isOld: (Walk) -> Bool) {
    for old in known where isOld(old) {
      old.resolutions = nil
      if old.start?.knownWalk === old { old.start?.knownWalk = nil }
    }
    known.removeAll(where: isOld)
  }

  deinit { forget { _ in true } }
}

/// The *resolutions* that were found on one walk, by the text that they resolve.
final class Resolutions {
  private let texts = TextIndex()
  private(set) var all: ContiguousArray<Resolution> = []
  /// How many are kept, how many bytes their texts may have together, and how many one may have to be kept. A script can fill this at will, so
  /// it is emptied when it is full.
  static let countLimit = 1024, byteLimit = 1 << 19, textLimit = 1024

  subscript(text: String) -> Resolution? { text.withBytes(texts.find).map { all[$0 - texts.first] } }

  func keep(_ resolution: Resolution) {
    let count = resolution.raw.utf8.count
    guard count <= Self.textLimit else { return }
    if all.count == Self.countLimit || texts.byteCount + count > Self.byteLimit {
      texts.removeAll()
      all = []
    }
    let place = resolution.raw.withBytes(texts.insert) - texts.first
    if place < all.count { all[place] = resolution } else { all.append(resolution) }
  }
}
