/// Something was declared or asked for that the host refuses, with a sentence that says why.
public struct Misuse: Error, Sendable, CustomStringConvertible {
  /// What kind of misuse it is, for programs.
  public enum Code: String, Sendable {
    case nameTaken, badName, unknownName, cycle, removed, wrongType, notNow, refused
  }

  /// What kind of misuse it is, for programs.
  public var code: Code
  /// Why it is refused, in one sentence.
  public var message: String
  /// Where it is declared, if that is another place than that of the call.
  public var place: Place?
  /// Where the other of two things stands, when two are in each other's way.
  public var other: Place?

  /// A misuse of these facts.
  public init(_ code: Code, _ message: String, place: Place? = nil, other: Place? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.other = other
  }

  public var description: String { message }
}
