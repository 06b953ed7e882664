// Finding what changed. Where the same elements stand in the same order, both trees are walked side by side and nothing is kept;
// else every element is found by its id, and of the siblings that stayed as few as can be are moved.

extension MenuChanges {
  /// What changed between two snapshots of one tree.
  public init(from old: MenuElement, to new: MenuElement) {
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
    for (old, new) in zip(old.children, new.children) where !haveSameShape(old, new) { return false }
    return true
  }

  private mutating func compareAll(_ old: MenuElement, _ new: MenuElement) {
    compare(old, new)
    for (old, new) in zip(old.children, new.children) { compareAll(old, new) }
  }

  /// Two snapshots that differ in what stands where.
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

    /// Puts the children of an element where they belong, and theirs.
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

    /// A new element with what is new below it, and not what was elsewhere before.
    private func newOnly(_ element: MenuElement) -> MenuElement {
      var element = element
      element.children = element.children.filter { place($0) == nil }.map(newOnly)
      return element
    }

    /// Takes out what is not there any more, each with all that is still in it.
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

    /// Below what goes, only what stays elsewhere may still hold something that goes.
    private mutating func removeGoneBelow(_ element: MenuElement) {
      for child in element.children {
        if isNew.contains(ByteText(child.id)) { removeGone(child) } else { removeGoneBelow(child) }
      }
    }
  }
}

/// The members of a longest increasing subsequence of distinct numbers.
func longestIncreasing(_ numbers: [Int]) -> [Int] {
  // The last number of the best sequence of each length, and who comes before each number in its best one.
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
