import LiveHost
import ScriptHost

/// A face, as the view of a text uses it.
protocol LineTeller: AnyObject {
  var menus: ShownMenus { get }
  var rows: Int { get }
  func ask(_ method: String, _ parameters: [(String, JSON)], for reason: Awaited)
  func isAwaiting(_ effect: Awaited.Effect) -> Bool
  func isAwaiting(linesOf text: String) -> Bool
}

/// The *view of a text* is a window on its lines, of which the app sends those in sight and some around them (P15).
///
/// The app owns the lines and the selection. This face owns the scroll position and the search.
final class TextView {
  let id: String
  /// The lines that the app has sent, the number of the first from 0, and their version.
  private var told: (first: Int, lines: [StyledText], version: Int) = (0, [], -1)
  private var text = MenuElement.Text.none
  private(set) var reason: String?
  private(set) var top = 0
  /// The first column in sight.
  private var left = 0
  private var area = Area.nowhere
  /// Whether the view stays at the end when lines are added.
  private var isAtEnd = true
  /// The person's new selection, from 0, until the app sends it: where it began, and the current line.
  private var moved: (anchor: Int, current: Int)?
  /// The first line of a selection that grows with each move.
  private var anchor: Int?
  /// The row of the screen where the mouse was last while its button is held, and the line with which it began.
  private var drag: (row: Int, line: Int)?
  /// The line in which the person types what is searched for; nil if it isn't open.
  private var field: TextField?
  /// The searched text; empty without a search.
  private var wanted = ""
  private var theme = Theme()

  init(_ id: String) { self.id = id }

  // MARK: - Lines from the app

  func refresh(from face: any LineTeller) {
    guard let element = face.menus[id]?.element, let now = element.area?.text else { return }
    if now.subject != text.subject { (top, left, isAtEnd, anchor) = (0, 0, true, nil) }
    if now.lines == 0 { told = (0, [], now.version) }
    // A version that falls is of another text.
    if now.version < text.version { told.version = -1 }
    // A line that became current without a move of this face's is shown.
    // The last line of a text that follows stays current, but a person who has scrolled away reads other lines.
    let isLeftBehind = now.follows && now.current == now.lines && !isAtEnd
    let isOther = now.current != text.current && now.subject == text.subject
    let followed = isOther && moved == nil && !isLeftBehind ? now.current : nil
    (text, reason) = (now, element.reason)
    if !face.isAwaiting(.view) { moved = nil }
    stay()
    if let followed { show(followed - 1, isCentred: true) }
    lookAtLines(of: face)
  }

  /// Keeps the scroll position within the existing lines.
  private func stay() {
    if text.follows, isAtEnd { top = lastTop }
    top = max(0, min(top, lastTop))
  }

  /// Requests the lines in sight that are unknown or old, one request at a time.
  private func lookAtLines(of face: any LineTeller) {
    let height = max(10, face.rows)
    let seen = top..<min(text.lines, top + height)
    let known = told.first..<told.first + told.lines.count
    // Lines may be newer than the menus, which change soon.
    if told.version >= text.version, known.lowerBound <= seen.lowerBound, seen.upperBound <= known.upperBound { return }
    if text.lines == 0 || face.isAwaiting(linesOf: id) { return }
    let from = max(0, top - height)
    face.ask(
      "lines", [("text", .text(id)), ("from", .integer(from + 1)), ("count", .integer(3 * height))], for: .lines(id))
  }

  func take(_ json: JSON) {
    let lines = (json["lines"]?.list ?? []).map(StyledText.init)
    told = ((json["from"]?.integer ?? 1) - 1, lines, json["version"]?.integer ?? 0)
  }

  /// The lines that the app has sent.
  var known: [StyledText] { told.lines }

  /// Returns the line of a number from 0, if the app has sent it.
  private func line(_ place: Int) -> StyledText? {
    let index = place - told.first
    return told.lines.indices.contains(index) ? told.lines[index] : nil
  }

