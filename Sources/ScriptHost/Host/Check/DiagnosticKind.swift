/// A *kind* of diagnostic: its code, what it means, a script that causes it, and the corrected script.
package struct DiagnosticKind: Sendable {
  /// What programs and `app.allow_warnings` know it by.
  package let code: String
  /// What it says, in a few words.
  package let summary: String
  /// What it means, and what to do about it.
  package let explanation: String
  /// A script for which `check` finds this and nothing else; nil if it is reported later, or caused by a program.
  package let bad: String?
  /// The same script as it was meant.
  package let good: String?

  /// The kind of a code; nil where there is none.
  package static func named(_ code: String) -> DiagnosticKind? { all.first { $0.code.hasSameBytes(as: code) } }

  /// Every kind beside the failures of functions, in the order of the codes.
  package static let all = (actions + context + menus + mistakes + others).sorted { $0.code.precedesByBytes($1.code) }
}
