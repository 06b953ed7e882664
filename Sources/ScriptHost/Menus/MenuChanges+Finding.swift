// Compares two snapshots. If both have the same elements in the same order, it walks both trees side by side and stores
// nothing. Otherwise it looks up each element by its id, and moves as few siblings as possible.

extension MenuChanges {
  /// Finds the differences between two snapshots of a tree. The panel counts as the last child of `root`, with the id
  /// `panel`.
  package init(from old: MenuElement, to new: MenuElement) {
    let (old, new) = (old.joined, new.joined)
    if !Self.haveSameShape(old, new) {
      var finder = Finder(old, new)
      finder.arrange(new)
      finder.removeGone(old)
      for change in finder.changes { add(change) }
      for element in finder.stayed { compare(finder.old[ByteText(element.id)]?.element ?? element, element) }
    } else {
      compareAll(old, new)
    }
  }

  private static func haveSameShape(_ old: MenuElement, _ new: MenuElement) -> Bool {
    guard old.id.hasSameBytes(as: new.id), old.children.count == new.children.count else { return false }
    if old.hasChildren(of: new) { return true }
    return old.besideChildren(of: new) { old, new in
      for index in old.indices where !old.isSame(as: new, at: index) && !haveSameShape(old[index], new[index]) {
        return false
      }
      return true
    }
  }

  private mutating func compareAll(_ old: MenuElement, _ new: MenuElement) {
    compare(old, new)
    if old.hasChildren(of: new) { return }
    old.besideChildren(of: new) { old, new in
      for index in old.indices where !old.isSame(as: new, at: index) { compareAll(old[index], new[index]) }
    }
  }

  /// Finds the insertions, moves and removals between two snapshots.
  private struct Finder {
    struct Place {
      let element: MenuElement
      let parent: String
      let index: Int
    }

    private(set) var old: [ByteText: Place] = [:]
    private var isNew: Set<ByteText> = []
    private(set) var changes: [MenuChange] = []
    /// The new versions of elements in both snapshots.
    private(set) var stayed: [MenuElement] = []

    init(_ old: MenuElement, _ new: MenuElement) {
      enter(old, parent: "", index: 0)
      note(new)
    }

    private mutating func enter(_ element: MenuElement, parent: String, index: Int) {
      old[ByteText(element.id)] = Place(element: element, parent: parent, index: index)
      for (index, child) in element.children.enumerated() { enter(child, parent: element.id, index: index) }
    }

    private mutating func note(_ element: MenuElement) {
      isNew.insert(ByteText(element.id))
      if old[ByteText(element.id)] != nil { stayed.append(element) }
      for child in element.children { note(child) }
    }

    private func place(_ element: MenuElement) -> Place? { old[ByteText(element.id)] }

    /// Adds the moves and insertions that put an element's children, and all below them, in place.
    mutating func arrange(_ parent: MenuElement, isInserted: Bool = false) {
      var positions: [Int] = []
      for child in parent.children {
        if let place = place(child), place.parent.hasSameBytes(as: parent.id) { positions.append(place.index) }
      }
      let rests = Set(longestIncreasing(positions))
      var last: String?
      for child in parent.children {
        if let place = place(child) {
          if !place.parent.hasSameBytes(as: parent.id) || !rests.contains(place.index) {
            changes.append(.move(id: child.id, parent: parent.id, after: last))
          }
          arrange(child)
        } else {
          if !isInserted { changes.append(.insert(newOnly(child), parent: parent.id, after: last)) }
          arrange(child, isInserted: true)
        }
        last = child.id
      }
    }

    /// Returns a new element with new descendants only. Descendants that existed before are moved into it.
    private func newOnly(_ element: MenuElement) -> MenuElement {
      var element = element
      element.children = element.children.filter { place($0) == nil }.map(newOnly)
      return element
    }

