/// An *action reversal* takes back what was done by an action, which starts at a responder that it knows by name (U13).
class ActionReversal: Reversal {
  /// The name of the responder at which the action starts.
  let start: String
  /// The reference, and the arguments that are merged over those in it.
  let reference: Reference
  let arguments: LiteralObject

  init(_ reference: Reference, _ arguments: LiteralObject, at start: String, taker: Responder) {
    self.start = start
    self.reference = reference
    self.arguments = arguments
    super.init(taker: taker)
  }

  /// In a kept history it outlives its taker: another responder of that name may come.
  final override var isGone: Bool { owner.takesNothingBack }
}
