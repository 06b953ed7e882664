import LiveHost
import ScriptHost

/// A *page* is an overlay with lines of text that scroll.
class Page: Overlay {
  let title: String
  var lines: [PageLine]
  /// The first visible line.
  private var top = 0
  /// Whether the page is scrolled to its end, and stays there when lines are added.
  private var isAtEnd = false
  /// The command that opens the page, whose key closes it; nil if there is none.
  private let command: OwnCommand?
  var area = Area.nowhere

  /// - Parameter followsEnd: whether the page begins at its end and stays there when lines are added.
  init(_ title: String, _ lines: [PageLine] = [], of command: OwnCommand? = nil, followsEnd: Bool = false) {
    (self.title, self.lines, self.command, self.followsEnd) = (title, lines, command, followsEnd)
    isAtEnd = followsEnd
  }

  private let followsEnd: Bool

  // Subclasses override these.
  var isOfReload: Bool { false }
  func refresh(from face: Face) {}

  var hint: String { lastTop > 0 ? "↑ ↓ scroll   esc closes" : "esc closes" }

  // MARK: - Keys

  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    let step = max(1, area.rows - 3)
    switch stroke.key {
    case "up", "k": scroll(by: -1)
    case "down", "j": scroll(by: 1)
    case "pageup": scroll(by: -step)
    case "pagedown", "space": scroll(by: step)
    case "home": scroll(by: -lastTop)
    case "end": scroll(by: lastTop)
    case "esc", "enter", "q": face.close(self)
    default:
      // Any other key closes the page, and then opens another page or goes to the app.
      face.close(self)
      return command != nil && face.command(of: stroke) == command
    }
    return true
  }

  /// A paste closes the page and goes to the app, like an unknown key.
  func paste(_ text: String, of face: Face) -> Bool {
    face.close(self)
    return false
  }

  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    switch mouse.deed {
    case .wheel(let rows, _): scroll(by: 3 * rows)
    case .press(.left) where !area.holds(mouse): face.close(self)
    default: break
    }
    return true
  }

  func scroll(by rows: Int) {
    let last = lastTop
    top = max(0, min(last, (isAtEnd ? last : top) + rows))
    isAtEnd = followsEnd && top == last
  }

  // MARK: - Drawing

  /// Returns the lines broken to a width. Continuations are indented like the beginning.
  private func broken(toColumns columns: Int) -> [PageLine] {
    lines.flatMap { line in
      let pieces = line.text.broken(toColumns: columns)
      if pieces.count == 1 { return [line] }
      return pieces.map { PageLine($0, line.style) }
    }
  }

  /// Returns the page's area in the middle of the screen, as large as the text needs.
  func area(on screen: Area) -> Area {
    let most = min(screen.columns, 100) - 4
    let shown = broken(toColumns: most)
    let columns = max(title.columns + 2, shown.map(\.text.columns).max() ?? 0) + 4
    return Frame.middle(columns: min(columns, screen.columns), rows: min(shown.count + 2, screen.rows), of: screen)
  }

  /// The largest possible `top`.
  private var lastTop: Int { max(0, broken(toColumns: area.columns - 4).count - (area.rows - 2)) }

  func draw(on canvas: inout Canvas, theme: Theme) {
    Frame.draw(on: &canvas, in: area, title: title, theme: theme)
    let shown = broken(toColumns: area.columns - 4)
    let last = max(0, shown.count - (area.rows - 2))
    let top = isAtEnd ? last : max(0, min(top, last))
    let inner = area.inFrame
    for (row, line) in shown.dropFirst(top).prefix(max(0, inner.rows)).enumerated() {
      canvas.put(line.text, row: inner.row + row, column: inner.column, style: line.style, in: inner)
      for header in line.headers {
        let columns = Area(
          row: inner.row + row, column: inner.column + header.lowerBound, rows: 1, columns: header.count)
        canvas.restyle(columns.common(with: inner)) { $0 = theme.header }
      }
    }
    Frame.drawMore(above: top > 0, below: top < last, on: &canvas, in: area, theme: theme)
  }
}

