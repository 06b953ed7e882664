import LiveHost

/// Remembers the assistant's undo groups, so that it takes back none of the person's.
struct OwnUndo {
  /// A history from `undo_stack`: its owner, and the titles, newest first.
  struct History: Equatable {
    let owner: String
    let titles: [String]

    init(_ json: JSON) {
      owner = json["owner"]?.text ?? ""
      titles = (json["undo"]?.list ?? []).compactMap(\.text)
    }
  }

  /// The histories right after the assistant's deeds, newest last.
  private var after: [History] = []

  /// Notes a deed of the assistant that registered an undo group under a title.
  ///
  /// - Parameter before: the history before the deed. If it has as many titles, the deed was merged into the previous
  ///   group, which may be the person's.
  mutating func did(_ title: String, before: History, _ history: History) {
    if history == after.last { return }
    // A deed may register in another history than undo uses now.
    guard history.titles.first == title, history.owner == before.owner else { return }
    if history.titles.count > before.titles.count { after.append(history) }
  }

  /// Forgets all deeds, because another client has done or undone a deed that undo takes back.
  mutating func lost() { after.removeAll() }

  /// Returns true if undo would now take back the assistant's last deed.
  func isOwn(_ history: History) -> Bool { after.last == history }

  /// Notes that the last deed was taken back.
  mutating func undid() { if !after.isEmpty { after.removeLast() } }
}
