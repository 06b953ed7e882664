import LiveHost

/// What may stand at a place of a line, where something was begun.
struct Completions: Equatable {
  /// All of what may stand there, in order.
  var candidates: [String] = []
  /// What all of them go on with, and what ends the only one.
  var addition = ""

  /// Nothing.
  init() {}

  /// - Parameters:
  ///   - begun: what stands there already.
  ///   - ending: what follows where only one is left.
  init(_ candidates: some Sequence<String>, begun: some StringProtocol, ending: (String) -> String = { _ in "" }) {
    let begun = Array(begun.utf8)
    var seen: Set<[UInt8]> = []
    let fitting = candidates.filter { $0.utf8.starts(with: begun) && seen.insert(Array($0.utf8)).inserted }
    self.candidates = fitting.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard let first = self.candidates.first else { return }
    let common = self.candidates.dropFirst().reduce(Array(first.unicodeScalars)) { common, other in
      zip(common, other.unicodeScalars).prefix { $0 == $1 }.map(\.0)
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: common)
    addition = String(decoding: String(text).utf8.dropFirst(begun.count), as: UTF8.self)
    if self.candidates.count == 1 { addition += ending(first) }
  }

  /// All of them below each other and side by side, as many rows as needed, a screen of them at most.
  func listing(columns: Int) -> String {
    let shown = candidates.prefix(200).map(\.visible)
    let width = (shown.map(\.width).max() ?? 0) + 2
    let perRow = max(1, (min(columns, 200) - 1) / width)
    let rows = (shown.count + perRow - 1) / perRow
    var lines = (0..<rows).map { row in
      stride(from: row, to: shown.count, by: rows).map { shown[$0].padded(to: width) }.joined().withoutTrailingBlanks
    }
    if candidates.count > shown.count { lines.append("… \(candidates.count - shown.count) more") }
    return lines.joined(separator: "\n")
  }
}
