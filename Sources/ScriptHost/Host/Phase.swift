/// How far an app is to the fore.
public enum Phase: String, Sendable, CaseIterable {
  /// Not yet, or not any more.
  case inactive
  /// The user works with it.
  case active
  /// Nothing of it is to be seen.
  case background
}
