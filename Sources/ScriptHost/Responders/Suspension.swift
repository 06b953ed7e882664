/// A *suspension* is a handler that waits: it can be gone on with, or unwound.
class Suspension {
  /// After how long to go on with it; -1 where something else wakes it.
  final var nanoseconds: Int64 = -1
  /// What it waits for; `awaited` gives it its type.
  final var awaitedObject: AnyObject?
  /// Whether it performed what it waits for, which ends with it.
  final var isNested = false
  /// How far it said that it is before its first wait, and what it did then.
  final var fraction: Double?
  final var doing: String?
  /// The context of the handler, where who asked it doesn't hold it.
  final var context: Context?

  init() {}

  /// Waits for what another waits for, because that goes on in this one's place.
  final func follow(_ other: Suspension) {
    nanoseconds = other.nanoseconds
    awaitedObject = other.awaitedObject
    isNested = other.isNested
    fraction = other.fraction
    doing = other.doing
  }

  /// Whose code would go on with it who goes or is set aside; nil where nobody's would.
  var stray: Owner? { nil }

  /// Goes on with the handler until it answers, which may be that it waits again.
  func resume() -> Reply { .pass }
  /// Drops the handler: no code of it runs any more.
  func unwind() {}
  /// Told when the perform waits in fact, and what was its own is put away.
  func suspended() {}
}

/// A *reply* is what a handler answers that is asked to do its action.
enum Reply {
  case value(Value)
  /// Not me: ask further up.
  case pass
  case refused(String)
  case failed(Failure)
  /// Not yet: it goes on later.
  case waiting(Suspension)
}
