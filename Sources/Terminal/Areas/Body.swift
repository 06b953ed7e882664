import LiveHost
import ScriptHost

/// The *body* of the screen without a panel: the possible and impossible actions with reasons, by responder.
final class Body: Component {
  private(set) var lines: [Line] = []
  private var top = 0
  /// The versions of the face's data from which the lines were made.
  private var version: [Int] = []
  var area = Area.nowhere

  /// A line of the body.
  struct Line: Equatable {
    enum Kind: Equatable {
      case header, item, empty
    }

    var kind: Kind
    var key = ""
    var mark = ""
    var title = ""
    /// The menus around the item, or the reason why it is disabled.
    var note = ""
    var isEnabled = true
    var isDestructive = false
    /// The id by which a person picks the line; empty if that is impossible.
    var id = ""
  }

  func refresh(from face: Face) {
    if version == [face.menus.version, face.facts] { return }
    version = [face.menus.version, face.facts]
    lines = Self.lines(of: face)
  }

  /// Scrolls, with keys that the app hasn't bound. If all lines fit, the arrow keys lead into the menus.
  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    guard face.strokes.begun.isEmpty, !face.isBound(stroke), stroke.modifiers.isEmpty else { return false }
    let page = max(1, area.rows - 1)
    switch stroke.key {
    case "enter" where face.isBodyShown: openFirst(of: face)
    case "down" where face.isBodyShown && lastTop == 0: openFirst(of: face)
    case "up" where face.isBodyShown: scroll(by: -1)
    case "down" where face.isBodyShown: scroll(by: 1)
    case "pageup": scroll(by: -page)
    case "pagedown": scroll(by: page)
    default: return false
    }
    return true
  }

  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    switch mouse.deed {
    case .wheel(let rows, _): scroll(by: 3 * rows)
    case .press(.left):
      let index = top + mouse.row - area.row
      if area.holds(mouse), lines.indices.contains(index), !lines[index].id.isEmpty { face.pick(lines[index].id) }
    default: break
    }
    return true
  }

  private func scroll(by rows: Int) { top = max(0, top + rows) }

  /// Opens the first menu; in an app without menus, the palette, which lists the actions of the body.
  private func openFirst(of face: Face) { face.menus.bar.isEmpty ? face.openPalette() : face.openMenu(at: 0) }

  /// The largest possible `top`.
  private var lastTop: Int { max(0, lines.count - area.rows) }

  /// The most columns of a line, for easy reading.
  private static let widest = 100

  func draw(on canvas: inout Canvas, theme: Theme) {
    top = max(0, min(top, lastTop))
    if area.isEmpty { return }
    let shown = lines.dropFirst(top).prefix(max(0, area.rows))
    // The widths are those of the visible lines, so that thousands of others cost nothing.
    let width = min(Self.widest, area.columns) - 2
    // On a narrow screen titles are more useful than keys.
    let key = min(width < 32 ? max(0, width / 3) : 16, shown.map(\.key.columns).max() ?? 0)
    let room = max(0, width - key - 6)
    let title = min(room, max(room / 3, min(40, shown.map(\.title.columns).max() ?? 0)))
    for (index, line) in shown.enumerated() {
      let row = area.row + index
      let column = area.column + 2
      if line.kind == .header { canvas.put(line.title, row: row, column: column, style: theme.header, in: area) }
      guard line.kind == .item else { continue }
      let style = !line.isEnabled ? theme.disabled : line.isDestructive ? theme.destructive : theme.row
      canvas.put(
        line.key.cut(toColumns: key), row: row, column: column + 2, style: line.isEnabled ? theme.key : theme.disabled,
        in: area)
      let start = column + 2 + key + (key > 0 ? 2 : 0)
      let mark = line.isDestructive ? "!" : line.mark
      canvas.put(mark, row: row, column: start, style: style, in: area)
      let space = area.endColumn - 1 - (start + 2)
      let own = RowRoom(
        title: line.title, note: line.note, room: space, columns: (title, max(0, space - title - 2)))
      canvas.put(line.title.cut(toColumns: own.title), row: row, column: start + 2, style: style, in: area)
      canvas.put(
        line.note.cut(toColumns: own.note.columns), row: row, column: start + 2 + own.note.column,
        style: line.isEnabled ? theme.subtitle : theme.reason, in: area)
    }
    Frame.drawThumb(top: top, lastTop: lastTop, on: &canvas, in: area, column: area.endColumn - 2, theme: theme)
  }

  // MARK: - Its lines

  static func lines(of face: Face) -> [Line] {
    face.menus.bar.isEmpty
      ? lines(of: face.responders, keys: face.keys, actions: face.actions) : lines(of: face.menus, chain: face.chain)
  }

  /// Returns the lines of the menus' items, grouped by the responder that handles or refuses them, in chain order.
  /// A disabled item keeps its place, so that no line jumps.
  private static func lines(of menus: ShownMenus, chain: [String]) -> [Line] {
    var order = chain
    var groups: [String: [Line]] = [:]
    var elsewhere: [Line] = []
    for (node, path) in menus.items {
      let element = node.element
      let by = element.by ?? ""
      if groups[by] == nil, !order.contains(by) { order.append(by) }
      var line = Line(
        kind: .item, key: element.key ?? "", mark: element.stateMark, title: element.title,
        note: element.isEnabled ? path.joined(separator: " › ") : element.whyNotInRow,
        isEnabled: element.isEnabled, isDestructive: element.isDestructive, id: node.id)
      if element.elsewhere == nil {
        groups[by, default: []].append(line)
      } else {
        // The header contains this note already.
        line.note = ""
        elsewhere.append(line)
      }
    }
    return grouped(
      order.filter { !$0.isEmpty }.map { ($0, groups[$0] ?? []) }
        + [(.notHere, elsewhere), ("can't be done", groups[""] ?? [])])
  }

  /// Returns the lines of the responders' actions, nearest first, for an app without menus. Titles replace names.
  private static func lines(of responders: [Answer.Node], keys: [BoundKeys], actions: [ListedAction]) -> [Line] {
    grouped(
      responders.map { responder in
        (
          responder.name,
          responder.actions.map { action in
            Line(
              kind: .item, key: keys.first { $0.entry.reference == action.name }?.sequence.text ?? "",
              title: actions.first { $0.entry.name == action.name && $0.entry.by == responder.name }?.title
                ?? action.name,
              note: action.validation.reason ?? "", isEnabled: action.validation.isEnabled)
          }
        )
      })
  }

  private static func grouped(_ groups: [(name: String, lines: [Line])]) -> [Line] {
    groups.filter { !$0.lines.isEmpty }.flatMap { name, lines in
      [Line(kind: .empty), Line(kind: .header, title: name)] + lines
    }.dropFirst().map { $0 }
  }
}
