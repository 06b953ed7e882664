/// The terminal at which a person sees the app, and which a program of a script's may have for a while: an editor, a pager, `git commit`.
public struct HostTerminal {
  /// Leaves the terminal to somebody else; its descriptor, or nil where it can't be had now.
  public var lend: () -> Int32?
  /// Takes back what was lent.
  public var takeBack: () -> Void

  /// A terminal that is lent and taken back so.
  public init(lend: @escaping () -> Int32?, takeBack: @escaping () -> Void) {
    self.lend = lend
    self.takeBack = takeBack
  }
}
