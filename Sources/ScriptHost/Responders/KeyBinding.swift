/// A *binding* says which actions a key sequence performs for a responder: the first one that can be done.
final class KeyBinding {
  /// All references, with what was written, in the order in which they are tried; none where the keys are taken away (K9).
  let all: [(reference: Reference, raw: String)]
  /// Whether all of them are performed, one after the other, and not the first that can be done (K10).
  let isWhole: Bool
  /// What a person calls it; nil where its action says that.
  let title: String?
  /// What must hold for it to be done; else the next binding of the keys is (K10).
  let condition: KeyCondition?
  /// How many nanoseconds it waits for the rest of a longer sequence; nil where it doesn't (K12).
  let wait: Int64?
  let owner: Owner
  /// Where it was bound.
  let place: Place?

  init(
    _ all: [(reference: Reference, raw: String)], whole isWhole: Bool = false, title: String? = nil,
    when condition: KeyCondition? = nil,
    wait: Int64? = nil, owner: Owner, place: Place?
  ) {
    self.all = all
    self.isWhole = isWhole
    self.title = title
    self.condition = condition
    self.wait = wait
    self.owner = owner
    self.place = place
  }
}

/// What must hold for a binding to be done; a script's function has a subclass.
class KeyCondition {
  func holds(in context: Context) -> Result<Bool, Failure> { .success(true) }
}

extension KeyBinding {
  /// Its owner and its place, as a person calls them.
  var described: String { place.map { "'\(owner.name)' (\($0))" } ?? "'\(owner.name)'" }

  /// Whether it takes keys away from bindings of earlier layers, of farther responders and of the menus (K9).
  var isRemoval: Bool { all.isEmpty }
  /// Its first reference as it was written.
  var raw: String { all.first?.raw ?? "" }
}
