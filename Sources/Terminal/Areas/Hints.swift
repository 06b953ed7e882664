import LiveHost
import ScriptHost

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
    return keys.filter { $0.entry.isReached && $0.sequence.strokes.count > begun.count }
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
