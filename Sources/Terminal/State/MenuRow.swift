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
  /// The cells of a row that is drawn in columns; nil for one that has a title.
  var cells: RowCells?
  /// Its icon with a blank, which stands before its first cell.
  var icon = StyledText("")
  /// The reason why the row is disabled; empty if it isn't.
  var reason = ""
  var key = ""
  /// A sentence about it, for the status line.
  var help: String?
  var isEnabled = true
  var isDestructive = false
  /// The place in the title of the letter that picks the row.
  var mnemonic: Int?

  /// The title with its styles.
  var styled: StyledText { spans ?? StyledText(title) }

  /// The text beside the title: the subtitle, and behind it the reason.
  var note: String { subtitle.isEmpty || reason.isEmpty ? subtitle + reason : "\(subtitle)  \(reason)" }

  /// Whether the row can be current. A disabled one can, since its reason is worth reading.
  var canBeCurrent: Bool { kind == .item || kind == .menu }
}

extension MenuRow {
  /// The rows of a menu, without hidden elements.
  static func rows(of elements: [MenuElement]) -> [MenuRow] {
    let shown = elements.filter { !$0.isHidden }
    let mnemonics = Mnemonics.chosen(
      for: shown.map { $0.kind == .item || $0.kind == .menu ? $0.title : "" }, declared: shown.map(\.mnemonic))
    return zip(shown, mnemonics).map { MenuRow($0, mnemonic: $1) }
  }

  /// A row of a panel; for a label of several lines, one of them.
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
  /// One of its lines.
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
  /// What stands before a row of a tree: two blanks for each branch around it, and whether it is a branch that is open.
  fileprivate var leadInTree: String {
    String(repeating: "  ", count: Int(level)) + (isOpen.map { $0 ? "▾ " : "▸ " } ?? "")
  }

  /// Why it can't be done now, for a person; empty if it can be.
  var whyNot: String {
    if isEnabled { return "" }
    return elsewhere == nil ? reason ?? "not now" : onlyIn.map { "only in \($0)" } ?? .notHere
  }
  /// The same beside its title: not for what a modal session blocks, because then all rows would say so.
  var whyNotInRow: String { isBlocked ? "" : whyNot }

  /// The mark before the title: a tick for on, or a dot if it is one of several; a dash for mixed.
  var stateMark: String {
    switch state {
    case .on: mark == .radio ? "•" : "✓"
    case .mixed: "–"
    case .off: ""
    }
  }
}

extension MenuElement {
  /// What stands above a pane where nothing is drawn: its title, and what its `look` says beside it.
  var titleOfPane: String { (title.isEmpty ? id : title) + (subtitle.map { "  \($0)" } ?? "") }
}

extension ShownMenus.Node {
  /// Itself, or what stands in it below its title, where it is a pane or divides the panel.
  var listed: [ShownMenus.Node] {
    switch element.kind {
    case .pane, .text: [self] + shown
    case .beside, .stack, .tabs: shown.flatMap(\.listed)
    default: [self]
    }
  }
}

extension Outcome {
  /// Why it was not done, for a person.
  var whyNot: String? { elsewhere == nil ? reason : .notHere }
}

extension Validation {
  /// Why it can't be done now, for a person.
  var whyNot: String? { elsewhere == nil ? reason : .notHere }
}

extension String {
  /// What a person reads where only a responder outside of the chain answers. Its name is for authors, who ask why.
  static let notHere = "not here"

  /// Whether an icon is a character that a terminal can draw, and not the name of a picture.
  fileprivate var isShownAsIcon: Bool {
    guard count == 1, let first = unicodeScalars.first else { return false }
    return first.value > 0x7F && (1...2).contains(columns)
  }
}

/// The letters that pick rows, different for each row and as near to the beginning of its title as possible.
enum Mnemonics {
  /// The place of the letter in each title; nil if all its letters are taken.
  ///
  /// - Parameter declared: the letters that the app declares, which go first; one that isn't in the title or is taken is ignored.
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
    // First letters are given out first, so that none goes to a letter inside another title.
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
