/// A registration that can be taken back.
public struct Registration {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  /// Takes it back. Once something later has replaced it, this does nothing.
  public func remove() { body() }
}
