/// An *owner* registers things, which are removed together with it: the embedding program, the app's script, a plugin.
public final class Owner {
  /// What people know it by.
  public let name: String
  /// Its position in the order of loading; the owner that replaces it in a reload has the same.
  let number: Int
  /// Why it was set aside, so that its functions aren't called any more; nil as long as it works.
  @exclusivity(unchecked) var whySetAside: String? { didSet { noteInactivity() } }
  /// How often its functions spent a limit.
  var violations = 0
  /// How many names its scripts have made.
  var namesMade = 0
  /// Whether its `start` function was called.
  var isStarted = false
  /// Whether it is being removed: its waiting actions take back what they did, and it can't register or observe anything more.
  var isLeaving = false { didSet { noteInactivity() } }
  /// Whether everything of it was removed. Functions that others hold may still run, but none of them takes back what is done.
  var hasLeft = false

  /// Whether it is leaving or set aside, so that nothing of its may wait. Stored, because it is read whenever something begins to wait.
  private(set) var isInactive = false

  /// A new owner of that name; owners with equal names are different owners.
  init(name: String) {
    self.name = name
    number = 0
  }

  init(name: String, number: Int) {
    self.name = name
    self.number = number
  }

  private func noteInactivity() { isInactive = isLeaving || whySetAside != nil }
}

extension Owner {
  /// Whether its functions may no longer be called to take back what is done.
  var takesNothingBack: Bool { hasLeft || whySetAside != nil }
}
