/// The resolutions of one walk by the index of their reference, for as long as they hold.
struct ResolutionCache {
  private var first = 0
  private var entries: ContiguousArray<Resolution?> = []

  @inline(__always)
  subscript(index: Int) -> Resolution? {
    let position = index &- first
    guard position >= 0, position < entries.count, let known = entries[position], known.isCurrent else { return nil }
    return known
  }

  /// Keeps a resolution; what stood at an index before `oldest` is forgotten.
  mutating func keep(_ resolution: Resolution, at index: Int, oldest: Int) {
    if first < oldest {
      entries = []
      first = oldest
    }
    while entries.count <= index - first { entries.append(nil) }
    entries[index - first] = resolution
  }
}
