/// The terminal of the app's person, which a program that a script runs may use for a while: an editor, a pager, `git commit`.
public struct HostTerminal {
  /// Leaves the terminal to another program. Returns its descriptor, or nil if the terminal isn't available now.
  public var lend: () -> Int32?
  /// Takes the terminal back when that program has ended.
  public var takeBack: () -> Void

  /// A terminal with these two closures.
  public init(lend: @escaping () -> Int32?, takeBack: @escaping () -> Void) {
    self.lend = lend
    self.takeBack = takeBack
  }
}
