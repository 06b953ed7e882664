import ScriptHost

/// A *menu row* is the content of one line of an open menu, by column.
struct MenuRow: Equatable {
  enum Kind: Equatable {
    case item, menu, label, separator
  }

  var kind: Kind
  /// The mark of the state, such as a tick for on and a dash for mixed.
  var mark = ""
  var title = ""
  /// The title and the subtitle with styles, if they have any.
  var spans: StyledText?
  var subtitle = ""
  var subtitleSpans: StyledText?
  /// The cells of a row in columns; nil for a row with a title.
  var cells: RowCells?
  /// The icon with a blank, drawn before the first cell.
  var icon = StyledText("")
  /// The reason why the row is disabled; empty if it is enabled.
  var reason = ""
  var key = ""
  /// A sentence about the row, for the status line.
  var help: String?
  var isEnabled = true
  var isDestructive = false
  /// The place of the mnemonic letter in the title.
  var mnemonic: Int?

  /// The title with its styles.
  var styled: StyledText { spans ?? StyledText(title) }

  /// The text beside the title: the subtitle, then the reason.
  var note: String { subtitle.isEmpty || reason.isEmpty ? subtitle + reason : "\(subtitle)  \(reason)" }

  /// Whether the row can be current. A disabled row can, since its reason is worth reading.
  var canBeCurrent: Bool { kind == .item || kind == .menu }
}

extension MenuRow {
  /// Returns the rows of a menu, without hidden elements.
  static func rows(of elements: [MenuElement]) -> [MenuRow] {
    let shown = elements.filter { !$0.isHidden }
    let mnemonics = Mnemonics.chosen(
      for: shown.map { $0.kind == .item || $0.kind == .menu ? $0.title : "" }, declared: shown.map(\.mnemonic))
    return zip(shown, mnemonics).map { MenuRow($0, mnemonic: $1) }
  }

  /// Returns a row of a panel; for a multi-line label, one of its lines.
  static func row(of element: MenuElement, line: Int = 0) -> MenuRow {
    var row = MenuRow(element, mnemonic: nil)
    if row.kind == .label {
      let lines = element.titleLines
      row.title = line < lines.count ? String(lines[line]) : ""
      row.spans = element.spans?.line(line)
    }
    return row
  }

  private init(_ element: MenuElement, mnemonic: Int?) {
    switch element.kind {
    case .separator: kind = .separator
    case .label, .section, .pane, .text, .beside, .stack, .tabs: kind = .label
    case .menu: kind = .menu
    case .item: kind = .item
    }
    title = kind == .label ? element.titleLines.joined(separator: " ") : element.title
    spans = element.spans
    guard kind != .separator, kind != .label else { return }
    mark = element.isMarked ? "●" : element.stateMark
    subtitle = element.subtitle ?? ""
    subtitleSpans = element.subtitleSpans
    help = element.help
    cells = element.cells
    isEnabled = element.isEnabled
    reason = element.whyNotInRow.onOneLine
    key = kind == .menu && element.isOpen == nil ? "▸" : element.key ?? ""
    isDestructive = element.isDestructive
    self.mnemonic = mnemonic
    var lead = element.leadInTree.isEmpty ? [] : [StyledText.Span(element.leadInTree)]
    if let icon = element.icon, icon.isShownAsIcon {
      lead += [StyledText.Span(icon, element.iconStyle ?? TextStyle()), StyledText.Span(" ")]
    }
    if lead.isEmpty { return }
    icon = StyledText(lead)
    title = icon.text + title
    if spans != nil || element.iconStyle != nil {
      spans = StyledText(lead + (spans ?? StyledText(element.title)).spans)
    }
    self.mnemonic = mnemonic.map { $0 + icon.text.count }
  }
}

