import ScriptHost

/// A *text field* is a text that a person edits, single-line or multi-line, with a cursor between characters.
struct TextField {
  private(set) var text = ""
  /// The place of the next character, counted in characters.
  private(set) var cursor = 0
  /// Whether the text is a proposal, which the first typed character replaces.
  private(set) var isProposed = false
  /// The most characters of the text.
  var most = Int.max

  /// The effect of a key.
  enum Effect {
    /// The key has no meaning in a text field.
    case none
    case moved, edited
  }

  init(_ text: String = "", isProposed: Bool = false) {
    replace(text)
    self.isProposed = isProposed && !text.isEmpty
  }

  mutating func key(_ stroke: Stroke, _ text: String?) -> Effect {
    switch (stroke.key, stroke.modifiers) {
    case ("left", []): return move(to: cursor - 1)
    case ("right", []): return move(to: cursor + 1)
    case ("home", []), ("a", .ctrl): return move(to: 0)
    case ("end", []), ("e", .ctrl): return move(to: self.text.count)
    case ("backspace", []): return erase()
    case ("delete", []): return erase(cursor..<cursor + 1)
    case ("w", .ctrl), ("backspace", .ctrl), ("backspace", .alt): return erase(startOfWord..<cursor)
    case ("u", .ctrl): return erase(0..<cursor)
    case ("k", .ctrl): return erase(cursor..<self.text.count)
    default: return text.map { type($0) } ?? .none
    }
  }

  /// Inserts a text at the cursor, as far as it fits.
  @discardableResult
  mutating func type(_ typed: String) -> Effect {
    if isProposed { replace("") }
    let room = most - text.count
    guard room > 0 else { return .none }
    let typed = typed.prefix(room)
    let place = text.index(text.startIndex, offsetBy: cursor, limitedBy: text.endIndex) ?? text.endIndex
    let before = text[..<place] + typed
    return set(before + text[place...], before.count)
  }

  mutating func replace(_ text: String) { set(text[...], text.count) }

  /// Erases the character before the cursor, or all of a proposal.
  @discardableResult
  mutating func erase() -> Effect { isProposed ? set("", 0) : erase(cursor - 1..<cursor) }

  /// The place where the word before the cursor begins; the blanks after it belong to it.
  private var startOfWord: Int {
    let before = Array(text.prefix(cursor))
    let end = before.lastIndex { $0 != " " } ?? 0
    return before[..<end].lastIndex(of: " ").map { $0 + 1 } ?? 0
  }

  mutating func erase(_ range: Range<Int>) -> Effect {
    let all = Array(text)
    let range = range.clamped(to: 0..<all.count)
    guard !range.isEmpty else { return move(to: cursor) }
    return set(String(all[..<range.lowerBound] + all[range.upperBound...]), range.lowerBound)
  }

  /// Moves the cursor, which turns a proposal into typed text.
  mutating func move(to place: Int) -> Effect {
    isProposed = false
    cursor = max(0, min(text.count, place))
    return .moved
  }

  /// - Parameter cursor: the new place of the cursor, limited to the end of the text.
  @discardableResult
  private mutating func set(_ text: some StringProtocol, _ cursor: Int) -> Effect {
    self.text = String(text)
    (self.cursor, isProposed) = (min(cursor, self.text.count), false)
    return .edited
  }

  // MARK: - Drawing

  /// Returns the text to draw: a secret as a dot for each character.
  func shown(isSecret: Bool) -> String { isSecret ? String(repeating: "•", count: text.count) : text }

  /// Draws the text with its cursor; of a long text the part with the cursor.
  func draw(on canvas: inout Canvas, in line: Area, isSecret: Bool = false, theme: Theme) {
    let text = shown(isSecret: isSecret)
    var before = String(text.prefix(cursor)).glyphs
    let after = String(text.dropFirst(cursor)).glyphs
    while !before.isEmpty, before.reduce(0, { $0 + $1.width }) > line.columns - 1 { before.removeFirst() }
    let end = canvas.put(before, row: line.row, column: line.column, style: theme.row, in: line)
    canvas.put(after, row: line.row, column: end, style: theme.row, in: line)
    // The whole proposal is highlighted, because the next character replaces it.
    Self.mark(isProposed ? line.column : end, to: end + (after.first?.width ?? 1), on: &canvas, in: line)
  }

  /// Highlights columns of a line like a cursor.
  static func mark(_ column: Int, to end: Int, on canvas: inout Canvas, in line: Area) {
    canvas.restyle(Area(row: line.row, column: column, rows: 1, columns: end - column).common(with: line)) {
      $0.marks.insert(.reverse)
    }
  }
}

/// A filter or a search on the screen: its text, and whether the person types in it.
struct ShownFilter {
  let text: String
  let isOpen: Bool
}