  /// The places of the selected lines, and the current line, from 0; nil if the text has no selection.
  private var selection: (lines: ClosedRange<Int>, current: Int)? {
    if let moved { return (min(moved.anchor, moved.current)...max(moved.anchor, moved.current), moved.current) }
    guard let current = text.current, let selected = text.selected else { return nil }
    return (selected.lowerBound - 1...selected.upperBound - 1, current - 1)
  }

  // MARK: - Keys

  /// Handles a key that the app hasn't bound.
  func key(_ stroke: Stroke, _ text: String?, of face: any LineTeller) -> Bool {
    refresh(from: face)
    if field != nil { return keyOfSearch(stroke, text, face) }
    let page = max(1, area.rows - 1)
    switch (stroke.key, stroke.modifiers) {
    case ("up", []): move(by: -1, face)
    case ("down", []): move(by: 1, face)
    case ("pageup", []): move(by: -page, face)
    case ("pagedown", []): move(by: page, face)
    case ("home", []): move(by: -self.text.lines, face)
    case ("end", []): move(by: self.text.lines, face)
    case ("left", []): return scrollSideways(by: -Self.sideways)
    case ("right", []): return scrollSideways(by: Self.sideways)
    case ("v", []) where selection != nil:
      anchor = anchor == nil ? selection?.current : nil
      if anchor == nil, let current = selection?.current { select(current, current, face) }
    case ("n", []) where !wanted.isEmpty: search(of: face)
    case ("n", .shift), ("N", []): if wanted.isEmpty { return false } else { search(backward: true, of: face) }
    default:
      guard stroke == .filter else { return false }
      field = TextField(wanted)
    }
    return true
  }

  /// Handles a key in the search line.
  func keyOfSearch(_ stroke: Stroke, _ text: String?, _ face: any LineTeller) -> Bool {
    guard var field else { return false }
    switch (stroke.key, stroke.modifiers) {
    case ("enter", []):
      self.field = nil
      if !wanted.isEmpty { search(isFirst: true, of: face) }
    case ("escape", []), ("esc", []): (self.field, wanted) = (nil, "")
    default:
      if field.key(stroke, text) == .edited { wanted = field.text }
      self.field = field
    }
    return true
  }

  var isSearching: Bool { field != nil }

  /// The search that is shown; nil without a search.
  var search: ShownFilter? {
    if let field { return ShownFilter(text: field.text, cursor: field.cursor) }
    return wanted.isEmpty ? nil : ShownFilter(text: wanted)
  }

  /// Ends the selection or else the search. Returns false if there is neither.
  func clears(of face: any LineTeller) -> Bool {
    if let selection, anchor != nil || selection.lines.count > 1 {
      anchor = nil
      select(selection.current, selection.current, face)
    } else if !wanted.isEmpty {
      wanted = ""
    } else {
      return false
    }
    return true
  }

  private func search(isFirst: Bool = false, backward: Bool = false, of face: any LineTeller) {
    let place = selection?.current ?? top
    let from = isFirst || backward ? place + 1 : place + 2
    let way: [(String, JSON)] = backward ? [("backward", .bool(true))] : []
    face.ask(
      "find", [("text", .text(wanted)), ("pane", .text(id)), ("from", .integer(from))] + way, for: .line(id, wanted))
  }

  /// Goes to a found line.
  func go(to place: Int, of face: any LineTeller) {
    if selection != nil { select(anchor ?? place, place, face) }
    show(place, isCentred: true)
    lookAtLines(of: face)
  }

  /// Moves the current line, or scrolls if the text has none.
  private func move(by step: Int, _ face: any LineTeller) {
    if let selection {
      let place = max(0, min(text.lines - 1, selection.current + step))
      select(anchor ?? place, place, face)
      show(place)
    } else {
      scroll(by: step)
    }
    lookAtLines(of: face)
  }

  private func select(_ anchor: Int, _ current: Int, _ face: any LineTeller) {
    let anchor = abs(anchor - current) < MenuElement.Text.mostSelected ? anchor : current
    moved = (anchor, current)
    let ends: [(String, JSON)] = [("from", .integer(anchor + 1)), ("to", .integer(current + 1))]
    face.ask("select", [("text", .text(id))] + ends, for: .narrowing)
  }

