import LiveHost

/// Keeps which undo groups the assistant has made, so that it takes back nothing of the person's.
struct OwnUndo {
  /// A history as `undo_stack` tells it: its owner, and the titles, the newest first.
  struct History: Equatable {
    let owner: String
    let titles: [String]

    init(_ json: JSON) {
      owner = json["owner"]?.text ?? ""
      titles = (json["undo"]?.list ?? []).compactMap(\.text)
    }
  }

  /// The histories as they were right after the assistant's deeds, the last one at the end.
  private var after: [History] = []

  /// Notes a deed of the assistant's that registered something under a title.
  ///
  /// - Parameter before: the history before the deed. If it has as many titles, the deed was merged into the one before it, which may be
  ///   the person's.
  mutating func did(_ title: String, before: History, _ history: History) {
    if history == after.last { return }
    // A deed may register in another history than the one that undo takes now.
    guard history.titles.first == title, history.owner == before.owner else { return }
    if history.titles.count > before.titles.count { after.append(history) }
  }

  /// Forgets all deeds, because somebody else has done or undone something that undo takes back.
  mutating func lost() { after.removeAll() }

  /// Whether what undo would take back now is the assistant's last deed.
  func isOwn(_ history: History) -> Bool { after.last == history }

  /// Notes that the last deed was taken back.
  mutating func undid() { if !after.isEmpty { after.removeLast() } }
}
