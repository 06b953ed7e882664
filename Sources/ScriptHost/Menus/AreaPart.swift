// What stands in a panel (P5): panes, and layouts of panes.

/// The part of an element that only panes and layouts have.
final class AreaPart {
  /// Its part of the space, compared with its neighbours'.
  let share: Double
  /// Its smallest width or height in cells.
  let least: Int?
  /// The responder that gets the focus with the pane.
  private(set) weak var responder: Responder?
  let hasFilter: Bool
  let hasMarks: Bool

  init(share: Double = 1, least: Int? = nil, responder: Responder? = nil, filter: Bool = false, marks: Bool = false) {
    self.share = share
    self.least = least
    self.responder = responder
    hasFilter = filter
    hasMarks = marks
  }

  /// The most panes of a panel, and how deep layouts may be nested.
  static let most = 32, deepest = 8
}