  /// Scrolls until a line is in sight.
  private func show(_ place: Int, isCentred: Bool = false) {
    let rows = max(1, area.rows)
    if place < top || place >= top + rows {
      top = isCentred ? place - rows / 2 : place < top ? place : place - rows + 1
    }
    top = max(0, min(top, lastTop))
    isAtEnd = top == lastTop
  }

  /// Scrolls, and requests the lines that come into sight.
  func scroll(by rows: Int, of face: any LineTeller) {
    scroll(by: rows)
    lookAtLines(of: face)
  }

  func scroll(by rows: Int) {
    top = max(0, min(lastTop, top + rows))
    isAtEnd = top == lastTop
  }

  /// The columns by which a key scrolls sideways.
  private static let sideways = 16

  /// Scrolls to the end of the longest line in sight at most. Returns false if all lines fit.
  private func scrollSideways(by columns: Int) -> Bool {
    if text.wraps { return false }
    let seen = (top..<top + max(1, area.rows)).compactMap(line)
    let longest = seen.map { theme.glyphs(of: $0, over: theme.row).columns }.max() ?? 0
    let last = max(0, longest - (area.columns - 2))
    if last == 0, left == 0 { return false }
    left = max(0, min(last, left + columns))
    return true
  }

  /// The largest `top`. Wrapped lines count several rows if they are known.
  private var lastTop: Int {
    guard text.wraps, area.columns > 2 else { return max(0, text.lines - max(1, area.rows)) }
    var (place, rows) = (text.lines, 0)
    while place > 0 {
      rows += pieces(place - 1).count
      if rows > area.rows { break }
      place -= 1
    }
    return max(0, min(place, text.lines - 1))
  }

  // MARK: - The mouse

  func mouse(_ mouse: Mouse, of face: any LineTeller) {
    switch mouse.deed {
    case .wheel(let rows, _): scroll(by: 3 * rows)
    case .press(.left) where area.holds(mouse):
      let place = self.place(at: mouse.row)
      drag = (mouse.row, place)
      if selection != nil, place < text.lines { select(place, place, face) }
    case .move(.left): goOn(to: mouse.row, face)
    case .release: drag = nil
    default: break
    }
    lookAtLines(of: face)
  }

  /// Goes on with a drag. It selects lines, and at an edge scrolls to more of them. If no line can be current, it
  /// scrolls the text.
  private func goOn(to row: Int, _ face: any LineTeller) {
    guard let began = drag else { return }
    drag?.row = row
    guard selection != nil else { return scroll(by: began.row - row) }
    if row <= area.row { scroll(by: -1) } else if row >= area.endRow - 1 { scroll(by: 1) }
    let place = min(self.place(at: row), text.lines - 1)
    if place >= 0, began.line < text.lines { select(began.line, place, face) }
  }

  private func place(at row: Int) -> Int {
    guard text.wraps else { return top + row - area.row }
    var (place, first) = (top, area.row)
    while place < text.lines {
      first += pieces(place).count
      if row < first { break }
      place += 1
    }
    return place
  }

  // MARK: - Drawing

  func draw(on canvas: inout Canvas, in area: Area, theme: Theme, isFocused: Bool) {
    let area = drawState(on: &canvas, in: area, theme)
    (self.area, self.theme) = (area, theme)
    guard area.rows > 0, area.columns > 2 else { return }
    stay()
    var (place, row) = (top, area.row)
    while row < area.endRow, place < text.lines {
      for (index, piece) in pieces(place).enumerated() where row < area.endRow {
        let room = Area(row: row, column: area.column, rows: 1, columns: area.columns - 1)
        if index > 0 { canvas.put("↪", row: row, column: area.column, style: theme.frame) }
        canvas.put(piece, row: row, column: area.column + 1, in: room)
        if !wanted.isEmpty { markFound(in: piece, on: &canvas, room) }
        if isFocused, let selection, selection.lines.contains(place) { mark(row, on: &canvas, area, theme) }
        row += 1
      }
      place += 1
    }
    Frame.drawThumb(top: top, lastTop: lastTop, on: &canvas, in: area, column: area.endColumn - 1, theme: theme)
  }