/// A line of a page.
struct PageLine: Equatable {
  var text: String
  var style: Style
  /// The columns of the line that are headers.
  var headers: [Range<Int>] = []

  init(_ text: String, _ style: Style = .plain) { (self.text, self.style) = (text, style) }
}

// MARK: - Why

/// The page that explains why an action is possible or not.
final class WhyPage: Page {
  override func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    guard stroke.key == "?" else { return super.key(stroke, text, of: face) }
    face.close(self)
    face.perform(.help)
    return true
  }
}

extension Face {
  /// Requests the explanation why an item or an action is possible or not.
  func askWhy(_ id: String?) {
    guard let id, OwnCommand(id: id) == nil else { return }
    if let action = actions.first(where: { $0.entryID == id }) {
      return ask("why", [("ask", .text(action.entry.name)), ("as", .text("ref"))], for: .why(action.title))
    }
    guard let element = element(id) else { return }
    tellChosen()
    ask("why", [("ask", .text(id)), ("as", .text("id"))], for: .why(element.title))
  }

  func showWhy(_ title: String, _ text: String) {
    let theme = settings.theme
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
      PageLine(String(line), index == 0 ? theme.header : theme.row)
    }
    over.append(WhyPage(title, lines))
  }
}

// MARK: - The log

/// The page with the output and log of scripts, and the outcomes of the person's deeds.
final class LogPage: Page {
  init() { super.init("Log", of: .log, followsEnd: true) }

  override func refresh(from face: Face) { lines = face.log.lines(face.settings.theme) }
}

extension Face {
  func openLog() { over.append(LogPage()) }
}

extension FaceLog {
  func lines(_ theme: Theme) -> [PageLine] {
    let earlier = dropped > 0 ? [PageLine("… \(dropped) earlier", theme.subtitle)] : []
    if entries.isEmpty { return [PageLine("the log is empty", theme.subtitle)] }
    return earlier
      + entries.map { entry in
        switch entry.kind {
        case .print: PageLine(entry.text.withTabsFilled, theme.row)
        case .log: PageLine(entry.text, theme.subtitle)
        case .outcome: PageLine("✓ \(entry.text)", theme.row)
        case .refusal: PageLine("✗ \(entry.text)", theme.reason)
        case .warning: PageLine("! \(entry.text)\(entry.often)", theme.reason)
        case .error: PageLine("! \(entry.text)\(entry.often)", theme.destructive)
        }
      }
  }
}

extension FaceLog.Entry {
  /// The end of a text that came several times.
  fileprivate var often: String { times > 1 ? "  ×\(times)" : "" }
}

extension String {
  /// The text with tabs expanded to blanks, as in a terminal: 'print' writes tabs between its values.
  fileprivate var withTabsFilled: String {
    if !utf8.contains(0x09) { return self }
    return split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      return parts.dropFirst().reduce(into: String(parts.first ?? "")) { filled, part in
        filled += String(repeating: " ", count: 8 - filled.columns % 8) + part
      }
    }.joined(separator: "\n")
  }
}

// MARK: - A failed reload

/// The page about a failed reload. The next reload closes it.
final class ReloadPage: Page {
  override var isOfReload: Bool { true }

  /// The page opens by itself, so most keys are meant for what lies below it.
  override func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    if ["esc", "pageup", "pagedown"].contains(stroke.key) { return super.key(stroke, text, of: face) }
    face.close(self)
    return false
  }
}

extension Face {
  /// Shows why a reload failed: the message, the line of the script, and the place in it.
  func showFailedReload(_ diagnostic: Diagnostic, line: String?) {
    let theme = settings.theme
    var lines = [PageLine(diagnostic.message, theme.header)]
    if let place = diagnostic.place { lines.insert(PageLine("\(place)", theme.subtitle), at: 0) }
    if let line {
      let begin = line.prefix { $0 == " " || $0 == "\t" }.count
      lines += [PageLine(""), PageLine("  \(line.dropFirst(begin))", theme.row)]
      if let column = diagnostic.place?.column, column > begin {
        let before = String(line.dropFirst(begin).prefix(column - 1 - begin)).columns
        lines.append(PageLine(String(repeating: " ", count: 2 + before) + "^", theme.destructive))
      }
    }
    let page = ReloadPage("Not reloaded: the old version is still running", lines)
    // A person who is typing continues. The page goes below, to be read afterwards.
    let isTyping = over.last?.takesText ?? false
    over.insert(page, at: isTyping ? over.firstIndex(where: \.takesText) ?? over.count : over.count)
  }
}

