/// Aligns the cells of a section's rows that are below each other (P11).
public struct RowColumn: Hashable, Sendable {
  /// Where a cell is cut if it doesn't fit.
  public enum Cut: String, Sendable, CaseIterable { case end, middle }

  /// The title above the cells; nil if none is declared.
  public var title: String?
  /// Whether the column gets the remaining space.
  public var grow = false
  /// Whether the cells are right-aligned.
  public var isRight = false
  /// The style of texts without a style. In a snapshot, the cells already have it.
  public var style = TextStyle()
  /// The least and the greatest width in screen columns; nil if not declared.
  public var least: Int?
  public var most: Int?
  public var cut = Cut.end

  public init() {}

  /// The most columns of a section, and so cells of a row.
  static let limit = 32
}

/// The text that a row shows in one of its section's columns.
public struct RowCell: Hashable, Sendable {
  public let text: StyledText
  public let column: RowColumn

  public init(_ text: StyledText, in column: RowColumn = RowColumn()) {
    self.text = text
    self.column = column
  }
}

/// The cells of a row, and the section that defines their columns.
public struct RowCells: Hashable, Sendable {
  /// The id of the section. Each section's cells are aligned separately.
  public let section: String
  public let all: [RowCell]
}

extension RowCells {
  /// - Parameter texts: the declared cells. Those without a style get the column's.
  init(_ texts: [StyledText], in columns: [RowColumn], of section: String) {
    self.section = section
    // Each row has all titles, so that any row can show them.
    let titled = columns.lastIndex { $0.title != nil }.map { $0 + 1 } ?? 0
    let missing = [StyledText](repeating: StyledText(""), count: max(0, titled - texts.count))
    all = (texts + missing).enumerated().map { index, text in
      var column = index < columns.count ? columns[index] : RowColumn()
      let styled = text.styled(column.style)
      column.style = TextStyle()
      return RowCell(styled, in: column)
    }
  }
}

extension [StyledText] {
  /// The cells as one text: those that aren't blank, joined by blanks. `places` has the offset of each cell's text in
  /// scalars; nil for a blank cell.
  package var joinedAsTitle: (title: String, places: [Int?]) {
    var (title, places) = ("", [Int?]())
    for cell in self {
      let text = cell.text
      let shown = text.drop { $0 == " " }
      let blanks = text.unicodeScalars.count - shown.unicodeScalars.count
      guard !shown.isEmpty else {
        places.append(nil)
        continue
      }
      if !title.isEmpty { title += " " }
      places.append(title.unicodeScalars.count - blanks)
      title += shown
      while title.last == " " { title.removeLast() }
    }
    return (title, places)
  }
}

extension StyledText {
  /// Returns the text with a style where it has none.
  func styled(_ style: TextStyle) -> StyledText {
    if style.isPlain { return self }
    return StyledText(spans.map { $0.style.isPlain ? Span($0.text, style) : $0 })
  }

  /// The bytes that the host keeps.
  var keptBytes: Int { spans.reduce(0) { $0 + $1.text.utf8.count + Self.bytesOfSpan } }
  private static let bytesOfSpan = 48
}

// Styled texts and cells in snapshots, for JSON and scripts.

extension StyledText {
  /// A list of `{text, style}`, where plain texts have no `style`.
  package var literal: Literal {
    .list(
      spans.map { span in
        let style = span.style.isPlain ? [] : [LiteralObject.Member(key: "style", value: .text(span.style.words))]
        return .object(LiteralObject(distinct: [.init(key: "text", value: .text(span.text))] + style))
      })
  }

  /// Reads the format of `literal`; nil if it is anything else. An unknown style becomes plain.
  init?(_ literal: Literal?) {
    guard case .list(let spans)? = literal else { return nil }
    self.init(
      spans.compactMap { span -> Span? in
        guard case .object(let object) = span, case .text(let text)? = object["text"] else { return nil }
        let words: String = if case .text(let words)? = object["style"] { words } else { "" }
        return Span(text, TextStyle(words: words) ?? TextStyle())
      })
  }
}

extension RowCell {
  var literal: Literal {
    var members = [LiteralObject.Member(key: "text", value: .text(text.text))]
    func add(_ key: String, _ value: Literal) { members.append(.init(key: key, value: value)) }
    if !text.isPlain { add("spans", text.literal) }
    if let title = column.title { add("title", .text(title)) }
    if column.grow { add("grow", .bool(true)) }
    if column.isRight { add("align", .text("right")) }
    if let least = column.least { add("least", .integer(least)) }
    if let most = column.most { add("most", .integer(most)) }
    if column.cut != .end { add("cut", .text(column.cut.rawValue)) }
    return .object(LiteralObject(distinct: members))
  }

  init?(_ literal: Literal) {
    guard case .object(let object) = literal, case .text(let plain)? = object["text"] else { return nil }
    func size(_ name: String) -> Int? {
      if case .integer(let size)? = object[name] { min(max(size, 0), 1000) } else { nil }
    }
    var column = RowColumn()
    if case .text(let title)? = object["title"] { column.title = title }
    column.grow = object["grow"] == .bool(true)
    column.isRight = object["align"] == .text("right")
    (column.least, column.most) = (size("least"), size("most"))
    if object["cut"] == .text(RowColumn.Cut.middle.rawValue) { column.cut = .middle }
    self.init(StyledText(object["spans"]) ?? StyledText(plain), in: column)
  }
}

extension RowCells {
  init?(_ object: LiteralObject) {
    guard case .list(let cells)? = object["cells"] else { return nil }
    if case .text(let section)? = object["section"] { self.section = section } else { section = "" }
    all = cells.prefix(RowColumn.limit).compactMap { RowCell($0) }
  }
}
