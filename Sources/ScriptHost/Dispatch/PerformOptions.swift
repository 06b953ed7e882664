/// How a perform is to be done, where it differs from the usual.
public struct PerformOptions {
  /// What is given, which copies share until one of them is changed: they are handed on from call to call. Nil where nothing is.
  private var given: Given?

  private struct Values {
    var to, from: Responder?
    var sender = Sender.app
    var info = Arguments()
    var arguments = Arguments() { didSet { leavesOut = arguments["skip_validation"] != nil } }
    /// Whether an argument may leave out `needs` and `can`.
    private(set) var leavesOut = false
    var modifiers: [String] = []
    var skipValidation = false
    var observe: ((ActionEvent) -> Void)?
    var asks = false
    var confirmed: Bool?
    var question, drawnTitle: String?
    var isOfItem = false
    var beginning: (() -> Void)?
    var subject = Value.null
    var isDelivery = false
  }

  private final class Given {
    // Nobody else has it while it is changed.
    @exclusivity(unchecked) var values: Values

    init(_ values: Values) { self.values = values }
  }

  private var own: Given {
    mutating get {
      if isKnownUniquelyReferenced(&given), let given { return given }
      let own = Given(given?.values ?? Values())
      given = own
      return own
    }
  }

  /// Asked alone, then its own catch-all.
  public var to: Responder? {
    get { given?.values.to }
    set { own.values.to = newValue }
  }
  /// Where the walk begins instead of at the focus.
  public var from: Responder? {
    get { given?.values.from }
    set { own.values.from = newValue }
  }
  /// Who asks.
  public var sender: Sender {
    get { given?.values.sender ?? .app }
    set { own.values.sender = newValue }
  }
  /// What the caller knows; it comes before what responders provide.
  public var info: Arguments {
    get { given?.values.info ?? Arguments() }
    set { own.values.info = newValue }
  }
  /// Laid over the arguments of the reference.
  public var arguments: Arguments {
    get { given?.values.arguments ?? Arguments() }
    set { own.values.arguments = newValue }
  }
  /// The modifier keys that are held.
  public var modifiers: [String] {
    get { given?.values.modifiers ?? [] }
    set { own.values.modifiers = newValue }
  }
  /// Leaves out `needs` and `can`.
  public var skipValidation: Bool {
    get { given?.values.skipValidation ?? false }
    set { own.values.skipValidation = newValue }
  }
  /// Told of this perform only, after those who watch the host.
  public var observe: ((ActionEvent) -> Void)? {
    get { given?.values.observe }
    set { own.values.observe = newValue }
  }
  /// Whether a person asks, so that what is to be confirmed is asked.
  public var asks: Bool {
    get { given?.values.asks ?? false }
    set { own.values.asks = newValue }
  }
  /// What the person answered; nil where nobody was asked yet.
  public var confirmed: Bool? {
    get { given?.values.confirmed }
    set { own.values.confirmed = newValue }
  }
  /// What is asked before it is done, whatever its taker asks.
  var question: String? {
    get { given?.values.question }
    set { own.values.question = newValue }
  }
  /// What the item is called now that asks.
  var drawnTitle: String? {
    get { given?.values.drawnTitle }
    set { own.values.drawnTitle = newValue }
  }
  /// Whether an item asks that leaves enabling to those who take its action: where it would be drawn disabled it is `disabled`.
  var isOfItem: Bool {
    get { given?.values.isOfItem ?? false }
    set { own.values.isOfItem = newValue }
  }
  /// Told right before somebody is asked to do it.
  var beginning: (() -> Void)? {
    get { given?.values.beginning }
    set { own.values.beginning = newValue }
  }
  /// What a context menu is about.
  public var subject: Value {
    get { given?.values.subject ?? .null }
    set { own.values.subject = newValue }
  }
  /// Whether it hands over what waits for a taker: then nobody is a catch-all, and nothing is dismissed or told where there is none.
  var isDelivery: Bool {
    get { given?.values.isDelivery ?? false }
    set { own.values.isDelivery = newValue }
  }

  /// As usual.
  public init() {}

  /// What a person asks for, with what was answered.
  package init(
    asking confirmed: Bool?, modifiers: [String], arguments: Arguments, by sender: Sender = .app,
    _ base: PerformOptions = PerformOptions()
  ) {
    let given = Given(base.given?.values ?? Values())
    given.values.asks = true
    given.values.confirmed = confirmed
    given.values.modifiers = modifiers
    given.values.arguments = arguments
    given.values.sender = sender
    self.given = given
  }

  /// Whether the walk from the focus is asked.
  var isFromFocus: Bool { given.map { $0.values.to == nil && $0.values.from == nil } ?? true }

  /// Whether nothing is given that a context would hold.
  var isUsual: Bool {
    given == nil || info.isEmpty && arguments.isEmpty && modifiers.isEmpty && sender == .app && subject.isNull
  }

  /// Whether `needs` and `can` are asked, as far as this tells.
  var isValidated: Bool {
    given.map { !$0.values.skipValidation && !$0.values.leavesOut } ?? true
  }

  /// What a person calls what is done, where that is an item.
  var title: String? {
    if case .item(_, let title, _, _) = sender { return title }
    return nil
  }

  /// Whether nobody is told before a candidate's handler is asked, nor has to confirm it.
  func isSilent(for candidate: Candidate) -> Bool {
    given == nil
      || observe == nil && beginning == nil
        && (!asks || confirmed == true || question == nil && candidate.confirm == nil)
  }

  /// Whether everything is as usual.
  var isPlain: Bool {
    isUsual && to == nil && from == nil && !skipValidation && observe == nil && !asks
  }
}
