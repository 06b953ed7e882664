import LiveHost
import ScriptHost

/// The *status line* in the last row: the last outcome, a running job, or why the current row is disabled.
final class StatusLine: Component {
  private var content: StatusContent
  /// The hints beside a short outcome, or beside a job that reports no progress; nil if these have the line.
  private var hints: String?
  var area = Area.nowhere

  init(_ content: StatusContent = .hint("")) { self.content = content }

  func refresh(from face: Face) {
    content = face.status
    hints = (content.outcome?.text ?? content.quietJob).flatMap { face.hint(beside: $0) }
  }

  /// A press cancels the visible job.
  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    if mouse.deed == .press(.left), !face.jobs.isEmpty { face.cancelJob() }
    return true
  }

  // MARK: - Drawing

  func draw(on canvas: inout Canvas, theme: Theme) {
    let row = area.row
    canvas.fill(area)
    // The text leaves the used columns at the right end free.
    func put(_ mark: String, _ text: String, _ style: Style, before taken: Int = 0) {
      let start = 2 + mark.columns
      let lines = Self.lines(of: text, on: canvas, toColumns: canvas.columns - start - 1 - taken)
      put(mark, lines, start, style, before: taken)
    }
    func put(_ mark: String, _ lines: [String], _ start: Int, _ style: Style, before taken: Int = 0) {
      let first = row + 1 - lines.count
      canvas.put(mark, row: first, column: 1, style: style)
      for (index, line) in lines.enumerated() {
        let line = line.cut(toColumns: max(0, canvas.columns - start - 1 - taken))
        canvas.put(line, row: first + index, column: start, style: style)
      }
    }
    if let hints, let (mark, text) = content.outcome {
      let start = canvas.columns - 3 - text.onOneLine.columns
      let hint = Self.hints(hints, on: canvas, toColumns: start - 4)[0]
      canvas.put(hint, row: row, column: 1, style: theme.subtitle)
      canvas.emphasizeKeys(inRow: row, before: start - 1, theme)
      canvas.put(mark, row: row, column: start, style: theme.row)
      canvas.put(text.onOneLine, row: row, column: start + 2, style: theme.row)
      return
    }
    if let hints, let job = content.quietJob {
      let start = canvas.columns - 1 - job.columns
      let hint = Self.hints(hints, on: canvas, toColumns: start - 4)[0]
      canvas.put(hint, row: row, column: 1, style: theme.subtitle)
      canvas.emphasizeKeys(inRow: row, before: start - 1, theme)
      canvas.put(job, row: row, column: start, style: theme.key)
      return
    }
    switch content {
    case .hint(let text):
      put("", Self.hints(text, on: canvas, toColumns: canvas.columns - 2), 1, theme.subtitle)
      canvas.emphasizeKeys(inRow: row, before: canvas.columns, theme)
    case .done(let text): put("✓", text, theme.row)
    case .note(let text): put("·", text, theme.row)
    case .refused(let text): put("✗", text, theme.reason)
    case .failed(let text): put("!", text, theme.destructive)
    case .inTheWay(let text, let job):
      let stop = "esc esc cancels \(job)".cut(toColumns: max(0, canvas.columns / 2 - 4))
      let width = stop.reduce(0) { $0 + $1.width } + 3
      put("✗", text, theme.reason, before: width - 1)
      canvas.put(stop, row: row, column: canvas.columns + 2 - width, style: theme.key)
    case .pending(let text): put("…", text, theme.row)
    case .progress(let title, let fraction, let text, let others):
      Self.drawProgress(title, fraction, text, others, on: &canvas, theme)
    }
  }

  /// Breaks a text into lines, which may begin above the last row where no component has drawn.
  private static func lines(of text: String, on canvas: Canvas, toColumns columns: Int) -> [String] {
    let text = text.onOneLine
    if columns < 4 || text.columns <= columns { return [text] }
    let free = (0..<canvas.rows).dropLast().reversed().prefix { !canvas.isDrawn($0) }.count
    let lines = text.broken(toColumns: columns)
    let shown = min(lines.count, free + 1, mostLines)
    return lines.prefix(shown - 1) + [lines.dropFirst(shown - 1).joined(separator: " ")]
  }

  private static let mostLines = 4

  private static let between = "   "

  /// Returns the hints that fit. The first hint, for the action, and the last, for leaving, are kept longest. If these
  /// two don't fit on a line, each gets a line, or only the first is shown.
  private static func hints(_ hints: String, on canvas: Canvas, toColumns columns: Int) -> [String] {
    var parts = hints.split(separator: between).map(String.init)
    var isWhole: Bool { parts.joined(separator: between).columns <= columns }
    while parts.count > 2, !isWhole { parts.remove(at: parts.count - 2) }
    if isWhole { return [parts.joined(separator: between)] }
    let isFree = canvas.rows > 1 && !canvas.isDrawn(canvas.rows - 2)
    return isFree ? parts : Array(parts.prefix(1))
  }

  private static let barColumns = 20
  /// The columns of a job's text that are more important than its bar while other jobs are running.
  private static let textBesideBar = 14
  /// The fewest cells of a bar. A shorter bar is less useful than the number beside it.
  private static let fewestColumns = 5

  /// Draws a job: title, bar, percentage, number of other jobs, and how to cancel it. The bar needs a wide screen.
  private static func drawProgress(
    _ title: String, _ fraction: Double?, _ text: String, _ others: Int, on canvas: inout Canvas, _ theme: Theme
  ) {
    let row = canvas.rows - 1
    let stop = canvas.columns < 48 ? "esc esc" : "esc esc cancels"
    let more = others > 0 ? "and \(others) more" : ""
    let room = canvas.columns - 2 - stop.columns - (more.isEmpty ? 0 : more.columns + 2)
    var end = canvas.put(title.cut(toColumns: min(room / 2, room - 7)), row: row, column: 1, style: theme.header)
    if let fraction {
      let bar = min(barColumns, room - end - 8 - (others > 0 ? min(textBesideBar, text.columns + 2) : 0))
      if bar >= fewestColumns {
        let full = Int(fraction * Double(bar))
        end = canvas.put(String(repeating: "█", count: full), row: row, column: end + 1, style: theme.row)
        end = canvas.put(String(repeating: "░", count: bar - full), row: row, column: end, style: theme.frame)
      }
      let percent = "\(Int(fraction * 100)) %"
      end = canvas.put(percent, row: row, column: end + 1 + max(0, 5 - percent.columns), style: theme.row)
    } else {
      let goesOn = room - end > 8 ? "goes on" : "…"
      end = canvas.put(goesOn, row: row, column: end + 1, style: theme.row)
    }
    let (space, text) = (room - end - 2, text.onOneLine)
    if space > 4, !text.isEmpty {
      end = canvas.put(text.cut(toColumns: space), row: row, column: end + 2, style: theme.subtitle)
    }
    if !more.isEmpty, canvas.columns - 3 - stop.columns - more.columns > end {
      end = canvas.put(more, row: row, column: end + 2, style: theme.subtitle)
    }
    if canvas.columns - 1 - stop.columns > end {
      canvas.put(stop, row: row, column: canvas.columns - 1 - stop.columns, style: theme.key)
    }
  }
}