extension MenuRow {
  /// Draws the note in so many columns.
  func putNote(toColumns columns: Int, row: Int, column: Int, on canvas: inout Canvas, theme: Theme) {
    var glyphs = theme.glyphs(of: subtitleSpans ?? StyledText(subtitle), over: theme.subtitle)
    let between = subtitle.isEmpty || reason.isEmpty ? "" : "  "
    glyphs += theme.glyphs(of: StyledText(between + reason), over: theme.reason)
    canvas.put(glyphs.cut(toColumns: columns), row: row, column: column)
  }
}

extension StyledText {
  /// Returns one of its lines.
  fileprivate func line(_ wanted: Int) -> StyledText {
    var (line, spans) = (0, [Span]())
    for span in self.spans {
      for (index, part) in span.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { line += 1 }
        if line == wanted { spans.append(Span(String(part), span.style)) }
      }
    }
    return StyledText(spans)
  }
}

extension MenuElement {
  /// The text before a row of a tree: two blanks for each branch around it, and a sign for an open or closed branch.
  fileprivate var leadInTree: String {
    String(repeating: "  ", count: Int(level)) + (isOpen.map { $0 ? "▾ " : "▸ " } ?? "")
  }

  /// The reason why the item is disabled, for a person; empty if it is enabled.
  var whyNot: String {
    if isEnabled { return "" }
    return elsewhere == nil ? reason ?? "not now" : onlyIn.map { "only in \($0)" } ?? .notHere
  }
  /// The reason for the row: empty if a modal session blocks the item, because then all rows would show it.
  var whyNotInRow: String { isBlocked ? "" : whyNot }

  /// The mark before the title: a tick for on, a dot for a radio mark, a dash for mixed.
  var stateMark: String {
    switch state {
    case .on: mark == .radio ? "•" : "✓"
    case .mixed: "–"
    case .off: ""
    }
  }
}

extension MenuElement {
  /// The text above an undrawn pane: its title, and the note of its `look`.
  var titleOfPane: String { (title.isEmpty ? id : title) + (subtitle.map { "  \($0)" } ?? "") }
}

extension ShownMenus.Node {
  /// The node itself; for a pane or a division of the panel, its content below the title.
  var listed: [ShownMenus.Node] {
    switch element.kind {
    case .pane, .text: [self] + shown
    case .beside, .stack, .tabs: shown.flatMap(\.listed)
    default: [self]
    }
  }
}

extension Outcome {
  /// The reason of the refusal, for a person.
  var whyNot: String? { elsewhere == nil ? reason : .notHere }
}

extension Validation {
  /// The reason why the action is disabled, for a person.
  var whyNot: String? { elsewhere == nil ? reason : .notHere }
}

extension String {
  /// The reason if only a responder outside of the chain handles the action. Its name is for authors, who use 'why'.
  static let notHere = "not here"

  /// Whether an icon is a character that a terminal can draw, and not the name of a picture.
  fileprivate var isShownAsIcon: Bool {
    guard count == 1, let first = unicodeScalars.first else { return false }
    return first.value > 0x7F && (1...2).contains(columns)
  }
}

/// The letters that pick rows, different for each row and near to the beginning of its title.
enum Mnemonics {
  /// Returns the place of the letter in each title; nil if all its letters are taken.
  ///
  /// - Parameter declared: the app's letters, which come first. A letter that is taken or not in the title is ignored.
  static func chosen(for titles: [String], declared: [String?] = []) -> [Int?] {
    var taken: Set<Character> = []
    var chosen = [Int?](repeating: nil, count: titles.count)
    for (index, mnemonic) in declared.enumerated() {
      guard let small = mnemonic?.lowercased().first,
        let place = titles[index].enumerated().first(where: { $0.element.lowercased().first == small })?.offset,
        taken.insert(small).inserted
      else { continue }
      chosen[index] = place
    }
    // First letters come first, so that no letter inside another title takes one.
    for wantsFirst in [true, false] {
      for (index, title) in titles.enumerated() where chosen[index] == nil {
        for (place, letter) in title.enumerated() {
          if wantsFirst, place > 0 { break }
          guard letter.isLetter || letter.isNumber, let small = letter.lowercased().first, taken.insert(small).inserted
          else { continue }
          chosen[index] = place
          break
        }
      }
    }
    return chosen
  }
}

