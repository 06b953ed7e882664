/// A *reversal* is something that can be asked to take back what was done: steps of a script's, or a closure.
class Reversal {
  /// Who did what it takes back.
  let taker: Responder
  /// What a person calls what was done, where whoever did it said so.
  var title: String?
  /// What merges with another of the same key that comes right after it.
  var key: String?

  init(taker: Responder) { self.taker = taker }

  /// Whose code it is; it goes with them.
  var owner: Owner { taker.owner }

  /// Takes it back; it makes a context where it needs one. What it registers meanwhile takes that back in turn.
  func reverse(_ makeContext: @escaping () -> Context) -> Reply { .value(.null) }

  /// Takes it back where that runs nobody's code, and is then what takes that back in turn; false, with nothing done, where it can't.
  func swapValues() -> Bool { false }

  /// Makes it ready to be used for something else, now that nobody has it any more; whether it can be.
  func retire() -> Bool { false }

  /// Takes in what was done right after, so that both are one; whether it did.
  func absorb(_ later: Reversal) -> Bool { false }
}