    /// Adds a removal for each element that is gone, which includes what is still below it.
    mutating func removeGone(_ element: MenuElement) {
      for child in element.children {
        if isNew.contains(ByteText(child.id)) {
          removeGone(child)
        } else {
          changes.append(.remove(id: child.id))
          removeGoneBelow(child)
        }
      }
    }

    /// Looks below a removed element: a descendant that moved out may hold removed elements, which need their own
    /// removals.
    private mutating func removeGoneBelow(_ element: MenuElement) {
      for child in element.children {
        if isNew.contains(ByteText(child.id)) { removeGone(child) } else { removeGoneBelow(child) }
      }
    }
  }
}

extension MenuElement {
  /// Returns true if both share the memory of their children, as when a menu was redrawn unchanged.
  fileprivate func hasChildren(of other: MenuElement) -> Bool {
    besideChildren(of: other) { $0.baseAddress == $1.baseAddress && $0.count == $1.count }
  }

  /// Passes the children of both elements in place, because copying an element costs more than comparing it.
  fileprivate func besideChildren<Result>(
    of other: MenuElement, _ body: (UnsafeBufferPointer<MenuElement>, UnsafeBufferPointer<MenuElement>) -> Result
  ) -> Result {
    children.withUnsafeBufferPointer { own in other.children.withUnsafeBufferPointer { body(own, $0) } }
  }
}

extension UnsafeBufferPointer<MenuElement> {
  /// Returns true if the elements at an index share memory and have no children, as when one wasn't redrawn.
  fileprivate func isSame(as other: Self, at index: Int) -> Bool {
    guard let own = baseAddress.map({ $0 + index }), let other = other.baseAddress.map({ $0 + index }) else {
      return false
    }
    return own.pointee.facts === other.pointee.facts && own.pointee.extras === other.pointee.extras
      && own.pointee.isEnabled == other.pointee.isEnabled && own.pointee.isHidden == other.pointee.isHidden
      && own.pointee.isCurrent == other.pointee.isCurrent && own.pointee.isMarked == other.pointee.isMarked
      && own.pointee.isOpen == other.pointee.isOpen && own.pointee.level == other.pointee.level
      && own.pointee.isInPalette == other.pointee.isInPalette
      && own.pointee.hasLostKey == other.pointee.hasLostKey
      && own.pointee.state == other.pointee.state && own.pointee.isBlocked == other.pointee.isBlocked
      && own.pointee.asks == other.pointee.asks && own.pointee.mark == other.pointee.mark
      && isSame(own.pointee.id, other.pointee.id) && isSame(own.pointee.reason, other.pointee.reason)
      && isSame(own.pointee.by, other.pointee.by) && isSame(own.pointee.boundKey, other.pointee.boundKey)
      && isSame(own.pointee.elsewhere, other.pointee.elsewhere)
      && own.pointee.children.isEmpty && other.pointee.children.isEmpty
  }

  /// Returns true if two strings have the same 16 bytes: shared storage, or the same short inline text.
  @inline(__always)
  private func isSame<Text>(_ own: Text, _ other: Text) -> Bool {
    withUnsafeBytes(of: own) { own in
      withUnsafeBytes(of: other) { other in
        own.loadUnaligned(as: UInt64.self) == other.loadUnaligned(as: UInt64.self)
          && own.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            == other.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      }
    }
  }
}

/// Returns the members of a longest increasing subsequence of distinct numbers.
func longestIncreasing(_ numbers: [Int]) -> [Int] {
  // `ends` has, per length, the index of the last number of the best sequence. `before` has the index of each number's
  // predecessor.
  var ends: [Int] = []
  var before = [Int](repeating: -1, count: numbers.count)
  for (index, number) in numbers.enumerated() {
    var low = 0
    var high = ends.count
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
    }
    if low > 0 { before[index] = ends[low - 1] }
    if low == ends.count { ends.append(index) } else { ends[low] = index }
  }
  var sequence: [Int] = []
  var index = ends.last ?? -1
  while index >= 0 {
    sequence.append(numbers[index])
    index = before[index]
  }
  return sequence.reversed()
}
