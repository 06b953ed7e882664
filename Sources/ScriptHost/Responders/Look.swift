/// How an item looks where it differs from what was declared.
public struct Look: Sendable, Equatable {
  /// Whether an item is ticked.
  public enum State: String, Sendable {
    case on, off, mixed
  }

  /// The title instead of the declared one.
  public var title: String?
  /// A second, smaller line.
  public var subtitle: String?
  /// Whether it is ticked.
  public var state: State?
  /// Whether it is left out of what is shown.
  public var hidden: Bool?
  /// The name of an icon.
  public var icon: String?
  /// Whether it destroys something, so that it can be shown as dangerous.
  public var destructive: Bool?

  /// As declared.
  public init() {}
}
