/// The status line, the last row: what came of the last action, what goes on, or why the current row can't be done.
enum StatusView {
  /// What the status line says.
  enum Content: Equatable {
    /// What can be done here, where nothing else is to be said.
    case hint(String)
    case done(String)
    /// Something that is worth knowing: a person's own choice, or how to go on.
    case note(String)
    /// Something was refused, or can't be done: why.
    case refused(String)
    case failed(String)
    /// Something was refused while an action goes on, which may be why.
    case inTheWay(String, job: String)
    /// An action that takes time: how far it is, from 0 to 1, where it says so, and what it says of it. Others may go on
    /// beside it.
    case progress(title: String, fraction: Double?, text: String, others: Int = 0)
    /// Strokes that were begun.
    case pending(String)
  }

  static func draw(_ content: Content, on canvas: inout Canvas, theme: Theme = Theme()) {
    let row = canvas.rows - 1
    let line = Area(row: row, column: 0, rows: 1, columns: canvas.columns)
    canvas.fill(line)
    // What stands at the right end keeps its columns free.
    func put(_ mark: String, _ text: String, _ style: Style, before taken: Int = 0) {
      let start = 2 + mark.columns
      put(mark, lines(of: text, on: canvas, toColumns: canvas.columns - start - 1 - taken), start, style, before: taken)
    }
    func put(_ mark: String, _ lines: [String], _ start: Int, _ style: Style, before taken: Int = 0) {
      let first = row + 1 - lines.count
      canvas.put(mark, row: first, column: 1, style: style)
      for (index, line) in lines.enumerated() {
        let line = line.cut(toColumns: max(0, canvas.columns - start - 1 - taken))
        canvas.put(line, row: first + index, column: start, style: style)
      }
    }
    switch content {
    case .hint(let text): put("", hints(text, on: canvas), 1, theme.subtitle)
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
      drawProgress(title, fraction, text, others, on: &canvas, theme)
    }
  }

  /// Breaks a text: it begins in lines above, as far as nothing is drawn there.
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

  /// Hints as far as there is room for them: the first says what is done, the last how to get out. Where not even these two fit, each has a line
  /// of its own, or the first alone is said.
  private static func hints(_ hints: String, on canvas: Canvas) -> [String] {
    var parts = hints.split(separator: between).map(String.init)
    var isWhole: Bool { parts.joined(separator: between).columns <= canvas.columns - 2 }
    while parts.count > 2, !isWhole { parts.remove(at: parts.count - 2) }
    if isWhole { return [parts.joined(separator: between)] }
    let isFree = canvas.rows > 1 && !canvas.isDrawn(canvas.rows - 2)
    return isFree ? parts : Array(parts.prefix(1))
  }

  private static let barColumns = 20
  /// So much of what is said of it goes before the bar, where others go on.
  private static let textBesideBar = 14
  /// A bar of fewer cells says less than the number beside it.
  private static let fewestColumns = 5

  /// Draws a job: its title, a bar, how far it is, how many others go on, how it is cancelled; on a narrow screen the bar goes first.
  private static func drawProgress(
    _ title: String, _ fraction: Double?, _ text: String, _ others: Int, on canvas: inout Canvas, _ theme: Theme
  ) {
    let row = canvas.rows - 1
    let stop = canvas.columns < 48 ? "esc esc" : "esc esc cancels"
    let more = others > 0 ? "and \(others) more" : ""
    let room = canvas.columns - 2 - stop.columns - (more.isEmpty ? 0 : more.columns + 2)
    var end = canvas.put(title.cut(toColumns: min(room / 2, room - 7)), row: row, column: 1, style: theme.header)
    if let fraction {
      let fraction = fraction.isFinite ? min(1, max(0, fraction)) : 0
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
