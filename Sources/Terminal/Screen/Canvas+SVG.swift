// Draws a canvas as a picture, on a dark or light background.

extension Canvas {
  private static let cell = 8.4
  private static let line = 19
  private static let margin = 16

  /// Returns the canvas as an SVG: backgrounds first, then lines and letters, each at the place of its cells.
  func svg(with theme: Theme = Theme()) -> String {
    let width = Int(Double(columns) * Self.cell) + 2 * Self.margin
    let height = rows * Self.line + 2 * Self.margin
    var inks = theme.isLight ? PictureInks.light : PictureInks.dark
    inks.hasColour = theme.hasColour
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
      <rect width="100%" height="100%" rx="8" fill="\(inks.ground)"/>
      <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
      """
    ]
    for row in 0..<rows { parts += grounds(row, inks) }
    for row in 0..<rows { parts += runs(row).compactMap { Self.picture($0, row, inks) } }
    return (parts + ["</g>", "</svg>", ""]).joined(separator: "\n")
  }

  // MARK: - Grounds

  /// Returns the backgrounds of a row. Neighbouring cells with the same colour share a rectangle, to avoid seams.
  private func grounds(_ row: Int, _ inks: PictureInks) -> [String] {
    var pictures: [String] = []
    var begin = 0
    func paper(_ column: Int) -> String? { column < columns ? inks.colours(of: self[row, column].style).paper : nil }
    while begin < columns {
      var end = begin + 1
      let colour = paper(begin)
      while end < columns, paper(end) == colour { end += 1 }
      if let colour {
        pictures.append(
          "<rect x=\"\(Self.left(begin))\" y=\"\(Self.margin + row * Self.line)\" width=\"\(Self.width(end - begin))\" "
            + "height=\"\(Self.line)\" fill=\"\(colour)\" shape-rendering=\"crispEdges\"/>")
      }
      begin = end
    }
    return pictures
  }

  // MARK: - Letters and lines

  private struct Run {
    var column: Int
    var columns = 0
    var text = ""
    var style: Style
    /// Whether the run is a horizontal line, which is drawn as a whole.
    var isAcross: Bool { text.first == "─" }
  }

  /// Returns the runs of cells with one style in a row. A glyph beyond ASCII is a run, so that no font shifts it,
  /// except lines.
  private func runs(_ row: Int) -> [Run] {
    var runs: [Run] = []
    for column in 0..<columns where !self[row, column].isCovered {
      let cell = self[row, column]
      let isPlain = cell.glyph.width == 1 && cell.glyph.text.utf8.allSatisfy { $0 < 0x80 }
      if var last = runs.last, last.style == cell.style, last.column + last.columns == column,
        last.isAcross ? cell.glyph.text == "─" : isPlain && last.text.utf8.allSatisfy({ $0 < 0x80 })
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

  private static func picture(_ run: Run, _ row: Int, _ inks: PictureInks) -> String? {
    if run.text.allSatisfy({ $0 == " " }) { return nil }
    let ink = inks.colours(of: run.style).ink
    if let arms = arms[run.text.first ?? " "] { return lines(run, row, arms, ink) }
    if run.text.count == 1, let block = blocks[run.text.first ?? " "] { return picture(block, run, row, ink) }
    let bold = run.style.marks.contains(.bold) ? " font-weight=\"bold\"" : ""
    let line = run.style.marks.contains(.underline) ? " text-decoration=\"underline\"" : ""
    let slope = run.style.marks.contains(.italic) ? " font-style=\"italic\"" : ""
    return
      "<text x=\"\(left(run.column))\" y=\"\(margin + row * Self.line + 14)\" textLength=\"\(width(run.columns))\" "
      + "lengthAdjust=\"spacingAndGlyphs\" fill=\"\(ink)\"\(bold)\(line)\(slope)>\(run.text.escaped)</text>"
  }

  /// The directions of lines from the middle of a cell. They are drawn, because a font's box characters leave gaps.
  private static let arms: [Character: String] = [
    "─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu", "├": "rud", "┤": "lud", "┬": "lrd", "┴": "lru",
    "┼": "lrud",
  ]

  /// The parts of a cell that blocks cover, in eighths: column, row, columns, rows. A font's blocks leave gaps.
  private static let blocks: [Character: (Int, Int, Int, Int)] = [
    "█": (0, 0, 8, 8), "▀": (0, 0, 8, 4), "▄": (0, 4, 8, 4), "▌": (0, 0, 4, 8), "▐": (4, 0, 4, 8),
  ]

  private static func picture(_ block: (Int, Int, Int, Int), _ run: Run, _ row: Int, _ ink: String) -> String {
    let (x, y, columns, rows) = block
    let (width, height) = (cell / 8, Double(line) / 8)
    let left = Double(margin) + Double(run.column) * cell + Double(x) * width
    let top = Double(margin + row * line) + Double(y) * height
    return "<rect x=\"\(number(left))\" y=\"\(number(top))\" width=\"\(number(Double(columns) * width))\" "
      + "height=\"\(number(Double(rows) * height))\" fill=\"\(ink)\" shape-rendering=\"crispEdges\"/>"
  }

  private static func lines(_ run: Run, _ row: Int, _ arms: String, _ ink: String) -> String {
    let (top, start) = (Double(margin + row * line), Double(margin) + Double(run.column) * cell)
    let (x, y) = (start + cell / 2, top + Double(line) / 2)
    var path = ""
    if run.isAcross {
      path = "M\(number(start)) \(number(y))H\(number(start + Double(run.columns) * cell))"
    } else {
      for arm in arms {
        path += "M\(number(x)) \(number(y))"
        switch arm {
        case "l": path += "H\(number(start))"
        case "r": path += "H\(number(start + cell))"
        case "u": path += "V\(number(top))"
        default: path += "V\(number(top + Double(line)))"
        }
      }
    }
    return "<path d=\"\(path)\" stroke=\"\(ink)\"/>"
  }

  // MARK: - Numbers

  private static func left(_ column: Int) -> String { number(Double(margin) + Double(column) * cell) }
  private static func width(_ columns: Int) -> String { number(Double(columns) * cell) }

  /// Returns a number with one digit after the point.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
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

/// The colours of a picture instead of the terminal's, for a dark or light background.
struct PictureInks {
  let ground: String
  let plain: String
  let faint: String
  /// The sixteen colours of a terminal.
  let own: [String]
  /// Whether there are colours besides plain and faint.
  var hasColour = true

  static let dark = PictureInks(
    ground: "#1b1f27", plain: "#d5dae3", faint: "#8b93a3",
    own: [
      "#3a404c", "#ff7b72", "#7ee08a", "#e9c46a", "#79b8ff", "#d2a8ff", "#76d7ea", "#d5dae3", "#6b7383", "#ff9a93",
      "#9be9a4", "#f2d591", "#9dcbff", "#dfc1ff", "#9be4f2", "#ffffff",
    ])

  static let light = PictureInks(
    ground: "#fbfbfa", plain: "#24292f", faint: "#6a717c",
    own: [
      "#24292f", "#b8142e", "#116329", "#8a5300", "#0057b8", "#7d3bbd", "#1b7c83", "#6e7781", "#57606a", "#a40e26",
      "#1a7f37", "#633c01", "#218bff", "#8250df", "#3192aa", "#8c959f",
    ])

  static func ground(isLight: Bool) -> TerminalGround {
    isLight ? TerminalGround(red: 0xFB, green: 0xFB, blue: 0xFA) : TerminalGround(red: 0x1B, green: 0x1F, blue: 0x27)
  }

  /// Returns the colours of a style; `paper` is nil if the background shows.
  func colours(of style: Style) -> (ink: String, paper: String?) {
    let ink = colour(style.ink) ?? (style.marks.contains(.dim) ? faint : plain)
    let paper = colour(style.paper)
    return style.marks.contains(.reverse) ? (paper ?? ground, ink) : (ink, paper)
  }

  private func colour(_ color: Color) -> String? {
    if !hasColour { return nil }
    switch color {
    case .standard: return nil
    case .own(let index): return own[Int(index) & 15]
    case .palette(let index):
      return index < 16 ? own[Int(index)] : self.colour(.rgb(ofPalette: index))
    case .rgb(let red, let green, let blue):
      return "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
