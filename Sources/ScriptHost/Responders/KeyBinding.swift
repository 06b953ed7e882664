/// A *binding* maps a key sequence of a responder to actions, and performs the first that can be done.
final class KeyBinding {
  /// All references with their original text, in the order of trying; empty if the binding removes the keys (K9).
  let all: [(reference: Reference, raw: String)]
  /// Whether the keys perform all references in turn, not only the first that can be done (K10).
  let isWhole: Bool
  /// The title to show; nil if the action's title is used.
  let title: String?
  /// The condition of the binding. While it is false, the next binding of the keys applies (K10).
  let condition: KeyCondition?
  /// How many nanoseconds the host waits for the rest of a longer sequence; nil if it doesn't wait (K12).
  let wait: Int64?
  let owner: Owner
  /// The line that binds the keys.
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

/// The condition of a binding. Scripts' functions have a subclass.
class KeyCondition {
  func holds(in context: Context) -> Result<Bool, Failure> { .success(true) }
}

extension KeyBinding {
  /// The owner and the place, for messages.
  var described: String { place.map { "'\(owner.name)' (\($0))" } ?? "'\(owner.name)'" }

  /// True if it removes the keys from earlier layers, from later responders and from the menus (K9).
  var isRemoval: Bool { all.isEmpty }
  /// Whether only the whole ids of its references are looked for, and not their last components (M16).
  var isExact: Bool { all.first?.reference.isExact ?? false }
  /// The first reference as it was written.
  var raw: String { all.first?.raw ?? "" }
}