extension Canvas {
  /// Emphasizes the keys in a line of hints: the first word of each hint.
  fileprivate mutating func emphasizeKeys(inRow row: Int, before end: Int, _ theme: Theme) {
    var (blanks, wasKey) = (2, false)
    for column in 0..<max(0, end) {
      if self[row, column].isCovered { continue }
      if self[row, column].glyph.text == " " {
        blanks += 1
      } else {
        // A hint may begin with two keys: "← → choose".
        let isNextKey = blanks == 1 && wasKey && Self.arrows.contains(self[row, column].glyph.text)
        if blanks > 1 || isNextKey { emphasizeWord(row, column, theme) }
        if blanks > 0 { wasKey = blanks > 1 || isNextKey }
        blanks = 0
      }
    }
  }

  private static let arrows: Set<String> = ["←", "→", "↑", "↓"]

  private mutating func emphasizeWord(_ row: Int, _ column: Int, _ theme: Theme) {
    var end = column
    while end < columns, self[row, end].glyph.text != " " { end += 1 }
    restyle(Area(row: row, column: column, rows: 1, columns: end - column)) { $0 = theme.hintedKey }
  }
}

// The content of the status line.

extension Face {
  /// The first of: an unfinished input, the last message, a running job, hints.
  fileprivate var status: StatusContent {
    if !strokes.begun.isEmpty { return .pending(strokes.text) }
    if isBusy { return .pending("the app is busy; \(settings.stroke(of: .quit)?.text ?? "ctrl+c") ends what runs") }
    // An open question or form shows its hints.
    if let top = over.last, top.wantsAnswer { return .hint(top.hint) }
    if let said { return said }
    if panel.isTyping(now) { return .pending(panel.typed.text) }
    if let top = over.last { return .hint(top.hint) }
    if let content = statusOfMenu { return content }
    let shown = jobs.filter { $0.isShown(at: now) }
    if let job = shown.mostWanted {
      return .progress(title: job.named, fraction: job.fraction, text: job.text, others: shown.count - 1)
    }
    if let broken { return .failed("not reloaded: \(broken)") }
    if let content = statusOfRow { return content }
    if let help = panel.currentNode?.element.help { return .note(help) }
    return .hint(usualHint(columns))
  }

