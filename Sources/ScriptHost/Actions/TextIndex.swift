/// A *text index* numbers texts by their bytes: the first is 0, the next new one 1, and so on; no number is given
/// twice.
///
/// It stands below the table of names and the table of references, and is read on every perform. All of it lies behind
/// one constant pointer, because each access to a variable of a class is checked for exclusivity and costs as much as a
/// quarter of the lookup.
final class TextIndex {
  private let storage: UnsafeMutablePointer<Storage>

  init() {
    storage = .allocate(capacity: 1)
    storage.initialize(to: Storage(first: 0))
  }

  deinit {
    storage.pointee.free()
    storage.deinitialize(count: 1)
    storage.deallocate()
  }

  /// The number of the first text since all were forgotten.
  var first: Int { storage.pointee.first }

  /// How many bytes the texts have together.
  var byteCount: Int { storage.pointee.byteCount }

  /// Finds the number of a text, or nil when it has none.
  @inline(__always)
  func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return storage.pointee.empty }
    let hash = storage.pointee.hash(start, count: bytes.count)
    let entry = storage.pointee.slots[storage.pointee.slot(of: start, count: bytes.count, hash: hash)]
    return entry < 0 ? nil : storage.pointee.first &+ Int(entry)
  }

  /// Finds the number of a text, or gives it the next one.
  func insert(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if let known = find(bytes) { return known }
    storage.pointee.makeRoom()
    guard let start = bytes.baseAddress, bytes.count > 0 else {
      storage.pointee.empty = storage.pointee.first + storage.pointee.count
      return storage.pointee.append(bytes, hash: 0)
    }
    let hash = storage.pointee.hash(start, count: bytes.count)
    let slot = storage.pointee.slot(of: start, count: bytes.count, hash: hash)
    storage.pointee.slots[slot] = Int32(truncatingIfNeeded: storage.pointee.count)
    return storage.pointee.append(bytes, hash: hash)
  }

  /// Forgets every text and gives the memory back; the numbers go on.
  func removeAll() {
    let first = storage.pointee.first + storage.pointee.count
    storage.pointee.free()
    storage.pointee = Storage(first: first)
  }
}
