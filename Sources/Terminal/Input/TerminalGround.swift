/// The colour of a terminal's ground, as the terminal says itself when it is asked.
package struct TerminalGround: Equatable, Sendable {
  let red, green, blue: UInt8

  /// Whether dark letters are read on it.
  var isLight: Bool { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) > 128_000 }
}
