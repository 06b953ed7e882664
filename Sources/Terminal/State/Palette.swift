/// The *palette* is everything that can be done, or can't, found by a few letters of its title, its path, its action or its key.
struct Palette {
  /// An entry of the palette: one thing that can be picked there.
  struct Entry {
    /// What it is picked by.
    let id: String
    /// Where it stands, from the outermost menu to itself.
    let path: [String]
    var action = ""
    var key = ""
    var reason = ""
    var isDestructive = false
    /// Whether it has no title but the name of its action, since nobody said what it is called.
    var isUntitled = false

    var isEnabled: Bool { reason.isEmpty }
    var title: String { path.last ?? "" }
  }

  let entries: [Entry]
  /// What each entry is found by: its title first, which counts most.
  private let texts: [(title: FuzzyText, whole: FuzzyText)]

  init(_ entries: [Entry]) {
    self.entries = entries
    // Those of one menu stand one behind another, in the same place.
    var around: (path: ArraySlice<String>, texts: [FuzzyText]) = ([], [])
    texts = entries.map { entry in
      let path = entry.path.dropLast()
      if path != around.path { around = (path, path.map(FuzzyText.init)) }
      let title = FuzzyText(entry.title)
      return (title, FuzzyText(joining: around.texts + [title, FuzzyText(entry.action), FuzzyText(entry.key)]))
    }
  }

  /// What is found in the title itself counts so much more than what is found beside it.
  private static let titleBonus = 20
  /// What can't be done now stands behind what can and is found as well.
  private static let enabledBonus = 4
  private static let latestBonus = 24
  /// A name of a script's is no title: it stands behind what has one.
  private static let untitledMalus = 3

  /// The entries that have what was typed, by their places, the best first; those of the same worth as they were declared.
  ///
  /// - Parameter latest: the ids of what was picked last, the last one first.
  func found(_ typed: String, latest: [String] = []) -> [Int] {
    let query = FuzzyText.Query(typed)
    // Once something is typed, what begins with it goes before what was used last and only has it somewhere.
    let most = query.isEmpty ? Self.latestBonus : Self.latestBonus / 2
    let bonus = Dictionary(
      latest.prefix(8).enumerated().map { ($1, max(0, most - 2 * $0)) }, uniquingKeysWith: { first, _ in first })
    var found: [(score: Int, place: Int)] = []
    for (place, text) in texts.enumerated() {
      let title = text.title.score(query).map { $0 + (query.isEmpty ? 0 : Self.titleBonus) }
      guard let score = title ?? text.whole.score(query) else { continue }
      let entry = entries[place]
      // What was used last and can't be done now is not what one looks for.
      let known = entry.isEnabled ? Self.enabledBonus + (bonus[entry.id] ?? 0) : 0
      found.append((score + known - (entry.isUntitled ? Self.untitledMalus : 0), place))
    }
    return found.sorted { $0.score != $1.score ? $0.score > $1.score : $0.place < $1.place }.map(\.place)
  }

  /// Whether an entry has what was typed in nothing that is to be seen of it, but in the reference of its action.
  func isFoundByAction(_ place: Int, _ typed: String) -> Bool {
    let query = FuzzyText.Query(typed)
    let entry = entries[place]
    let seen = FuzzyText((entry.path + [entry.key]).joined(separator: " "))
    return texts[place].whole.score(query) != nil && texts[place].title.score(query) == nil && seen.score(query) == nil
  }
}
