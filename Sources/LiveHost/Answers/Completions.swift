/// The completions of a word that was begun, in a line.
package struct Completions: Equatable {
  /// All candidates, sorted.
  package var candidates: [String] = []
  /// The text that can be added to the word: the beginning that all candidates share, and the ending if there is only one.
  package var addition = ""

  /// No completions.
  package init() {}

  /// - Parameters:
  ///   - begun: the beginning of the word, which is typed already.
  ///   - ending: the text that follows if only one candidate is left.
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

  /// The completions that a live app has answered.
  init(told json: JSON) {
    candidates = (json["candidates"]?.list ?? []).compactMap(\.text)
    addition = json["addition"]?.text ?? ""
  }
}
