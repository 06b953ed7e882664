/// Numbers by row and name, in a JSON file with a line for each row: results, and the floors' own counts.
struct Records {
  private var rows: [(name: String, numbers: [(key: String, value: Double)])] = []

  /// The rows, in order.
  var names: [String] { rows.map(\.name) }

  subscript(row: String, key: String) -> Double? {
    self[row].first { $0.key == key }?.value
  }

  subscript(row: String) -> [(key: String, value: Double)] {
    get { rows.first { $0.name == row }?.numbers ?? [] }
    set {
      if let index = rows.firstIndex(where: { $0.name == row }) {
        rows[index].numbers = newValue
      } else {
        rows.append((row, newValue))
      }
    }
  }

  var json: String {
    let lines = rows.map { row in
      let numbers = row.numbers.map { ", \"\($0.key)\": \(fixed($0.value, 3))" }.joined()
      return "  { \"row\": \"\(row.name)\"\(numbers) }"
    }
    return "[\n\(lines.joined(separator: ",\n"))\n]\n"
  }

  init() {}

  /// Reads what `json` wrote.
  init(json: String) throws {
    for line in json.split(separator: "\n") where line.contains("{") {
      let parts = line.split { "{},".contains($0) }.map { part in
        part.split(separator: ":", maxSplits: 1).map { $0.trimming(" \"") }
      }
      let pairs = parts.filter { $0.count == 2 }
      guard let name = pairs.first, name[0] == "row" else { throw BenchError("no row in: \(line)") }
      rows.append((name[1], pairs.dropFirst().compactMap { pair in Double(pair[1]).map { (pair[0], $0) } }))
    }
  }
}

extension Substring {
  fileprivate func trimming(_ characters: String) -> String {
    var text = self
    while let first = text.first, characters.contains(first) { text.removeFirst() }
    while let last = text.last, characters.contains(last) { text.removeLast() }
    return String(text)
  }
}
