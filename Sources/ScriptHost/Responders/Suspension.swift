/// A *suspension* is a handler that waits; it can be resumed or unwound.
class Suspension {
  /// After how long to resume it; -1 if something else wakes it.
  final var nanoseconds: Int64 = -1
  /// The job for which it waits; `awaited` gives it its type.
  final var awaitedObject: AnyObject?
  /// Whether it performed the action for which it waits, which is cancelled with it.
  final var isNested = false
  /// The progress and text that the handler set before its first wait.
  final var fraction: Double?
  final var doing: String?

  init() {}

  /// Waits for what another suspension waits for; this one resumes that one when it goes on.
  final func follow(_ other: Suspension) {
    nanoseconds = other.nanoseconds
    awaitedObject = other.awaitedObject
    isNested = other.isNested
    fraction = other.fraction
    doing = other.doing
  }

  /// The owner, leaving or set aside, whose code would run if this went on; nil if there is none.
  var stray: Owner? { nil }

  /// Resumes the handler until it replies, maybe that it waits again.
  func resume() -> Reply { .pass }
  /// Drops the handler: no code of it runs any more.
  func unwind() {}
  /// Called when the perform is suspended and its recording was put away.
  func suspended() {}
}

/// A *reply* is what a handler answers when it is asked to do its action.
enum Reply {
  case value(Value)
  /// Not me: ask further up.
  case pass
  case refused(String)
  indirect case failed(Failure)
  /// Not yet: it goes on later.
  case waiting(Suspension)
}
