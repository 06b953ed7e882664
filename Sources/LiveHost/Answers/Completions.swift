/// What may stand at a place of a line, where something was begun.
package struct Completions: Equatable {
  /// All of what may stand there, in order.
  package var candidates: [String] = []
  /// What all candidates go on with, and what ends the only one.
  package var addition = ""

  /// No completions.
  package init() {}

  /// - Parameters:
  ///   - begun: what stands there already.
  ///   - ending: what follows where only one is left.
  package init(
    _ candidates: some Sequence<String>, begun: some StringProtocol, ending: (String) -> String = { _ in "" }
  ) {
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

  /// What a live app answered.
  init(told json: JSON) {
    candidates = (json["candidates"]?.list ?? []).compactMap(\.text)
    addition = json["addition"]?.text ?? ""
  }
}
