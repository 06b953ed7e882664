// Compares two snapshots. If the same elements stand in the same order, both trees are walked side by side and nothing is stored;
// else each element is looked up by its id, and as few of the remaining siblings as possible are moved.

extension MenuChanges {
  /// What changed between two snapshots of one tree. The panel counts as standing in `root` behind the menus, with the id `panel`.
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
    /// Elements that stand in both, as they are now.
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

    /// A new element with its new descendants only; those that stood elsewhere before are moved into it.
    private func newOnly(_ element: MenuElement) -> MenuElement {
      var element = element
      element.children = element.children.filter { place($0) == nil }.map(newOnly)
      return element
    }

    /// Adds a removal for each element that is gone; it takes along what is still below.
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

    /// Looks below a removed element: a descendant that was moved out may hold elements that are gone, which need removals of their own.
    private mutating func removeGoneBelow(_ element: MenuElement) {
      for child in element.children {
        if isNew.contains(ByteText(child.id)) { removeGone(child) } else { removeGoneBelow(child) }
      }
    }
  }
}

extension MenuElement {
  /// Whether both elements share the memory of their children, as when a menu was drawn again unchanged.
  fileprivate func hasChildren(of other: MenuElement) -> Bool {
    besideChildren(of: other) { $0.baseAddress == $1.baseAddress && $0.count == $1.count }
  }

  /// Gives `body` the children of both elements in place, because copying an element out of an array costs more than comparing it.
  fileprivate func besideChildren<Result>(
    of other: MenuElement, _ body: (UnsafeBufferPointer<MenuElement>, UnsafeBufferPointer<MenuElement>) -> Result
  ) -> Result {
    children.withUnsafeBufferPointer { own in other.children.withUnsafeBufferPointer { body(own, $0) } }
  }
}

extension UnsafeBufferPointer<MenuElement> {
  /// Whether the elements at an index are the same in memory and childless, as when one was not redrawn. Equal ones elsewhere in memory don't count.
  fileprivate func isSame(as other: Self, at index: Int) -> Bool {
    guard let own = baseAddress.map({ $0 + index }), let other = other.baseAddress.map({ $0 + index }) else {
      return false
    }
    return own.pointee.facts === other.pointee.facts && own.pointee.extras === other.pointee.extras
      && own.pointee.isEnabled == other.pointee.isEnabled && own.pointee.isHidden == other.pointee.isHidden
      && own.pointee.isCurrent == other.pointee.isCurrent && own.pointee.isMarked == other.pointee.isMarked
      && own.pointee.isOpen == other.pointee.isOpen && own.pointee.level == other.pointee.level
      && own.pointee.isInPalette == other.pointee.isInPalette
      && own.pointee.state == other.pointee.state && own.pointee.isBlocked == other.pointee.isBlocked
      && own.pointee.asks == other.pointee.asks && own.pointee.mark == other.pointee.mark
      && isSame(own.pointee.id, other.pointee.id) && isSame(own.pointee.reason, other.pointee.reason)
      && isSame(own.pointee.by, other.pointee.by) && isSame(own.pointee.boundKey, other.pointee.boundKey)
      && isSame(own.pointee.elsewhere, other.pointee.elsewhere)
      && own.pointee.children.isEmpty && other.pointee.children.isEmpty
  }

  /// Whether two strings are the same 16 bytes: they share their storage, or are the same short text stored inline.
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

/// The members of a longest increasing subsequence of distinct numbers.
func longestIncreasing(_ numbers: [Int]) -> [Int] {
  // `ends` has, for each length, the index of the last number of the best sequence; `before` the index of each number's predecessor in its own.
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
