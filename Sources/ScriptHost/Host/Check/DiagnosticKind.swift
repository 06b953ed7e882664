/// A *kind* of diagnostic: its code, what it means, a script that causes it, and the corrected script.
public struct DiagnosticKind: Sendable {
  /// What programs and `app.allow_warnings` know it by.
  public let code: String
  /// What it says, in a few words.
  public let summary: String
  /// What it means, and what to do about it.
  public let explanation: String
  /// A script for which `check` finds this and nothing else; nil if it is reported later, or caused by a program.
  public let bad: String?
  /// The same script as it was meant.
  public let good: String?

  /// The kind of a code; nil where there is none.
  public static func named(_ code: String) -> DiagnosticKind? { all.first { $0.code.hasSameBytes(as: code) } }

  /// Every kind beside the failures of functions, in the order of the codes.
  public static let all = (actions + context + menus + mistakes + others).sorted { $0.code.precedesByBytes($1.code) }
}