  /// Returns the hints at the left of an outcome; nil if the screen has no panes, or too few columns.
  fileprivate func hint(beside outcome: String) -> String? {
    let room = columns - outcome.onOneLine.columns - 6
    guard !panes.isEmpty, over.isEmpty, bar.open.isEmpty, room >= Self.fewestOfHints else { return nil }
    return usualHint(room)
  }

  private static let fewestOfHints = 24

  /// The reason of the panel's disabled current row, if the row doesn't show all of it.
  private var statusOfRow: StatusContent? {
    guard let node = panel.currentNode, !node.element.whyNotInRow.isEmpty,
      !panel.view.showsReason(of: .row(of: node.element), in: panel.areaOfRows)
    else { return nil }
    return .refused(node.element.whyNotInRow)
  }

  /// The reason of an open menu's disabled current row, if the row doesn't show all of it.
  private var statusOfMenu: StatusContent? {
    guard let menu = bar.open.last else { return nil }
    if let row = menu.currentRow, !row.isEnabled, !row.reason.isEmpty, let area = bar.areas.last,
      bar.areas.count == bar.open.count, !menu.view.showsReason(of: row, in: area)
    {
      return .refused(row.reason)
    }
    if let help = menu.currentRow?.help { return .note(help) }
    return .hint("enter does it   ? why   esc closes")
  }

  /// Returns the hints of the current row, the focused pane, and the face, as many as fit.
  private func usualHint(_ columns: Int) -> String {
    let commands: [(OwnCommand, String)] = [(.menus, "menus"), (.palette, "find"), (.help, "keys")]
    let ofRow = panel.currentNode.map { [(Stroke.enter, whatEnterDoes(with: $0)), (strokeOfWhy, "why")] } ?? []
    var parts = commands.compactMap { command, what -> String? in
      let stroke = strokeShown(of: command)
      // If the app has bound the usual stroke, the face's own menu still leads to all menus.
      if stroke == nil, command == .menus { return "\(strokeOfOwnMenu.text) \(BarView.own)" }
      return stroke.map { "\($0.text) \(what)" }
    }
    // If the app has bound a key, it doesn't act on the row.
    let own = ofRow.compactMap { stroke, what in stroke.flatMap { isBound($0) ? nil : "\($0.text) \(what)" } }
    var room = columns + 1 - (own + parts).reduce(0) { $0 + $1.columns + 3 }
    var ofPane = keysOfPane(room)
    // The keys of a pane are more important than all but the last of the face's.
    let wanted = min(Self.fewestOfPane, keysOfPane(.max).count)
    while ofPane.count < wanted, parts.count > 1 {
      room += parts.removeFirst().columns + 3
      ofPane = keysOfPane(room)
    }
    return (own + ofPane + parts).joined(separator: "   ")
  }

  private static let fewestOfPane = 3

  /// Returns the title of a row's action, if the app has panes; general words if the action has no title.
  private func whatEnterDoes(with row: ShownMenus.Node) -> String {
    guard !panes.isEmpty, let name = (try? Reference.parse(row.element.action))?.name,
      let title = titlesOfActions[name], title != name
    else { return "does it" }
    return title.withoutEllipsis
  }

