/// A *reversal* takes back one thing that was done: by steps of a script, or a closure.
class Reversal {
  /// The responder that did what it takes back.
  let taker: Responder
  /// The title of what was done, if the script or program gave one; in a history, that of its group.
  var title: String?
  /// A reversal merges with the one before it if both have the same key.
  var key: String?

  init(taker: Responder) { self.taker = taker }

  /// The owner of its code; it is dropped with the owner.
  var owner: Owner { taker.owner }

  /// Whether it is skipped, because the responder or the owner of its code is gone.
  var isGone: Bool { owner.takesNothingBack || taker.isRemoved }

  /// Why it can't be taken back now; nil if nothing is known to be in the way.
  var obstacle: String? { nil }

  /// Takes it back, with a context made only if needed. What it registers meanwhile becomes the reversal for the other direction.
  func reverse(_ makeContext: @escaping () -> Context) -> Reply { .value(.null) }

  /// Merges with the reversal registered right after it; false if it can't.
  func absorb(_ later: Reversal) -> Bool { false }
}

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
