/// How a perform is to be done, where it differs from the usual.
public struct PerformOptions {
  /// Asked alone, then its own catch-all.
  public var to: Responder?
  /// Where the walk begins instead of at the focus.
  public var from: Responder?
  /// Who asks.
  public var sender = Sender.app
  /// What the caller knows; it comes before what responders provide.
  public var info = Arguments()
  /// Laid over the arguments of the reference.
  public var arguments = Arguments()
  /// The modifier keys that are held.
  public var modifiers: [String] = []
  /// Leaves out `needs` and `can`.
  public var skipValidation = false
  /// Told of this perform only, after those who watch the host.
  public var observe: ((ActionEvent) -> Void)?
  /// Whether a person asks, so that what is to be confirmed is asked.
  public var asks = false
  /// What the person answered; nil where nobody was asked yet.
  public var confirmed: Bool?
  /// What is asked before it is done, whatever its taker asks.
  var question: String?
  /// What the item is called now that asks.
  var drawnTitle: String?
  /// Told right before somebody is asked to do it.
  var beginning: (() -> Void)?
  /// What a context menu is about.
  public var subject = Value.null
  /// Whether it hands over what waits for a taker: then nobody is a catch-all, and nothing is dismissed or told where there is none.
  var isDelivery = false

  /// As usual.
  public init() {}

  /// Whether nothing is given that a context would hold.
  var isUsual: Bool {
    info.isEmpty && arguments.isEmpty && modifiers.isEmpty && sender == .app && subject.isNull
  }

  /// Whether `needs` and `can` are asked, as far as this tells.
  var isValidated: Bool { !skipValidation && (arguments.isEmpty || arguments["skip_validation"] == nil) }

  /// What a person calls what is done, where that is an item.
  var title: String? {
    if case .item(_, let title, _, _) = sender { return title }
    return nil
  }

  /// Whether nobody is told before a candidate's handler is asked, nor has to confirm it.
  func isSilent(for candidate: Candidate) -> Bool {
    observe == nil && beginning == nil
      && (!asks || confirmed == true || question == nil && candidate.confirm == nil)
  }

  /// Whether everything is as usual.
  var isPlain: Bool {
    isUsual && to == nil && from == nil && !skipValidation && observe == nil && !asks
  }
}
