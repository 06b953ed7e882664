/// How loud an entry of the log is.
public enum LogLevel: String, Sendable, CaseIterable {
  case debug, info, warn, error
}

/// What a script wrote to the log.
public struct LogEntry: Sendable {
  /// How loud it is.
  public var level: LogLevel
  /// What the script wrote.
  public var text: String
  /// Whose script wrote it.
  public var owner: String
  /// The line that wrote it.
  public var place: Place?
}