  /// Draws why the lines end, or that the first is still to come. Returns the area for the lines.
  private func drawState(on canvas: inout Canvas, in area: Area, _ theme: Theme) -> Area {
    let (state, style) = reason.map { ($0, theme.reason) } ?? ("…", theme.subtitle)
    guard reason != nil || text.isRunning && text.lines == 0, area.rows > 1 || text.lines == 0 else { return area }
    let row = text.wraps ? area.endRow - 1 : min(area.row + text.lines, area.endRow - 1)
    canvas.put(
      state.onOneLine.cut(toColumns: area.columns - 2), row: row, column: area.column + 1, style: style, in: area)
    return Area(row: area.row, column: area.column, rows: area.rows - 1, columns: area.columns)
  }

  /// Returns the rows of the screen for a line.
  private func pieces(_ place: Int) -> [[StyledGlyph]] {
    let line = line(place) ?? StyledText("")
    let columns = area.columns - 2
    if text.wraps { return theme.glyphs(of: line, over: theme.row).pieces(columns: columns) }
    let glyphs = theme.glyphs(of: line, over: theme.row, columns: left + columns)
    return [glyphs.from(column: left).cut(toColumns: columns)]
  }

  /// Highlights the searched letters.
  private func markFound(in glyphs: [StyledGlyph], on canvas: inout Canvas, _ room: Area) {
    let letters = glyphs.map { $0.glyph.text.lowercased() }
    for found in letters.places(of: wanted.lowercased().map(String.init)) {
      let before = Array(glyphs[..<found.lowerBound]).columns
      let place = Area(row: room.row, column: room.column + 1 + before, rows: 1, columns: Array(glyphs[found]).columns)
      canvas.restyle(room.common(with: place)) {
        $0.ink = theme.match.ink
        $0.marks.formUnion(theme.match.marks)
      }
    }
  }

  private func mark(_ row: Int, on canvas: inout Canvas, _ area: Area, _ theme: Theme) {
    canvas.restyle(Area(row: row, column: area.column, rows: 1, columns: area.columns - 1)) { style in
      if theme.current.paper == .standard {
        style = Style(marks: theme.current.marks)
      } else {
        style.paper = theme.current.paper
      }
    }
  }
}

extension [StyledGlyph] {
  /// Returns the glyphs from a column on, with an ellipsis for those before it.
  fileprivate func from(column: Int) -> [StyledGlyph] {
    if column == 0 { return self }
    var (start, width) = (0, 0)
    while start < count, width <= column {
      width += self[start].glyph.width
      start += 1
    }
    guard let style = first?.style else { return self }
    let sign = StyledGlyph(glyph: Glyph(text: "…", width: 1, isDoubtful: false), style: style)
    return [sign] + Array(repeating: StyledGlyph(glyph: .blank, style: style), count: Swift.max(0, width - column - 1))
      + self[start...]
  }

  /// Returns the glyphs in rows of so many columns, broken between words if possible.
  fileprivate func pieces(columns: Int) -> [[StyledGlyph]] {
    var (rows, row, width): ([[StyledGlyph]], [StyledGlyph], Int) = ([], [], 0)
    for glyph in self {
      if width + glyph.glyph.width > columns, !row.isEmpty {
        let blank = row.lastIndex { $0.glyph == .blank }
        let rest = blank.map { $0 > 0 ? Array(row[($0 + 1)...]) : [] } ?? []
        rows.append(rest.isEmpty ? row : row.dropLast(rest.count))
        (row, width) = (rest, rest.columns)
      }
      row.append(glyph)
      width += glyph.glyph.width
    }
    return rows + [row]
  }
}

extension [String] {
  /// Returns the ranges that contain these elements in order.
  fileprivate func places(of wanted: [String]) -> [Range<Int>] {
    guard !wanted.isEmpty, count >= wanted.count else { return [] }
    var (found, place): ([Range<Int>], Int) = ([], 0)
    while place + wanted.count <= count {
      let range = place..<place + wanted.count
      if self[range].elementsEqual(wanted) { found.append(range) }
      place = found.last == range ? range.upperBound : place + 1
    }
    return found
  }
}
