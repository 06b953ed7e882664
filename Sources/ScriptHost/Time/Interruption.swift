/// An *interruption* ends what goes on: somebody outside asks for it, on any thread.
class Interruption {
  /// Whether it was asked for since this was looked at last.
  func take() -> Bool { false }
}
