/// Something that a person should know about a script: how bad, what, and where.
public struct Diagnostic: Sendable {
  public enum Severity: String, Sendable {
    case error, warning, note
  }

  public var severity: Severity
  /// What kind it is, for programs.
  public var code: String
  public var message: String
  public var place: Place?
  public var help: String?

  public init(_ severity: Severity, _ code: String, _ message: String, place: Place? = nil, help: String? = nil) {
    self.severity = severity
    self.code = code
    self.message = message
    self.place = place
    self.help = help
  }

  init(_ failure: Failure) {
    self.init(.error, failure.code.rawValue, failure.message, place: failure.place)
  }
}
