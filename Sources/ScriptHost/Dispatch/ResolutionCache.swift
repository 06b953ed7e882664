/// The resolutions of one walk by the index of their reference, and how a plain perform of each goes.
///
/// It is read with every perform, and so without retaining what it holds. Whoever takes a resolution asks whether it is current.
final class ResolutionCache {
  private let storage = Cell(Storage())

  struct Entry {
    var resolution: Resolution?
    var quick = Quick.untried
    /// The plan or the way that `quick` speaks of.
    var object: AnyObject?
    var taker: QuickTaker?
    /// What is performed, as the reference names it.
    var action = ""
    /// The chain's count of changed tables at which the resolution was last seen to be current.
    var tables = -1
  }

  private struct Storage {
    var first = 0
    var count = 0
    var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 0)
    var capacity = 0
  }

  deinit {
    removeAll()
    storage.value.entries.deallocate()
    storage.free()
  }

  /// The entry of a reference.
  @inline(__always)
  func entry(_ index: Int) -> UnsafeMutablePointer<Entry>? {
    let position = index &- storage.value.first
    return position >= 0 && position < storage.value.count ? storage.value.entries + position : nil
  }

  subscript(index: Int) -> Resolution? { entry(index)?.pointee.resolution }

  /// Keeps a resolution; what stood at an index before `oldest` is forgotten.
  func keep(_ resolution: Resolution, at index: Int, oldest: Int) {
    if storage.value.first < oldest {
      removeAll()
      storage.value.first = oldest
    }
    let position = index - storage.value.first
    if position >= storage.value.capacity { grow(to: max(16, 2 * position)) }
    while storage.value.count <= position {
      (storage.value.entries + storage.value.count).initialize(to: Entry())
      storage.value.count += 1
    }
    storage.value.entries[position] = Entry(resolution: resolution)
  }

  private func grow(to capacity: Int) {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    larger.moveInitialize(from: storage.value.entries, count: storage.value.count)
    storage.value.entries.deallocate()
    storage.value.entries = larger
    storage.value.capacity = capacity
  }

  func removeAll() {
    storage.value.entries.deinitialize(count: storage.value.count)
    storage.value.count = 0
  }
}
