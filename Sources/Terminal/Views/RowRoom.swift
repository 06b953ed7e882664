/// The columns of a row's title and note. They are those of all rows as long as both fit; a wider one gets what its own row leaves free, so that
/// nothing is cut because of other rows.
struct RowRoom {
  /// The number of columns of the title.
  let title: Int
  /// The first column of the note, counted from the title's, and its number of columns.
  let note: (column: Int, columns: Int)

  private static let between = 2

  /// - Parameters:
  ///   - room: the columns of the row for both.
  ///   - columns: the columns that all rows share for titles and for notes.
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
