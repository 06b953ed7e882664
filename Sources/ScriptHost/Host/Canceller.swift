/// Ends whatever the scripts of a host run; usable from a signal handler and from any thread, also after the host is gone.
public struct Canceller: Sendable {
  /// That of the host's interpreter.
  package let interpreter: LuaCanceller

  /// Ends what runs now, or else what runs next.
  public func cancel() { interpreter.cancel() }
}
