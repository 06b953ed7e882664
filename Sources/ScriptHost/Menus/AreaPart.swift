// What stands in a panel (P5): panes, texts, and layouts of them.

/// The part of an element that only panes, texts and layouts have.
final class AreaPart {
  /// Its part of the space, compared with its neighbours'.
  let share: Double
  /// Its smallest width or height in cells.
  let least: Int?
  /// The responder that gets the focus with the pane.
  private(set) weak var responder: Responder?
  let hasFilter: Bool
  let hasMarks: Bool
  /// What only a text has.
  let text: TextPart?

  init(
    share: Double = 1, least: Int? = nil, responder: Responder? = nil, filter: Bool = false, marks: Bool = false,
    text: TextPart? = nil
  ) {
    self.share = share
    self.least = least
    self.responder = responder
    hasFilter = filter
    hasMarks = marks
    self.text = text
  }

  /// The same for a text.
  func with(_ text: TextPart) -> AreaPart {
    AreaPart(share: share, least: least, responder: responder, filter: hasFilter, marks: hasMarks, text: text)
  }

  /// The most panes of a panel, and how deep layouts may be nested.
  static let most = 32, deepest = 8
}

/// The part of an element that only texts have (P14).
final class TextPart {
  /// The ids of the panes whose current rows it is about; `focus` is whichever pane had the focus last.
  let of: [String]
  let source: TextSource
  /// Whether it stays at its end while lines come.
  let isFollowing: Bool
  /// Whether lines that don't fit go on in the next row.
  let isWrapped: Bool

  init(of: [String] = [], source: TextSource, follow: Bool = false, wrap: Bool = false) {
    self.of = of
    self.source = source
    isFollowing = follow
    isWrapped = wrap
  }

  /// What stands in `of` for the pane that had the focus last.
  static let focus = "focus"
}

/// Where the lines of a text come from; what a script gives has a subclass.
class TextSource {
  /// The lines that were declared; nil where a function is asked for them.
  var declared: [StyledText]? { [] }
  /// The function that is asked; it gives lines to `text` while it runs, and at its end.
  var handler: Handler? { nil }
  weak var text: LineTaker?
  /// Called before the function is asked anew.
  func willRun() {}
}

/// What takes the lines that a function gives.
class LineTaker {
  /// - Parameter isReplacing: whether the line stands in place of the last one.
  func add(_ line: StyledText, replacing isReplacing: Bool) {}
}