/// The columns of a row's title and note. All rows share them as long as both fit.
/// A wider title or note uses the free columns of its row, so that other rows don't cut it.
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

/// The places of a section's columns in the rows of a panel (P11).
struct CellColumns {
  /// The start and the width of each column on the screen, counted from the first.
  private(set) var places: [(start: Int, width: Int)] = []
  private let columns: [RowColumn]
  private let room: Int

  /// The blank columns between two columns that aren't empty.
  private static let between = 2
  /// The fewest columns of a growing column, as long as others can become narrower.
  private static let leastGrown = 12

  /// - Parameters:
  ///   - seen: the widest cell of each column.
  ///   - room: the columns on the screen for all.
  init(_ columns: [RowColumn], seen: [Int], room: Int) {
    self.columns = columns
    self.room = room
    var widths = zip(columns, seen).map { column, seen in
      seen == 0 ? column.least ?? 0 : min(max(seen, column.least ?? 0), column.most ?? .max)
    }
    func total() -> Int {
      widths.reduce(0, +) + Self.between * max(0, widths.reduce(0) { $0 + ($1 > 0 ? 1 : 0) } - 1)
    }
    var over = total() - room
    while over > 0, let widest = Self.yielding(widths, columns) {
      widths[widest] -= 1
      over = total() - room
    }
    let growing = columns.indices.filter { $0 < widths.count && columns[$0].grow }
    for (index, column) in growing.enumerated() where over < 0 {
      let gap = widths[column] == 0 && widths.contains { $0 > 0 } ? Self.between : 0
      let part = -over / (growing.count - index) - gap
      if part <= 0 { continue }
      widths[column] += part
      over += part + gap
    }
    var start = 0
    for width in widths {
      places.append((start, width))
      if width > 0 { start += width + Self.between }
    }
  }

  /// Returns the cells of a row with their places. A cell without room is cut, unless the following cells are empty.
  func placed(_ cells: [[StyledGlyph]]) -> [(column: Int, glyphs: [StyledGlyph])] {
    zip(cells, places).enumerated().map { index, cell in
      let (glyphs, (start, width)) = cell
      let cut: Cut = columns[index].cut == .end ? .end : .middle
      if columns[index].isRight {
        let glyphs = glyphs.cut(toColumns: width, at: cut)
        return (start + width - glyphs.columns, glyphs)
      }
      let next = cells.indices.dropFirst(index + 1).first { !cells[$0].isEmpty && places[$0].width > 0 }
      let end = next.map { places[$0].start - Self.between } ?? room
      return (start, glyphs.cut(toColumns: width == 0 ? 0 : max(width, end - start), at: cut))
    }
  }

  /// Returns the column that loses a cell. Growing columns come first, as long as they are wide enough. Then comes the
  /// widest above its `least`, at last the widest.
  private static func yielding(_ widths: [Int], _ columns: [RowColumn]) -> Int? {
    func widest(_ mayYield: (Int) -> Bool) -> Int? { widths.indices.filter(mayYield).max { widths[$0] < widths[$1] } }
    func least(_ index: Int) -> Int { columns[index].least ?? 0 }
    return widest { columns[$0].grow && widths[$0] > max(leastGrown, least($0)) }
      ?? widest { widths[$0] > least($0) } ?? widest { widths[$0] > 0 }
  }
}

/// The widest cells so far of each section, so that its columns stay in place during scrolling.
struct SeenCells {
  private var widths: [String: [Int]] = [:]

  /// Notes the widths of a row's cells.
  mutating func see(_ cells: [Int], of section: String) {
    var known = widths[section] ?? []
    while known.count < cells.count { known.append(0) }
    for (index, width) in cells.enumerated() { known[index] = max(known[index], width) }
    widths[section] = known
  }

  func widths(of section: String) -> [Int] { widths[section] ?? [] }
}
