/// The *palette* finds everything that can be done, or can't, by a few letters of its title, path, action or key.
struct Palette {
  /// An entry of the palette: one thing that can be picked there.
  struct Entry {
    /// The id by which it is picked.
    let id: String
    /// The titles from the outermost menu to the entry itself.
    let path: [String]
    var action = ""
    var key = ""
    var reason = ""
    var isDestructive = false
    /// Whether its title is only the name of its action, because it has no other.
    var isUntitled = false

    var isEnabled: Bool { reason.isEmpty }
    var title: String { path.last ?? "" }
  }

  let entries: [Entry]
  /// The texts by which each entry is found: its title, which counts most, and everything together.
  private let texts: [(title: FuzzyText, whole: FuzzyText)]

  init(_ entries: [Entry]) {
    self.entries = entries
    // The entries of a menu follow each other with the same path, so its texts are folded once.
    var around: (path: ArraySlice<String>, texts: [FuzzyText]) = ([], [])
    texts = entries.map { entry in
      let path = entry.path.dropLast()
      if path != around.path { around = (path, path.map(FuzzyText.init)) }
      let title = FuzzyText(entry.title)
      return (title, FuzzyText(joining: around.texts + [title, FuzzyText(entry.action), FuzzyText(entry.key)]))
    }
  }

  /// The bonus of an entry that is found by its title alone.
  private static let titleBonus = 20
  /// The bonus of an entry that can be done now over one that can't.
  private static let enabledBonus = 4
  private static let latestBonus = 24
  /// The malus of an entry that has only the name of its action.
  private static let untitledMalus = 3

  /// The places of the entries that match the typed text, the best first; those of the same score in the order of declaration.
  ///
  /// - Parameter latest: the ids of the entries that were picked, the latest first.
  func found(_ typed: String, latest: [String] = []) -> [Int] {
    let query = FuzzyText.Query(typed)
    // Once something is typed, an entry that begins with it goes before one that was used last and only contains it.
    let most = query.isEmpty ? Self.latestBonus : Self.latestBonus / 2
    let bonus = Dictionary(
      latest.prefix(8).enumerated().map { ($1, max(0, most - 2 * $0)) }, uniquingKeysWith: { first, _ in first })
    var found: [(score: Int, place: Int)] = []
    for (place, text) in texts.enumerated() {
      let title = text.title.score(query).map { $0 + (query.isEmpty ? 0 : Self.titleBonus) }
      guard let score = title ?? text.whole.score(query) else { continue }
      let entry = entries[place]
      // An entry that was used last gets no bonus while it can't be done.
      let known = entry.isEnabled ? Self.enabledBonus + (bonus[entry.id] ?? 0) : 0
      found.append((score + known - (entry.isUntitled ? Self.untitledMalus : 0), place))
    }
    return found.sorted { $0.score != $1.score ? $0.score > $1.score : $0.place < $1.place }.map(\.place)
  }

  /// Whether an entry matches only by the reference of its action, which isn't shown.
  func isFoundByAction(_ place: Int, _ typed: String) -> Bool {
    let query = FuzzyText.Query(typed)
    let entry = entries[place]
    let seen = FuzzyText((entry.path + [entry.key]).joined(separator: " "))
    return texts[place].whole.score(query) != nil && texts[place].title.score(query) == nil && seen.score(query) == nil
  }
}
