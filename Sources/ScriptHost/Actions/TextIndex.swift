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

extension TextIndex {
  /// The memory of a text index.
  ///
  /// `slots` is a power of two in size, at most half full, and holds positions of entries or -1. An entry's bytes lie
  /// in `bytes` from its `start` on. The empty text has no address to hash and is kept aside in `empty`.
  struct Storage {
    struct Entry {
      let hash: UInt64
      let start: Int
      let count: Int
    }

    let hash = ByteHash()
    let first: Int
    var empty: Int?
    var slots: UnsafeMutablePointer<Int32>
    var mask: Int
    var entries: UnsafeMutablePointer<Entry>
    var capacity: Int
    var count = 0
    var bytes: UnsafeMutablePointer<UInt8>
    var byteCapacity: Int
    var byteCount = 0

    init(first: Int) {
      self.first = first
      capacity = 32
      byteCapacity = 1024
      mask = 2 * capacity - 1
      slots = .allocate(capacity: mask + 1)
      slots.initialize(repeating: -1, count: mask + 1)
      entries = .allocate(capacity: capacity)
      bytes = .allocate(capacity: byteCapacity)
    }

    func free() {
      slots.deallocate()
      entries.deallocate()
      bytes.deallocate()
    }

    /// Where the text is, or the free slot where it would be.
    @inline(__always)
    func slot(of text: UnsafePointer<UInt8>, count: Int, hash: UInt64) -> Int {
      var slot = Int(truncatingIfNeeded: hash) & mask
      while true {
        let position = Int(slots[slot])
        if position < 0 { return slot }
        let entry = entries + position
        if entry.pointee.hash == hash, entry.pointee.count == count,
          sameBytes(bytes + entry.pointee.start, text, count: count)
        {
          return slot
        }
        slot = (slot &+ 1) & mask
      }
    }

    /// Makes sure that one more entry fits, with half of the slots still free.
    mutating func makeRoom() {
      guard count == capacity else { return }
      entries = moved(entries, count: count, capacity: 2 * capacity)
      capacity *= 2
      slots.deallocate()
      mask = 2 * capacity - 1
      slots = .allocate(capacity: mask + 1)
      slots.initialize(repeating: -1, count: mask + 1)
      for position in 0..<count where entries[position].count > 0 {
        var slot = Int(truncatingIfNeeded: entries[position].hash) & mask
        while slots[slot] >= 0 { slot = (slot &+ 1) & mask }
        slots[slot] = Int32(truncatingIfNeeded: position)
      }
    }

    /// Keeps a copy of the bytes as the next entry, for which there is room.
    mutating func append(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
      if byteCapacity - byteCount < text.count {
        byteCapacity = max(2 * byteCapacity, byteCount + text.count)
        bytes = moved(bytes, count: byteCount, capacity: byteCapacity)
      }
      if let start = text.baseAddress { (bytes + byteCount).initialize(from: start, count: text.count) }
      (entries + count).initialize(to: Entry(hash: hash, start: byteCount, count: text.count))
      byteCount += text.count
      count += 1
      return first + count - 1
    }
  }
}

/// Moves the elements to new memory and gives the old back.
private func moved<Cell: BitwiseCopyable>(
  _ old: UnsafeMutablePointer<Cell>, count: Int, capacity: Int
) -> UnsafeMutablePointer<Cell> {
  let new = UnsafeMutablePointer<Cell>.allocate(capacity: capacity)
  new.moveInitialize(from: old, count: count)
  old.deallocate()
  return new
}
