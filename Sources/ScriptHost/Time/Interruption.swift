/// An *interruption* is what somebody outside asks for, on any thread: that what goes on ends.
class Interruption {
  /// Whether it was asked for since this was looked at last.
  func take() -> Bool { false }
}
