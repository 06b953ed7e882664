/// What an observer is told of a perform.
public struct ActionEvent {
  public enum Stage: String, Sendable {
    case will, did, failed
  }

  public let stage: Stage
  public let action: String
  public let raw: String
  public let arguments: Arguments
  /// Who takes it.
  public let by: String?
  /// What came of it; nil before.
  public let outcome: Outcome?
}

/// Which actions an observer is told of: a name, several, all, or those that begin alike.
public struct ActionPattern: Sendable {
  private let patterns: [String]

  public init(_ patterns: [String]) { self.patterns = patterns }

  public static let all = ActionPattern(["*"])

  func matches(_ action: String) -> Bool {
    patterns.contains { pattern in
      guard pattern.utf8.last == UInt8(ascii: "*") else { return pattern.hasSameBytes(as: action) }
      return action.utf8.starts(with: pattern.utf8.dropLast())
    }
  }
}

extension ActionPattern: ExpressibleByStringLiteral {
  public init(stringLiteral pattern: String) { self.init([pattern]) }
}

/// One who watches actions.
final class Observer {
  let pattern: ActionPattern
  let owner: Owner
  /// Answers with the failure of its own function, which affects nobody else.
  let notify: (ActionEvent) -> Failure?

  init(pattern: ActionPattern, owner: Owner, notify: @escaping (ActionEvent) -> Failure?) {
    self.pattern = pattern
    self.owner = owner
    self.notify = notify
  }
}
