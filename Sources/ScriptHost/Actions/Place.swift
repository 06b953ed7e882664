/// Where in a script something stands, as far as it is known.
public struct Place: Sendable, Equatable, Hashable {
  /// The name that the script was loaded under.
  public var file: String
  /// Counted from 1.
  public var line: Int
  /// Counted in characters from 1.
  public var column: Int?

  /// A place in a script.
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

/// An *owner* registers things, which are removed together with it: the embedding program, the app's script, a plugin.
public final class Owner {
  /// What people know it by.
  public let name: String
  /// Its position in the order of loading; the owner that replaces it in a reload has the same.
  let number: Int
  /// Why it was set aside, so that its functions aren't called any more; nil as long as it works.
  var whySetAside: String? { didSet { noteInactivity() } }
  /// Whether it is a client, a program outside of the host.
  var isClient = false
  /// The bytes of what a client has declared and told.
  var toldBytes = 0
  /// How often its functions spent a limit.
  var violations = 0
  /// How many names its scripts have made.
  var namesMade = 0
  /// Whether its `start` function was called.
  var isStarted = false
  /// Whether it is being removed: its waiting actions take back what they did, and it can't register or observe anything more.
  var isLeaving = false { didSet { noteInactivity() } }
  /// Whether everything of it was removed. Functions that others hold may still run, but none of them takes back what is done.
  var hasLeft = false

  /// Whether it is leaving or set aside, so that nothing of its may wait. Stored, because it is read whenever something begins to wait.
  private(set) var isInactive = false

  /// A new owner of that name; owners with equal names are different owners.
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
  /// Whether its functions may no longer be called to take back what is done.
  var takesNothingBack: Bool { hasLeft || whySetAside != nil }
}

/// The *life* of an object: whatever may outlive the object retains this instead, and finds the object here as long as it lives.
///
/// It replaces a weak reference, because an object that was once referenced weakly is retained and released three times as slowly from
/// then on, which every perform would pay for.
package final class Life<Object: AnyObject> {
  private unowned(unsafe) var found: Object?

  package init() {}

  /// The object; nil once it is gone.
  package var object: Object? { found }

  package func begin(_ object: Object) { found = object }

  package func end() { found = nil }
}

/// A variable behind a constant pointer.
///
/// It avoids the exclusivity check on each access to a class's variable, which costs as much as what a perform does with it.
/// The code that makes a cell frees it.
struct Cell<Value> {
  private let memory: UnsafeMutablePointer<Value>

  var pointer: UnsafePointer<Value> { UnsafePointer(memory) }

  init(_ value: Value) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: value)
  }

  @inline(__always)
  var value: Value {
    unsafeAddress { UnsafePointer(memory) }
    nonmutating unsafeMutableAddress { memory }
  }

  /// Takes out what the cell holds, and leaves nil.
  @inline(__always)
  func take<Wrapped>() -> Wrapped? where Value == Wrapped? {
    let value = memory.move()
    memory.initialize(to: nil)
    return value
  }

  func free() {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }
}
