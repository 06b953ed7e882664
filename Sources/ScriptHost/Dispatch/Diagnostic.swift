/// Something that a person should know about a script: how bad, what, and where.
public struct Diagnostic: Sendable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    case error, warning, note
  }

  /// How bad it is.
  public var severity: Severity
  /// What kind it is, for programs.
  public var code: String
  /// What is wrong, in one sentence.
  public var message: String
  /// Where, if a script's line is to blame.
  public var place: Place?
  /// What may help.
  public var help: String?

  /// A diagnostic of these facts.
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
