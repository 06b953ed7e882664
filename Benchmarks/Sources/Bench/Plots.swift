/// The plots of a run: what more providers, more items and a longer chain cost.
struct Plots {
  let records: Records

  /// Writes them into a folder, those of whose rows there are enough.
  func write(into folder: String) throws {
    for (file, plot) in all where plot.series.allSatisfy({ $0.points.count > 1 }) {
      try writeFile("\(folder)/\(file).svg", plot.svg)
    }
  }

  private var all: [(file: String, plot: Plot)] {
    [
      (
        "providers",
        Plot(
          title: "A perform", sizes: "providers on the way",
          series: [series("menuctl", "perform-", "ours"), series("bare C", "perform-", "floor")])
      ),
      (
        "items",
        Plot(
          title: "A validation pass", sizes: "items in the menu",
          series: [series("menuctl", "pass-", "ours"), series("bare C", "pass-", "floor")])
      ),
      (
        "depth",
        Plot(
          title: "A perform that the far end takes", sizes: "responders in the chain",
          series: [series("menuctl", "depth-", "ours", one: records["depth-10", "floor"])])
      ),
    ]
  }

  /// A number of the rows whose names are a prefix and a size, smallest first; that of size one may stand in another row.
  private func series(_ name: String, _ prefix: String, _ key: String, one: Double? = nil) -> Plot.Series {
    var points: [(size: Double, nanoseconds: Double)] = one.map { [(1, $0)] } ?? []
    for row in records.names where row.hasPrefix(prefix) {
      guard let size = Int(row.dropFirst(prefix.count)), let value = records[row, key] else { continue }
      points.append((Double(size), value))
    }
    return Plot.Series(name: name, points: points.sorted { $0.size < $1.size })
  }
}
