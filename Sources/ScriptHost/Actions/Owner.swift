/// An *owner* is who registered something, and with whom it goes: the embedding program, the app's script, a plugin.
public final class Owner {
  /// What people know it by.
  public let name: String
  /// Where it stands in the order of loading; who is loaded in its place stands there too.
  let number: Int
  /// Why nothing of its is asked any more, though it is there; nil as long as it works.
  @exclusivity(unchecked) public internal(set) var trouble: String? { didSet { noteInactivity() } }
  /// How often its functions spent a limit.
  var violations = 0
  /// How many names of actions its scripts made.
  var namesMade = 0
  /// Whether what it does once everything is loaded was begun.
  var isStarted = false
  /// Whether it goes: what waits of its takes back what it did, and it registers and observes nothing more.
  var isLeaving = false { didSet { noteInactivity() } }
  /// Whether all of its is taken out: its functions may run still, where others hold them, but none takes back what is done.
  var hasLeft = false

  /// Whether it goes or is set aside: nothing of its may wait any more. It is looked at whenever something begins to.
  private(set) var isInactive = false

  /// An owner of that name, who is nobody else's equal.
  public init(name: String) {
    self.name = name
    number = 0
  }

  init(name: String, number: Int) {
    self.name = name
    self.number = number
  }

  private func noteInactivity() { isInactive = isLeaving || trouble != nil }
}

extension Owner {
  /// Whether none of its functions takes back what is done.
  var takesNothingBack: Bool { hasLeft || trouble != nil }
}
