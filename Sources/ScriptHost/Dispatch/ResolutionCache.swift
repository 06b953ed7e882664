/// The resolutions of one walk by the index of their reference. Whoever takes one asks whether it is current.
final class ResolutionCache {
  private let storage = Cell(Storage())

  private struct Storage {
    var first = 0
    var entries: ContiguousArray<Resolution?> = []
  }

  deinit { storage.free() }

  @inline(__always)
  subscript(index: Int) -> Resolution? {
    let position = index &- storage.value.first
    guard position >= 0, position < storage.value.entries.count else { return nil }
    return storage.value.entries[position]
  }

  /// Keeps a resolution; what stood at an index before `oldest` is forgotten.
  func keep(_ resolution: Resolution, at index: Int, oldest: Int) {
    if storage.value.first < oldest {
      storage.value.entries = []
      storage.value.first = oldest
    }
    while storage.value.entries.count <= index - storage.value.first { storage.value.entries.append(nil) }
    storage.value.entries[index - storage.value.first] = resolution
  }

  func removeAll() { storage.value.entries = [] }
}
