/// Asks for an end as whoever cancels the interpreter does.
final class ScriptInterruption: Interruption {
  private let canceller: LuaCanceller

  init(_ canceller: LuaCanceller) { self.canceller = canceller }

  override func take() -> Bool { canceller.takeCancel() }
}
