// A picture of a canvas, on a dark ground that reads well on light pages and dark ones.

extension Canvas {
  private static let cell = 8.4
  private static let line = 19
  private static let margin = 16
  private static let ground = "#1b1f27"
  private static let plain = "#d5dae3"
  private static let faint = "#8b93a3"
  /// The terminal's own sixteen colours.
  private static let own = [
    "#3a404c", "#ff7b72", "#7ee08a", "#e9c46a", "#79b8ff", "#d2a8ff", "#76d7ea", "#d5dae3", "#6b7383", "#ff9a93",
    "#9be9a4", "#f2d591", "#9dcbff", "#dfc1ff", "#9be4f2", "#ffffff",
  ]

  /// What stands on it as an SVG: runs of one style, each as wide as its cells.
  var svg: String {
    let width = Int(Double(columns) * Self.cell) + 2 * Self.margin
    let height = rows * Self.line + 2 * Self.margin
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
      <rect width="100%" height="100%" rx="8" fill="\(Self.ground)"/>
      <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
      """
    ]
    for row in 0..<rows { parts += runs(row).compactMap { Self.picture($0, row) } }
    return (parts + ["</g>", "</svg>", ""]).joined(separator: "\n")
  }

  private struct Run {
    var column: Int
    var columns = 0
    var text = ""
    var style: Style
  }

  /// Cells of one style beside each other; what is no letter of one column stands alone, so that nothing is shifted by a font.
  private func runs(_ row: Int) -> [Run] {
    var runs: [Run] = []
    for column in 0..<columns where !self[row, column].isCovered {
      let cell = self[row, column]
      let isAlone = cell.glyph.width > 1 || !cell.glyph.text.utf8.allSatisfy { $0 < 0x80 }
      if !isAlone, var last = runs.last, last.style == cell.style, last.column + last.columns == column,
        last.text.utf8.allSatisfy({ $0 < 0x80 })
      {
        last.text += cell.glyph.text
        last.columns += 1
        runs[runs.count - 1] = last
      } else {
        runs.append(Run(column: column, columns: cell.glyph.width, text: cell.glyph.text, style: cell.style))
      }
    }
    return runs
  }

  private static func picture(_ run: Run, _ row: Int) -> String? {
    let isReversed = run.style.marks.contains(.reverse)
    let isBlank = run.text.allSatisfy { $0 == " " }
    if isBlank, !isReversed, run.style.paper == .standard { return nil }
    let left = number(Double(margin) + Double(run.column) * cell)
    let width = number(Double(run.columns) * cell)
    let top = margin + row * line
    var ink = colour(run.style.ink) ?? (run.style.marks.contains(.dim) ? faint : plain)
    var paper = colour(run.style.paper)
    if isReversed { (ink, paper) = (paper ?? ground, ink) }
    var picture = ""
    if let paper {
      picture += "<rect x=\"\(left)\" y=\"\(top)\" width=\"\(width)\" height=\"\(line)\" fill=\"\(paper)\"/>"
    }
    if isBlank { return picture }
    let bold = run.style.marks.contains(.bold) ? " font-weight=\"bold\"" : ""
    let line = run.style.marks.contains(.underline) ? " text-decoration=\"underline\"" : ""
    return picture
      + "<text x=\"\(left)\" y=\"\(top + 14)\" textLength=\"\(width)\" lengthAdjust=\"spacingAndGlyphs\" fill=\"\(ink)\"\(bold)\(line)>"
      + run.text.escaped + "</text>"
  }

  /// With one digit behind the point.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func colour(_ color: Color) -> String? {
    switch color {
    case .standard: return nil
    case .own(let index): return own[Int(index) & 15]
    case .palette(let index): return own[Int(index) & 15]
    case .rgb(let red, let green, let blue):
      return "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}

extension String {
  fileprivate var escaped: String {
    reduce(into: "") { text, character in
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.append(character)
      }
    }
  }
}
