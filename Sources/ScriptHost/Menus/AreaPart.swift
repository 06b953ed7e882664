// The contents of a panel (P5): panes, texts, and layouts of them.

/// The properties that only panes, texts and layouts have.
final class AreaPart {
  /// Its share of the space, relative to its neighbours.
  let share: Double
  /// The smallest width or height in cells.
  let least: Int?
  /// Whether it is no higher than its rows or lines need.
  let fits: Bool
  /// The responder that gets the focus with the pane.
  private(set) weak var responder: Responder?
  let hasFilter: Bool
  let hasMarks: Bool
  /// The properties that only texts have.
  let text: TextPart?

  init(
    share: Double = 1, least: Int? = nil, fit: Bool = false, responder: Responder? = nil, filter: Bool = false,
    marks: Bool = false, text: TextPart? = nil
  ) {
    self.share = share
    self.least = least
    fits = fit
    self.responder = responder
    hasFilter = filter
    hasMarks = marks
    self.text = text
  }

  /// Returns a copy for a text.
  func with(_ text: TextPart) -> AreaPart {
    AreaPart(
      share: share, least: least, fit: fits, responder: responder, filter: hasFilter, marks: hasMarks, text: text)
  }

  /// The most panes of a panel, and the deepest nesting of layouts.
  static let most = 32, deepest = 8
}

/// The properties that only texts have (P14).
final class TextPart {
  /// The ids of the panes whose current rows the text shows; `focus` is the pane that had the focus last.
  let of: [String]
  let source: TextSource
  /// Whether the text stays scrolled to its end as lines arrive.
  let isFollowing: Bool
  /// Whether long lines wrap.
  let isWrapped: Bool

  init(of: [String] = [], source: TextSource, follow: Bool = false, wrap: Bool = false) {
    self.of = of
    self.source = source
    isFollowing = follow
    isWrapped = wrap
  }

  /// The value in `of` for the pane that had the focus last.
  static let focus = "focus"
}

/// The source of a text's lines. Scripts have a subclass.
class TextSource {
  /// The declared lines; nil if a function produces them.
  var declared: [StyledText]? { [] }
  /// The function that produces lines. It passes them to `text` while it runs, and at its end.
  var handler: Handler? { nil }
  weak var text: LineTaker?
  /// Called before each run of the function.
  func willRun() {}
}

/// Receives the lines that a function produces.
class LineTaker {
  /// - Parameter isReplacing: true if the line replaces the last one.
  func add(_ line: StyledText, replacing isReplacing: Bool) {}
}