  /// Returns keys of the nearest responder that has any, usually the focused pane, with effects, as many as fit.
  private func keysOfPane(_ room: Int) -> [String] {
    let near = keys.filter {
      $0.isEffective && !$0.entry.isItem && !$0.entry.isPane && !$0.isText && $0.sequence.strokes.count == 1
    }
    guard !panes.isEmpty, let first = near.first else { return [] }
    var left = room
    let own = near.filter { $0.entry.by == first.entry.by }
    // Keys without modifiers come first: a person uses them most.
    let alone = own.filter { $0.sequence.strokes[0].modifiers.isEmpty }
    return (alone + own.filter { !$0.sequence.strokes[0].modifiers.isEmpty } + keysOfItems(doneBy: first.entry.by))
      .filter { menus.canDo($0.entry.reference) }
      .map { "\($0.sequence.text) \($0.entry.title ?? titleOfAction($0.entry.reference))" }
      .filter { hint in
        let needed = hint.columns + 3
        if needed > left { return false }
        left -= needed
        return true
      }
  }

  /// Returns the keys without modifiers of items that a responder does now.
  private func keysOfItems(doneBy responder: String) -> [BoundKeys] {
    keys.filter { bound in
      guard bound.isEffective, bound.entry.isItem, bound.sequence.strokes.count == 1,
        bound.sequence.strokes[0].modifiers.isEmpty, let element = menus[bound.entry.by]?.element
      else { return false }
      return element.isEnabled && element.by == responder
    }
  }

  /// The stroke that explains the panel's current row; nil if the app has bound all candidates.
  private var strokeOfWhy: Stroke? { [Stroke.why, .enterHeld].first { !isBound($0) } }
}

/// The *hints* on an unfinished key sequence: the strokes that may follow and their effects, above the status line.
final class Hints: Component {
  private var begun = ""
  private var hints: [(stroke: String, what: String)] = []
  var area = Area.nowhere

  func refresh(from face: Face) {
    let isTime = face.strokes.hintsFrom.map { face.now >= $0 } ?? false
    hints = isTime && face.over.isEmpty ? face.hints : []
    begun = face.strokes.text
    area = hints.isEmpty ? .nowhere : area(on: face.overlayScreen)
  }

  private static let gap = 3
  private static let widestHint = 36

  private var hintColumns: Int {
    min(Self.widestHint, hints.map { $0.stroke.columns + 1 + $0.what.columns }.max() ?? 0)
  }

  func area(on screen: Area) -> Area {
    let across = max(1, (screen.columns - 4 + Self.gap) / (hintColumns + Self.gap))
    let lines = (hints.count + across - 1) / max(1, across)
    let rows = min(screen.rows, lines + 2)
    return Area(row: screen.endRow - rows, column: screen.column, rows: rows, columns: screen.columns)
  }

  func draw(on canvas: inout Canvas, theme: Theme) {
    if area.isEmpty { return }
    Frame.draw(on: &canvas, in: area, title: "\(begun) …", theme: theme)
    let inner = area.inFrame
    guard inner.rows > 0, inner.columns > 4 else { return }
    let width = min(hintColumns, inner.columns)
    let across = max(1, (inner.columns + Self.gap) / (width + Self.gap))
    for (index, hint) in hints.enumerated() where index / across < inner.rows {
      let (row, column) = (inner.row + index / across, inner.column + index % across * (width + Self.gap))
      let cell = Area(row: row, column: column, rows: 1, columns: width)
      let end = canvas.put(hint.stroke, row: row, column: column, style: theme.header, in: cell)
      canvas.put(
        hint.what.cut(toColumns: max(0, cell.endColumn - end - 1)), row: row, column: end + 1, style: theme.row,
        in: cell)
    }
  }
}

extension Face {
  /// The strokes that may follow the pending strokes, and their effects.
  var hints: [(stroke: String, what: String)] {
    let begun = strokes.sequence
    if begun.isEmpty { return [] }
    return keys.filter { $0.isEffective && $0.sequence.strokes.count > begun.count }
      .filter { $0.sequence.strokes.starts(with: begun) }
      .map { bound in
        (bound.sequence.strokes.dropFirst(begun.count).map(\.text).joined(separator: " "), titleOf(bound))
      }
  }
}

extension Face {
  /// A face with the parts of the screen that every app has.
  convenience init(
    _ settings: FaceSettings, wish: @escaping (Wish) -> Void,
    post: @escaping (_ method: String, _ parameters: [(String, JSON)]) -> Int
  ) {
    self.init(settings, FaceParts(body: Body(), hints: Hints(), status: StatusLine()), wish: wish, post: post)
  }
}
