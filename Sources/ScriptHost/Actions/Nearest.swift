/// The names closest to one that nobody knows, closest first, for "did you mean".
///
/// A name is close when few of its letters are missing, too many, wrong or swapped with their neighbour: one of
/// three, and three at most. Among equally close ones the order is that of their bytes, so that a message is always
/// the same.
package func nearest(to wanted: String, among known: some Sequence<String>, limit: Int = 3) -> [String] {
  var distance = EditDistance(from: wanted)
  var found: [(name: String, edits: Int)] = []
  for name in known where !name.hasSameBytes(as: wanted) {
    guard let edits = distance.to(name), !found.contains(where: { $0.name.hasSameBytes(as: name) }) else { continue }
    let place = found.firstIndex { edits < $0.edits || edits == $0.edits && name.precedesByBytes($0.name) }
    found.insert((name, edits), at: place ?? found.endIndex)
    if found.count > limit { found.removeLast() }
  }
  return found.map(\.name)
}

/// Counts the edits from one name to others, as far as they are few.
///
/// It is Damerau's and Levenshtein's distance in which no place is edited twice. Only the first 64 scalars of a name
/// are looked at, and names whose lengths differ by too much not at all, so a name costs at most 64 × 64 steps.
private struct EditDistance {
  private static let length = 64
  private let wanted: [Unicode.Scalar]
  private let most: Int
  private var before: [Int]
  private var last: [Int]
  private var row: [Int]

  init(from wanted: String) {
    self.wanted = Array(wanted.unicodeScalars.prefix(Self.length))
    most = min(3, max(1, self.wanted.count / 3))
    row = Array(repeating: 0, count: self.wanted.count + 1)
    before = row
    last = row
  }

  /// How many edits lead to the name; nil when they are too many to mean it.
  mutating func to(_ name: String) -> Int? {
    let name = Array(name.unicodeScalars.prefix(Self.length))
    guard abs(name.count - wanted.count) <= most else { return nil }
    for column in row.indices { row[column] = column }
    for line in name.indices {
      (before, last, row) = (last, row, before)
      row[0] = line + 1
      for column in wanted.indices {
        let differs = wanted[column] == name[line] ? 0 : 1
        var edits = min(last[column] + differs, last[column + 1] + 1, row[column] + 1)
        if column > 0, line > 0, wanted[column] == name[line - 1], wanted[column - 1] == name[line] {
          edits = min(edits, before[column - 1] + 1)
        }
        row[column + 1] = edits
      }
    }
    let edits = row[wanted.count]
    return edits <= most && edits < max(wanted.count, name.count) ? edits : nil
  }
}
