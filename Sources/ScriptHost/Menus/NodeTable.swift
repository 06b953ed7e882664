/// A hash table of a tree's nodes by id, whose hashes a script can't make collide.
///
/// `slots` is a power of two in size and at most half full; what is in it is a position in `entries`, or -1.
struct NodeTable {
  private struct Entry {
    let hash: UInt64
    let node: MenuNode
  }

  private let hash = ByteHash()
  private var slots = ContiguousArray<Int32>(repeating: -1, count: 32)
  private var entries: ContiguousArray<Entry> = []

  var all: [MenuNode] { entries.map(\.node) }

  subscript(id: String) -> MenuNode? {
    let position = slots[slot(of: id, hash(of: id))]
    return position < 0 ? nil : entries[Int(position)].node
  }

  /// Enters a node under its id. If a node has that id already, returns it and does nothing.
  @discardableResult
  mutating func insert(_ node: MenuNode) -> MenuNode? {
    let hash = hash(of: node.id)
    let slot = slot(of: node.id, hash)
    if slots[slot] >= 0 { return entries[Int(slots[slot])].node }
    slots[slot] = Int32(truncatingIfNeeded: entries.count)
    entries.append(Entry(hash: hash, node: node))
    if 2 * entries.count > slots.count { grow() }
    return nil
  }

  /// Removes a node, if it is the one entered under its id.
  mutating func remove(_ node: MenuNode) {
    let slot = slot(of: node.id, hash(of: node.id))
    let position = slots[slot]
    guard position >= 0, entries[Int(position)].node === node else { return }
    let last = entries.removeLast()
    if Int(position) < entries.count {
      slots[self.slot(of: Int32(truncatingIfNeeded: entries.count), last.hash)] = position
      entries[Int(position)] = last
    }
    free(slot)
  }

  /// Makes room for `count` more nodes.
  mutating func reserve(_ count: Int) {
    entries.reserveCapacity(entries.count + count)
    while 2 * (entries.count + count) > slots.count { grow() }
  }

  private func hash(of id: String) -> UInt64 {
    id.withBytes { bytes in bytes.baseAddress.map { hash($0, count: bytes.count) } ?? 0 }
  }

  /// The index of the next slot, wrapping around.
  private func next(_ slot: Int) -> Int { (slot &+ 1) & (slots.count &- 1) }

  private func home(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count &- 1) }

  /// The slot of an id, or the free slot where it would go.
  private func slot(of id: String, _ hash: UInt64) -> Int {
    var slot = home(of: hash)
    while slots[slot] >= 0 {
      let entry = entries[Int(slots[slot])]
      if entry.hash == hash, entry.node.id.hasSameBytes(as: id) { return slot }
      slot = next(slot)
    }
    return slot
  }

  /// The slot that holds a position, at or after the home of its hash.
  private func slot(of position: Int32, _ hash: UInt64) -> Int {
    var slot = home(of: hash)
    while slots[slot] != position { slot = next(slot) }
    return slot
  }

  /// Frees a slot, and moves later entries up so that each is still found from its home.
  private mutating func free(_ slot: Int) {
    var free = slot
    var other = next(slot)
    while slots[other] >= 0 {
      let distance = (other &- home(of: entries[Int(slots[other])].hash)) & (slots.count &- 1)
      if distance >= (other &- free) & (slots.count &- 1) {
        slots[free] = slots[other]
        free = other
      }
      other = next(other)
    }
    slots[free] = -1
  }

  private mutating func grow() {
    slots = ContiguousArray(repeating: -1, count: 2 * slots.count)
    for position in entries.indices {
      var slot = home(of: entries[position].hash)
      while slots[slot] >= 0 { slot = next(slot) }
      slots[slot] = Int32(truncatingIfNeeded: position)
    }
  }
}
