import ScriptHost

extension TerminalGround {
  /// The ground with so many hundredths of another colour.
  fileprivate func tinted(_ hundredths: Int, with colour: (UInt8, UInt8, UInt8)) -> Color {
    func mixed(_ own: UInt8, _ other: UInt8) -> UInt8 {
      UInt8((Int(own) * (100 - hundredths) + Int(other) * hundredths) / 100)
    }
    return .rgb(mixed(red, colour.0), mixed(green, colour.1), mixed(blue, colour.2))
  }
}

extension Theme {
  /// The theme for a terminal that shows all colours and has said its ground: bar, current rows and overlays have tints of that (P18).
  ///
  /// - Parameter isChosen: whether a person has chosen the theme; else it is the dark or the light one.
  package func tinted(on ground: TerminalGround, isChosen: Bool) -> Theme {
    var theme = isChosen ? self : Theme(named: ground.isLight ? "light" : "dark") ?? self
    guard theme.hasTints else { return theme }
    let text: (UInt8, UInt8, UInt8) = ground.isLight ? (0, 0, 0) : (255, 255, 255)
    let accent: (UInt8, UInt8, UInt8) =
      if case .rgb(let red, let green, let blue) = theme.accent.ink { (red, green, blue) } else { text }
    theme.overBar = ground.tinted(5, with: text)
    theme.overlay = ground.tinted(ground.isLight ? 6 : 8, with: text)
    theme.current = Style(paper: ground.tinted(ground.isLight ? 22 : 34, with: accent))
    theme.currentElsewhere = Style(paper: ground.tinted(9, with: text))
    theme.openMenu = theme.current
    theme.frame = Style(ink: ground.tinted(30, with: text))
    return theme
  }

  /// Makes a cell a part of the current row. Without a ground of its own the row is inverse, and loses its colours.
  func makeCurrent(_ style: inout Style, isFocused: Bool = true, keeping kept: Style.Marks = []) {
    let look = isFocused ? current : currentElsewhere
    if look.paper == .standard {
      style = Style(marks: look.marks.union(style.marks.intersection(kept)))
    } else {
      style.paper = look.paper
    }
  }
}

extension Canvas {
  /// Puts a ground below what was drawn on none.
  mutating func lay(_ ground: Color?, in area: Area) {
    guard let ground else { return }
    restyle(area) { if $0.paper == .standard, !$0.marks.contains(.reverse) { $0.paper = ground } }
  }
}
