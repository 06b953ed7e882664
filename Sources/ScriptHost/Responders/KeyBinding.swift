/// A *binding* says which actions a key sequence performs for a responder: the first one that can be done.
final class KeyBinding {
  let reference: Reference
  /// The reference as it was written.
  let raw: String
  /// The references to try after it, as they were written.
  let others: [(reference: Reference, raw: String)]
  let owner: Owner
  /// Where it was bound.
  let place: Place?

  init(
    reference: Reference, raw: String, others: [(reference: Reference, raw: String)] = [], owner: Owner, place: Place?
  ) {
    self.reference = reference
    self.raw = raw
    self.others = others
    self.owner = owner
    self.place = place
  }
}

extension KeyBinding {
  /// Its owner and its place, as a person calls them.
  var described: String { place.map { "'\(owner.name)' (\($0))" } ?? "'\(owner.name)'" }

  /// All references, in the order in which they are tried.
  var all: [(reference: Reference, raw: String)] { [(reference, raw)] + others }
}
