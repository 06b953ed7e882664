/// The part of a text around a place, ready to be shown on one line with a caret below the place.
///
/// It is bounded, so an error can be kept however long the text was.
public struct Excerpt: Sendable, Equatable {
  /// The text, every scalar as one that can be seen and stays on the line.
  public let line: String

  /// How many columns of a terminal the line has before the place.
  let caret: Int

  /// How many scalars are shown on each side of the place; the rest is `…`.
  private static let reach = 60

  /// How many bytes so many scalars take at most.
  private static let byteReach = 4 * reach

  /// An excerpt of bytes that are UTF-8 up to the place.
  package init(of bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
    let before = String(decoding: bytes[..<offset].suffix(Self.byteReach), as: UTF8.self).unicodeScalars
    let after = String(decoding: bytes[offset...].prefix(Self.byteReach), as: UTF8.self).unicodeScalars
    let isCutBefore = offset > Self.byteReach || before.count > Self.reach
    let isCutAfter = bytes.count - offset > Self.byteReach || after.count > Self.reach
    let shown = (isCutBefore ? "…" : "") + Self.visible(before.suffix(Self.reach))
    line = shown + Self.visible(after.prefix(Self.reach)) + (isCutAfter ? "…" : "")
    caret = shown.width
  }

  /// The line and the caret below it.
  public func render(indent: String = "  ") -> String {
    "\(indent)\(line)\n\(indent)\(String(repeating: " ", count: caret))^"
  }

  private static func visible(_ scalars: Substring.UnicodeScalarView) -> String {
    var visible = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar.isBlank {
        visible.append(" ")
      } else {
        visible.append(scalar.isVisible || scalar.isMark ? scalar : "\u{FFFD}")
      }
    }
    return String(visible)
  }
}
