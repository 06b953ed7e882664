/// An end that whoever cancels the interpreter asks for.
final class ScriptInterruption: Interruption {
  private let canceller: LuaCanceller

  init(_ canceller: LuaCanceller) { self.canceller = canceller }

  override func take() -> Bool { canceller.takeCancel() }
}
