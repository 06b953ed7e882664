/// The *theme* says how each kind of thing is drawn. The terminal's own sixteen colours only, and nothing by colour alone.
package struct Theme: Sendable {
  var bar = Style.plain
  var openMenu = Style(marks: .reverse)
  var appTitle = Style(marks: .bold)
  var frame = Style(marks: .dim)
  var row = Style.plain
  /// The current row, which enter picks.
  var current = Style(marks: .reverse)
  var disabled = Style(marks: .dim)
  /// Why something is disabled: to be read, on a light ground as on a dark one, where yellow is hardly seen on the one and blue on the other.
  var reason = Style(ink: .own(5))
  var subtitle = Style(marks: .dim)
  var key = Style(marks: .dim)
  var destructive = Style(ink: .own(1))
  var header = Style(marks: .bold)
  var mnemonic: Style.Marks = .underline
}
