/// An *interruption* ends what runs, at the request of any thread.
class Interruption {
  /// Whether one was requested since the last call.
  func take() -> Bool { false }
}
