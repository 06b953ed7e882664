/// The *pen* writes cells for a terminal in few bytes: it remembers the cursor's place and the current style.
struct Pen {
  private(set) var bytes: [UInt8] = []
  private let depth: ColorDepth
  private let columns: Int
  /// The cursor's place; nil if it depends on the terminal.
  private var place: (row: Int, column: Int)?
  private var style = Style.plain

  init(depth: ColorDepth, columns: Int) {
    self.depth = depth
    self.columns = columns
  }

  /// The longest gap that is written again; a longer gap is skipped with a sequence.
  private static let shortGap = 4

  mutating func clear() {
    add("\u{1B}[0m\u{1B}[H\u{1B}[2J")
    place = (0, 0)
  }

  mutating func end() { use(.plain) }

  /// Writes a cell; the cells between the cursor and it may be written again on the way.
  mutating func put(_ cell: Cell, _ row: Int, _ column: Int, over canvas: Canvas) {
    move(row, column, over: canvas)
    use(cell.style)
    if cell.glyph.isDoubtful {
      // Blanks come before the glyph: a narrower glyph then leaves no hole, and the next cells cover a wider one.
      for _ in 0..<cell.glyph.width { bytes.append(0x20) }
      jump(row, column)
      add(cell.glyph.text)
      place = nil
      return
    }
    add(cell.glyph.text)
    // After the last column terminals disagree about the cursor's place.
    place = column + cell.glyph.width < columns ? (row, column + cell.glyph.width) : nil
  }

  /// Makes the rest of a row plain blanks.
  mutating func eraseRest(_ row: Int, _ column: Int) {
    go(row, column)
    use(.plain)
    add("\u{1B}[K")
  }

  // MARK: - The cursor

  private mutating func move(_ row: Int, _ column: Int, over canvas: Canvas) {
    guard let place, place.row == row, place.column < column, column - place.column <= Self.shortGap else {
      go(row, column)
      return
    }
    let gap = (place.column..<column).map { canvas[row, $0] }
    guard gap.allSatisfy({ $0.style == style && !$0.isCovered && $0.glyph.width == 1 && !$0.glyph.isDoubtful }) else {
      go(row, column)
      return
    }
    for cell in gap { add(cell.glyph.text) }
    self.place = (row, column)
  }

  private mutating func go(_ row: Int, _ column: Int) {
    guard let place else { return jump(row, column) }
    if place == (row, column) { return }
    if place.row == row {
      let distance = column - place.column
      if column == 0 { bytes.append(0x0D) } else { step(abs(distance), distance > 0 ? "C" : "D") }
    } else if column == 0, place.row + 1 == row {
      add("\r\n")
    } else {
      return jump(row, column)
    }
    self.place = (row, column)
  }

  private mutating func step(_ count: Int, _ letter: String) {
    add(count == 1 ? "\u{1B}[\(letter)" : "\u{1B}[\(count)\(letter)")
  }

  private mutating func jump(_ row: Int, _ column: Int) {
    add(column == 0 ? (row == 0 ? "\u{1B}[H" : "\u{1B}[\(row + 1)H") : "\u{1B}[\(row + 1);\(column + 1)H")
    place = (row, column)
  }

  // MARK: - The style

  private mutating func use(_ wanted: Style) {
    if wanted == style { return }
    let whole = parameters(of: wanted, over: .plain)
    let reset = whole.isEmpty ? "" : "0;" + whole.joined(separator: ";")
    let change = changes(to: wanted).joined(separator: ";")
    // Writes the shorter of the change and the reset. Colours that the terminal doesn't have are no change.
    if !change.isEmpty { add("\u{1B}[\(change.utf8.count < reset.utf8.count ? change : reset)m") }
    style = wanted
  }

  /// Returns the parameters that change the current style to another.
  private func changes(to wanted: Style) -> [String] {
    let gone = style.marks.subtracting(wanted.marks)
    var (kept, parameters) = (style, [String]())
    // One number turns off both bold and dim.
    if !gone.isDisjoint(with: [.bold, .dim]) {
      kept.marks.subtract([.bold, .dim])
      parameters.append("22")
    }
    for (mark, number) in Self.offs where gone.contains(mark) { parameters.append(number) }
    return parameters + self.parameters(of: wanted, over: kept)
  }

  /// Returns the parameters that change a style to another with at least the same marks.
  private func parameters(of style: Style, over before: Style) -> [String] {
    var parameters: [String] = []
    for (mark, number) in Self.marks where style.marks.subtracting(before.marks).contains(mark) {
      parameters.append(number)
    }
    let (ink, paper) = (style.ink.reduced(to: depth), style.paper.reduced(to: depth))
    if ink != before.ink.reduced(to: depth) {
      parameters.append(ink.parameter(standard: 39, first: 30, bright: 90, other: 38))
    }
    if paper != before.paper.reduced(to: depth) {
      parameters.append(paper.parameter(standard: 49, first: 40, bright: 100, other: 48))
    }
    return parameters
  }

  private static let marks: [(Style.Marks, String)] = [
    (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
  ]

  private static let offs: [(Style.Marks, String)] = [(.italic, "23"), (.underline, "24"), (.reverse, "27")]

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

extension Color {
  fileprivate func parameter(standard: Int, first: Int, bright: Int, other: Int) -> String {
    switch self {
    case .standard: "\(standard)"
    case .own(let index): index < 8 ? "\(first + Int(index))" : "\(bright + Int(index & 7))"
    case .palette(let index): "\(other);5;\(index)"
    case .rgb(let red, let green, let blue): "\(other);2;\(red);\(green);\(blue)"
    }
  }
}
