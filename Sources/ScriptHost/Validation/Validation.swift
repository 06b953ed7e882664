/// Whether an action can be done now, why not, and how its item looks.
public struct Validation {
  /// Whether it can be done now.
  public var isEnabled: Bool
  /// Why not; never empty when it can't be done.
  public var reason: String?
  /// Who takes it, or refuses it.
  public var by: String?
  /// Whether only a modal session keeps it from being done.
  var isBlocked = false
  /// Whether it can't be done because it waits.
  var isRunning = false
  /// How its item looks now.
  public var look = Look()
  private var rare: Rare?

  /// What few validations have. It is large, so it is stored apart.
  private final class Rare {
    let elsewhere: String?
    let asks: Outcome.Question?
    let misfit: Misfit?

    init(_ elsewhere: String?, _ asks: Outcome.Question?, _ misfit: Misfit?) {
      (self.elsewhere, self.asks, self.misfit) = (elsewhere, asks, misfit)
    }
  }

  /// Who would take it if it were in the chain, where nobody in the chain does.
  public internal(set) var elsewhere: String? {
    get { rare?.elsewhere }
    set { rare = Rare(newValue, asks, misfit) }
  }
  /// What a person is asked before it can be done; nil if nothing is.
  public internal(set) var asks: Outcome.Question? {
    get { rare?.asks }
    set { rare = Rare(elsewhere, newValue, misfit) }
  }
  /// The argument that doesn't fit, if that is why it can't be done.
  public internal(set) var misfit: Misfit? {
    get { rare?.misfit }
    set { rare = Rare(elsewhere, asks, newValue) }
  }

  init(enabled: Bool, reason: String? = nil, by: String? = nil, look: Look = Look(), isBlocked: Bool = false) {
    isEnabled = enabled
    self.reason = reason
    self.by = by
    self.look = look
    self.isBlocked = isBlocked
  }
}
