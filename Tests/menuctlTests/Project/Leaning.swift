/// The uses among several files: a file uses another if it names what that declares.
struct Leaning {
  private(set) var edges: [String: Set<String>] = [:]

  /// - Parameters:
  ///
  ///   - declared: the names that each file declares. A name that two of them declare proves no use.
  ///
  ///   - named: the names in each file.
  init(declared: [String: Set<String>], named: [String: Set<String>]) {
    var homes: [String: [String]] = [:]
    for (file, names) in declared {
      for name in names { homes[name, default: []].append(file) }
    }
    for (file, names) in named {
      let others = names.compactMap { homes[$0]?.count == 1 ? homes[$0]?[0] : nil }
      edges[file] = Set(others).subtracting([file])
    }
  }

  /// The circles: files that use each other, directly or through others. The largest first.
  var circles: [[String]] {
    var search = CircleSearch(edges: edges)
    for file in edges.keys.sorted() where search.numbers[file] == nil { search.visit(file) }
    return search.circles.sorted { $0.count > $1.count }
  }
}

/// Tarjan's search for strongly connected components.
private struct CircleSearch {
  let edges: [String: Set<String>]
  var numbers: [String: Int] = [:]
  private var lowest: [String: Int] = [:]
  private var open: [String] = []
  var circles: [[String]] = []

  init(edges: [String: Set<String>]) { self.edges = edges }

  mutating func visit(_ file: String) {
    let number = numbers.count
    numbers[file] = number
    lowest[file] = number
    open.append(file)
    for other in (edges[file] ?? []).sorted() {
      if numbers[other] == nil {
        visit(other)
        lowest[file] = min(lowest[file] ?? number, lowest[other] ?? number)
      } else if open.contains(other) {
        lowest[file] = min(lowest[file] ?? number, numbers[other] ?? number)
      }
    }
    guard lowest[file] == number, let first = open.firstIndex(of: file) else { return }
    let circle = open[first...].sorted()
    open.removeSubrange(first...)
    if circle.count > 1 { circles.append(circle) }
  }
}
