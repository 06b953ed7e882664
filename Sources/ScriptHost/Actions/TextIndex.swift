/// Numbers texts by their bytes: 0, 1, 2 and so on. Only the number of a removed text is used twice.
///
/// The tables of names and references use it, on every perform. It is behind one constant pointer, because each access
/// to a class's variable is checked for exclusivity. A check costs a quarter of a lookup.
final class TextIndex {
  private let storage: UnsafeMutablePointer<Storage>

  init() {
    storage = .allocate(capacity: 1)
    storage.initialize(to: Storage(first: 0))
  }

  deinit {
    storage.pointee.release()
    storage.deinitialize(count: 1)
    storage.deallocate()
  }

  /// The number of the first text since the last `removeAll`.
  var first: Int { storage.pointee.first }

  /// The total bytes of the texts.
  var byteCount: Int { storage.pointee.byteCount }

  /// Returns the number of a text; nil if it has none.
  @inline(__always)
  func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return storage.pointee.empty }
    let hash = storage.pointee.hash(start, count: bytes.count)
    let entry = storage.pointee.slots[storage.pointee.slot(of: start, count: bytes.count, hash: hash)]
    return entry < 0 ? nil : storage.pointee.first &+ Int(entry)
  }

  /// Returns the number of a text, which gets the next one if it is new.
  func insert(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if let known = find(bytes) { return known }
    guard let start = bytes.baseAddress, bytes.count > 0 else {
      storage.pointee.makeRoom()
      storage.pointee.empty = storage.pointee.first + storage.pointee.count
      return storage.pointee.append(bytes, hash: 0)
    }
    let hash = storage.pointee.hash(start, count: bytes.count)
    if let free = storage.pointee.free.popLast() {
      storage.pointee.slots[storage.pointee.slot(of: start, count: bytes.count, hash: hash)] = free
      storage.pointee.put(bytes, hash: hash, at: Int(free))
      return storage.pointee.first + Int(free)
    }
    storage.pointee.makeRoom()
    let slot = storage.pointee.slot(of: start, count: bytes.count, hash: hash)
    storage.pointee.slots[slot] = Int32(truncatingIfNeeded: storage.pointee.count)
    return storage.pointee.append(bytes, hash: hash)
  }

  /// The number of texts that were removed, and whose numbers are free.
  var removed: Int { storage.pointee.free.count }

  /// Removes texts. Later texts get their numbers.
  func remove(_ numbers: some Sequence<Int>) { storage.pointee.remove(numbers) }

  /// Removes all texts and frees the memory. Numbering continues.
  func removeAll() {
    let first = storage.pointee.first + storage.pointee.count
    storage.pointee.release()
    storage.pointee = Storage(first: first)
  }
}

extension TextIndex {
  /// The memory of a text index.
  ///
  /// The size of `slots` is a power of two. At most half of it is full, with positions of entries; the rest is -1. An
  /// entry's bytes are in `bytes`, from its `start` on. The empty text has no address to hash, so its number is in
  /// `empty`.
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
    /// The positions of removed texts.
    var free: [Int32] = []

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

    func release() {
      slots.deallocate()
      entries.deallocate()
      bytes.deallocate()
    }

    /// Returns the text's slot, or the free slot for it.
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

    /// Makes room for one more entry, with half of the slots still free.
    mutating func makeRoom() {
      guard count == capacity else { return }
      entries = moved(entries, count: count, capacity: 2 * capacity)
      capacity *= 2
      slots.deallocate()
      mask = 2 * capacity - 1
      slots = .allocate(capacity: mask + 1)
      fillSlots()
    }

    private func fillSlots() {
      slots.initialize(repeating: -1, count: mask + 1)
      for position in 0..<count where entries[position].count > 0 {
        var slot = Int(truncatingIfNeeded: entries[position].hash) & mask
        while slots[slot] >= 0 { slot = (slot &+ 1) & mask }
        slots[slot] = Int32(truncatingIfNeeded: position)
      }
    }

    /// Removes the texts with these numbers, and their bytes. The empty text stays.
    mutating func remove(_ numbers: some Sequence<Int>) {
      for number in numbers where 0..<count ~= number - first && entries[number - first].count > 0 {
        entries[number - first] = Entry(hash: 0, start: 0, count: 0)
        free.append(Int32(truncatingIfNeeded: number - first))
      }
      let old = bytes
      bytes = .allocate(capacity: byteCapacity)
      byteCount = 0
      for position in 0..<count where entries[position].count > 0 {
        let entry = entries[position]
        let text = UnsafeBufferPointer(start: UnsafePointer(old + entry.start), count: entry.count)
        put(text, hash: entry.hash, at: position)
      }
      old.deallocate()
      fillSlots()
    }

    /// Stores a copy of the bytes as the next entry. Requires room for an entry.
    mutating func append(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
      put(text, hash: hash, at: count)
      count += 1
      return first + count - 1
    }

    /// Stores a copy of the bytes as the entry at a position.
    mutating func put(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64, at position: Int) {
      if byteCapacity - byteCount < text.count {
        byteCapacity = max(2 * byteCapacity, byteCount + text.count)
        bytes = moved(bytes, count: byteCount, capacity: byteCapacity)
      }
      if let start = text.baseAddress { (bytes + byteCount).initialize(from: start, count: text.count) }
      (entries + position).initialize(to: Entry(hash: hash, start: byteCount, count: text.count))
      byteCount += text.count
    }
  }
}

/// Moves the elements to new memory, and frees the old.
private func moved<Cell: BitwiseCopyable>(
  _ old: UnsafeMutablePointer<Cell>, count: Int, capacity: Int
) -> UnsafeMutablePointer<Cell> {
  let new = UnsafeMutablePointer<Cell>.allocate(capacity: capacity)
  new.moveInitialize(from: old, count: count)
  old.deallocate()
  return new
}
