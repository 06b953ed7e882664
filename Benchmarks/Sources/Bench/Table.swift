/// Lays results out in columns, a line at a time, so that a long run shows how far it is.
struct Table {
  /// An earlier run, to be shown beside this one.
  var earlier: Records?
  /// Whether each row is against another program, whose instructions are not counted.
  var isOfPeers = false

  private let widths = [14, 13, 13, 7, 6, 12, 12, 7]

  var header: String {
    let floor = isOfPeers ? "theirs" : "floor"
    let names = ["row", "ours ns", "\(floor) ns", "ratio", "±", "ours ins", "floor ins", "ratio"]
    return line(names, then: "bound" + (earlier == nil ? "" : ", ratios before"))
  }

  func line(_ result: Result) -> String {
    let cells = [
      result.row.name, fixed(median(result.timing.ours), 1), fixed(median(result.timing.floor), 1),
      fixed(result.timing.ratio, 2), fixed(result.timing.spread * 100, 0) + " %", number(result.ours, 1),
      number(result.floor, 1), number(result.countRatio, 2),
    ]
    let bound = result.judgement.isEmpty ? "" : result.judgement + ", "
    return line(cells, then: bound + result.verdict + before(result) + against(result))
  }

  private func number(_ value: Double?, _ digits: Int) -> String { value.map { fixed($0, digits) } ?? "-" }

  private func against(_ result: Result) -> String {
    switch result.row.opponent {
    case .floor: ""
    case .ours(let name), .program(let name): " (against \(name))"
    }
  }

  private func before(_ result: Result) -> String {
    guard let earlier, let ratio = earlier[result.row.name, "ratio"] else { return "" }
    guard let ours = earlier[result.row.name, "oursInstructions"],
      let floor = earlier[result.row.name, "floorInstructions"]
    else { return ", was \(fixed(ratio, 2))" }
    return ", was \(fixed(ratio, 2)) and \(fixed(ours / floor, 2))"
  }

  /// The first column to the left, the others to the right.
  private func line(_ cells: [String], then rest: String) -> String {
    var text = ""
    for (index, cell) in cells.prefix(isOfPeers ? 5 : cells.count).enumerated() {
      let blanks = String(repeating: " ", count: max(0, widths[index] - cell.count))
      text += index == 0 ? cell + blanks : blanks + cell
    }
    return text + "   " + rest
  }
}
