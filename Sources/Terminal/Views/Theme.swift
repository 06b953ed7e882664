/// The *theme* has a style for each kind of thing: nothing is told by colour alone, and the terminal's sixteen colours are used by default.
package struct Theme: Sendable {
  var bar = Style.plain
  var openMenu = Style(marks: .reverse)
  var appTitle = Style(marks: .bold)
  var frame = Style(marks: .dim)
  var row = Style.plain
  /// The current row, which enter picks.
  var current = Style(marks: .reverse)
  var disabled = Style(marks: .dim)
  /// The style of reasons: a colour that can be read on a light and on a dark ground, unlike yellow on the one and blue on the other.
  var reason = Style(ink: .own(5))
  var subtitle = Style(marks: .dim)
  var key = Style(marks: .dim)
  var destructive = Style(ink: .own(1))
  var header = Style(marks: .bold)
  var mnemonic: Style.Marks = .underline
  /// The most bytes that one of its colours takes.
  private(set) var bytesOfColour = "\u{1B}[31m".utf8.count
  /// Whether the theme is for a light ground.
  private(set) var isLight = false

  package init() {}

  /// The names of themes that a person can choose.
  package static let names = ["terminal", "dark", "light"]

  /// The theme of a name: with the terminal's own colours, or with others for a dark or a light ground. The ground is always the terminal's.
  package init?(named name: String) {
    self.init()
    switch name {
    case "terminal": break
    case "dark":
      ink(
        reason: .rgb(229, 181, 103), quiet: .rgb(150, 156, 171), key: .rgb(130, 170, 255),
        destructive: .rgb(255, 122, 133))
    case "light":
      isLight = true
      ink(reason: .rgb(138, 83, 0), quiet: .rgb(99, 104, 117), key: .rgb(0, 87, 184), destructive: .rgb(184, 20, 46))
    default: return nil
    }
  }

  private mutating func ink(reason: Color, quiet: Color, key: Color, destructive: Color) {
    self.reason = Style(ink: reason)
    subtitle = Style(ink: quiet)
    disabled = Style(ink: quiet)
    frame = Style(ink: quiet)
    self.key = Style(ink: key)
    self.destructive = Style(ink: destructive)
    bytesOfColour = "\u{1B}[38;2;255;255;255m".utf8.count
  }
}
