/// How loud an entry of the log is.
public enum LogLevel: String, Sendable, CaseIterable {
  case debug, info, warn, error
}

/// What a script wrote to the log.
public struct LogEntry: Sendable {
  public var level: LogLevel
  public var text: String
  /// Whose script wrote it.
  public var owner: String
  public var place: Place?
}
