/// What a `claims` function answers for an action: whether the catch-all takes it, and, in the place of `can` and `look`, whether it can
/// be done now and how it looks.
///
/// ```swift
/// let host = ScriptHost()
/// let shell = try host.responder("shell")
/// shell.unknown { command in .text("ran \(command.action)") }
/// shell.claims { action -> Claim in action == "run" ? .disabled("nothing is open") : .no }
/// try host.focus(shell)
/// print(host.validate("run").reason ?? "")  // nothing is open
/// ```
public struct Claim: Sendable, Equatable {
  /// Whether its catch-all takes the action.
  public var isClaimed: Bool
  /// Why it can't be done now; nil where it can.
  public var reason: String?
  /// How an item of the action looks.
  public var look = Look()

  /// The action is not claimed.
  public static let no = Claim(isClaimed: false)
  /// The action is claimed, and can be done.
  public static let yes = Claim(isClaimed: true)
  /// The action is claimed, and can't be done now.
  public static func disabled(_ reason: String) -> Claim { Claim(isClaimed: true, reason: reason) }
  /// The action is claimed, and looks so.
  static func looking(_ look: Look) -> Claim { Claim(isClaimed: true, look: look) }

  /// Whether the claim says more than yes or no.
  var saysMore: Bool { reason != nil || look != Look() }
}
