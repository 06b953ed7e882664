/// A request to stop the interpreter, made by whoever cancels it.
final class ScriptInterruption: Interruption {
  private let canceller: LuaCanceller

  init(_ canceller: LuaCanceller) { self.canceller = canceller }

  override func take() -> Bool { canceller.takeCancel() }
}
