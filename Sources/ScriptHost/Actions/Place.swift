/// A location in a script, as far as it is known.
public struct Place: Sendable, Equatable, Hashable {
  /// The name under which the script was loaded.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column in characters, from 1.
  public var column: Int?

  /// Creates a place in a script.
  public init(file: String, line: Int, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension Place: CustomStringConvertible {
  public var description: String {
    let column = column.map { ":\($0)" } ?? ""
    return "\(file):\(line)\(column)"
  }
}

/// The part of a text around a place, for one line with a caret below the place.
///
/// Its length is limited, so an error can be kept no matter how long the text was.
public struct Excerpt: Sendable, Equatable {
  /// The text, where every scalar is visible and stays on the line.
  public let line: String

  /// The number of terminal columns before the place.
  let caret: Int

  /// The number of scalars on each side of the place; the rest is `…`.
  private static let reach = 60

  /// The most bytes of that many scalars.
  private static let byteReach = 4 * reach

  /// Creates an excerpt of bytes that are UTF-8 up to the place.
  package init(of bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
    let before = String(decoding: bytes[..<offset].suffix(Self.byteReach), as: UTF8.self).unicodeScalars
    let after = String(decoding: bytes[offset...].prefix(Self.byteReach), as: UTF8.self).unicodeScalars
    let isCutBefore = offset > Self.byteReach || before.count > Self.reach
    let isCutAfter = bytes.count - offset > Self.byteReach || after.count > Self.reach
    let shown = (isCutBefore ? "…" : "") + Self.visible(before.suffix(Self.reach))
    line = shown + Self.visible(after.prefix(Self.reach)) + (isCutAfter ? "…" : "")
    caret = shown.width
  }

  /// Returns the line, with the caret below it.
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

/// The embedding program, the app's script or a plugin. Removing an owner removes everything that it registered.
public final class Owner {
  /// The name for people.
  public let name: String
  /// Its position in the order of loading. A reload keeps it.
  let number: Int
  /// Why it was set aside, so that its functions aren't called any more; nil while it works.
  var whySetAside: String? { didSet { noteInactivity() } }
  /// Whether it is a client, a program outside the host.
  var isClient = false
  /// The bytes of a client's declarations and messages.
  var toldBytes = 0
  /// The number of times that its functions exceeded a limit.
  var violations = 0
  /// The number of names that its scripts created.
  var namesMade = 0
  /// Whether its `start` function has been called.
  var isStarted = false
  /// Whether one of its `stop` functions exceeded a limit.
  var hasStoppedLate = false
  /// Whether it is being removed. Its waiting actions undo their changes, and it can't register or observe anything.
  var isLeaving = false { didSet { noteInactivity() } }
  /// Whether it has been removed completely. Functions that others hold may still run, but none of them undoes changes.
  var hasLeft = false

  /// Whether it is leaving or set aside, so that its actions can't wait. Stored, because every wait reads it.
  private(set) var isInactive = false

  /// Creates an owner. Owners with equal names are different owners.
  init(name: String) {
    self.name = name
    number = 0
  }

  init(name: String, number: Int) {
    self.name = name
    self.number = number
  }

  private func noteInactivity() { isInactive = isLeaving || whySetAside != nil }
}

extension Owner {
  /// Whether its functions may no longer be called to undo changes.
  var takesNothingBack: Bool { hasLeft || whySetAside != nil }
}

/// Refers to an object for code that may outlive it.
///
/// It replaces a weak reference: an object that was referenced weakly once is retained and released three times as
/// slowly afterwards. Every perform would pay for that.
package final class Life<Object: AnyObject> {
  private unowned var found: Object?

  package init() {}

  /// The object; nil after its end.
  package var object: Object? { found }

  package func begin(_ object: Object) { found = object }

  package func end() { found = nil }
}
