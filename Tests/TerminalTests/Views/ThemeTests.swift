import Expectations
import Testing

@testable import Terminal

@Suite("Themes") struct ThemeTests {
  @Test("X2: Without a theme the colours are the terminal's; each theme has as many colours as the terminal")
  func colours() throws {
    func colours(_ theme: Theme) -> [Color] {
      [theme.reason, theme.subtitle, theme.key, theme.destructive, theme.disabled].map(\.ink)
    }
    expect(colours(Theme()), is: colours(try require(Theme(named: "terminal"))))
    expect(colours(Theme()).allSatisfy { if case .rgb = $0 { false } else { true } })
    for name in ["dark", "light"] {
      let theme = try require(Theme(named: name))
      expect(colours(theme).allSatisfy { if case .rgb = $0 { true } else { false } }, "\(name)")
      expect(colours(theme).allSatisfy { if case .own = $0.reduced(to: .sixteen) { true } else { false } })
      expect(theme.current, is: Theme().current, "what is current is told by no colour")
    }
    expect(Theme(named: "solarized") == nil && Theme.names.allSatisfy { Theme(named: $0) != nil })
  }

  private static let dark = TerminalGround(red: 0x1B, green: 0x1F, blue: 0x27)
  private static let light = TerminalGround(red: 0xFB, green: 0xFB, blue: 0xFA)

  @Test("P18: A ground chooses dark or light; bar, overlays and current rows have tints of it, and rows keep colours")
  func tints() throws {
    let dark = Theme().tinted(on: Self.dark, isChosen: false)
    let light = Theme().tinted(on: Self.light, isChosen: false)
    expect(!dark.isLight && light.isLight)
    expect(dark.overlay == .rgb(45, 48, 56) && dark.overBar == .rgb(38, 42, 49))
    expect(light.overBar, is: .rgb(238, 238, 237))
    expect(dark.current.paper != .standard && dark.current.paper != dark.currentElsewhere.paper)
    var style = Style(ink: .own(2), marks: .bold)
    dark.makeCurrent(&style)
    expect(style, is: Style(ink: .own(2), paper: dark.current.paper, marks: .bold))
    let chosen = try require(Theme(named: "light")).tinted(on: Self.dark, isChosen: true)
    expect(chosen.isLight, "what a person has chosen stays")
    let own = try require(Theme(named: "terminal")).tinted(on: Self.dark, isChosen: true)
    expect(own.overlay == nil && own.current == Theme().current)
    style = Style(ink: .own(2), marks: [.bold, .underline])
    own.makeCurrent(&style, keeping: .underline)
    expect(style, is: Style(marks: [.reverse, .underline]))
    style = Style(ink: .own(2))
    own.makeCurrent(&style, isFocused: false)
    expect(style, is: Style(ink: .own(2), marks: .bold), "in other panes a row keeps its colours")
  }

  @Test("P18: An overlay on a tinted ground has no frame")
  func frames() {
    var canvas = Canvas(columns: 12, rows: 3)
    let area = Area(row: 0, column: 1, rows: 3, columns: 10)
    let theme = Theme().tinted(on: Self.dark, isChosen: false)
    Frame.draw(on: &canvas, in: area, title: "Menu", theme: theme)
    canvas.lay(theme.overlay, in: area)
    expect(canvas.text, is: "    Menu\n\n")
    expect(canvas[1, 1].style.paper == .rgb(45, 48, 56) && canvas[1, 0].style.paper == .standard)
  }

  @Test("P18: A theme is a file of lines, and is based on the dark theme or another")
  func file() throws {
    let theme = try Theme(
      reading: """
        # mine
        base = "light"
        accent = "blue"

        added="bold #a6e3a1"
          quiet = "208"
        reason = "magenta"
        """)
    expect(theme.isLight)
    expect(theme.look(of: .accent), is: Style(ink: .own(4)))
    expect(theme.look(of: .added), is: Style(ink: .rgb(0xA6, 0xE3, 0xA1), marks: .bold))
    expect(theme.subtitle == Style(ink: .palette(208)) && theme.reason == Style(ink: .own(5)))
    try expect(Theme(reading: "").look(of: .link), is: Theme(named: "dark")?.look(of: .link))
  }

  @Test(
    "P18: An error in a theme names its line",
    arguments: [
      ("accent = blue", 1, "a line of a theme is like: accent = \"blue\""),
      ("\n\naccent", 3, "a line of a theme is like"),
      ("acent = \"blue\"", 1, "there is no style 'acent'; did you mean 'accent'?"),
      ("accent = \"quiet\"", 1, "'accent' is a colour such as"), ("accent = \"\"", 1, "'accent' is a colour such as"),
      (
        "accent = \"red\"\nbase = \"dark\"", 2,
        "'base' is \"terminal\" or \"dark\" or \"light\", in the first line"
      ),
      ("base = \"solar\"", 1, "'base' is"),
    ])
  func wrongFile(text: String, line: Int, message: String) {
    let error = #expect(throws: Theme.Misspelling.self) { try Theme(reading: text) }
    expect(error?.line == line && error?.message.hasPrefix(message) ?? false, "\(String(describing: error))")
  }
}