/// The *inspector* is the page with the app's chain, context, jobs, histories, diagnostics, last trace and keys.
final class InspectorPage: Page {
  /// The lines of each part that the app has sent.
  private var parts: [InspectorPart: [String]] = [:]

  init() { super.init("Inspector", of: .inspector) }

  fileprivate func take(_ part: InspectorPart, _ json: JSON, of face: Face) {
    if let told = Self.lines(of: part, json) { parts[part] = told }
    let theme = face.settings.theme
    lines = [PageLine(face.source + (face.name.map { "   @\($0)" } ?? ""), theme.subtitle)]
    func add(_ title: String, _ shown: [String]) {
      lines += [PageLine(""), PageLine(title, theme.header)]
      lines += (shown.isEmpty ? ["  nothing"] : shown).map { PageLine($0, theme.row) }
    }
    for part in InspectorPart.allCases {
      // The error of a failed reload is listed too, because it isn't among the old version's diagnostics.
      let unread = part == .diagnostics ? face.broken.map { ["  not reloaded: \($0)"] } ?? [] : []
      add(part.title, unread + (parts[part] ?? []))
    }
    add("The last trace", face.lastTrace)
    add(
      "Keys",
      Self.columns(
        face.keys.map { [$0.sequence.text, $0.entry.isPane ? $0.entry.text : $0.entry.reference, $0.entry.by] }))
  }

  private static func lines(of part: InspectorPart, _ json: JSON) -> [String]? {
    let reader = AnswerReader()
    switch part {
    case .chain:
      guard let chain = try? reader.read(json, as: Answer.Chain.self) else { return nil }
      return chain.links.map { ($0.name == chain.focus ? "▸ " : "  ") + $0.name }
    case .context:
      guard let entries = try? reader.read(json, as: Answer.Context.self).entries else { return nil }
      return entries.map { "  \($0.key): \($0.value.text)   from \($0.by)" }
    case .jobs:
      return (json["jobs"]?.list ?? []).map { job in
        "  \(job["action"]?.text ?? "")   \(job["by"]?.text ?? "")   \(job["progress"]?["text"]?.text ?? "")"
      }
    case .history:
      return ["undo", "redo"].flatMap { name in
        (json[name]?.list ?? []).prefix(20).compactMap(\.text).map { "  \(name) \($0)" }
      }
    case .diagnostics:
      let diagnostics = (json["diagnostics"]?.list ?? []).compactMap { try? reader.read($0, as: Diagnostic.self) }
      return diagnostics.withoutRepeats.map { "  \($0.place.map { "\($0): " } ?? "")\($0.message)" }
    }
  }

  /// Returns the rows as lines with aligned columns.
  private static func columns(_ rows: [[String]]) -> [String] {
    let widths = (0..<2).map { column in min(32, rows.map { $0[column].columns }.max() ?? 0) }
    return rows.map { row in
      let padded = zip(row, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.columns)) }
      return "  " + (padded + row.suffix(1)).joined(separator: "   ")
    }
  }
}

extension Face {
  func openInspector() {
    over.append(InspectorPage())
    inspect()
  }

  /// Requests the inspector's parts from the app, if the inspector is open.
  func inspect() {
    guard over.contains(where: { $0 is InspectorPage }) else { return }
    for part in InspectorPart.allCases { ask(part.rawValue, for: .inspector(part)) }
  }

  func inspected(_ part: InspectorPart, _ json: JSON) {
    for case let page as InspectorPage in over { page.take(part, json, of: self) }
  }
}
