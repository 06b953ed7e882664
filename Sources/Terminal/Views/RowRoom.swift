/// Where the title and the note of a row stand. They stand in the columns of all rows as long as they fit there; where one is wider, it has what
/// the row itself leaves free, so that nothing is cut for the sake of other rows.
struct RowRoom {
  /// So many columns the title has.
  let title: Int
  /// Where the note begins, counted from the title's first column, and how many columns it has.
  let note: (column: Int, columns: Int)

  private static let between = 2

  /// - Parameters:
  ///   - room: how many columns the row has for both.
  ///   - columns: how many all rows have for their titles, and for their notes.
  init(title: String, note: String, room: Int, columns: (title: Int, note: Int)) {
    let (ownTitle, ownNote) = (title.columns, note.columns)
    let aligned = columns.title + Self.between
    if ownNote == 0 {
      self.title = max(0, min(ownTitle, room))
      self.note = (aligned, 0)
    } else if ownTitle <= columns.title, ownNote <= columns.note {
      self.title = ownTitle
      self.note = (aligned, columns.note)
    } else {
      self.title = max(0, min(ownTitle, max(columns.title, room - ownNote - Self.between)))
      let column = max(self.title + Self.between, min(aligned, room - ownNote))
      self.note = (column, max(0, room - column))
    }
  }
}
