/// The options of a perform, where they differ from the usual.
public struct PerformOptions {
  /// The values given, shared by copies until one is changed, because options are passed from call to call. Nil if none is given.
  private var given: Given?

  private struct Values {
    var to: Responder? { didSet { note(.way, to != nil || from != nil) } }
    var from: Responder? { didSet { note(.way, to != nil || from != nil) } }
    var sender = Sender.app { didSet { note(.sender, sender != .app) } }
    var info = Arguments() { didSet { note(.info, !info.isEmpty) } }
    var arguments = Arguments() {
      didSet {
        note(.arguments, !arguments.isEmpty)
        note(.leavesOut, arguments.skipsValidation != nil)
      }
    }
    var modifiers: [String] = [] { didSet { note(.modifiers, !modifiers.isEmpty) } }
    var skipValidation = false { didSet { note(.skipsValidation, skipValidation) } }
    var observe: ((ActionEvent) -> Void)? { didSet { note(.observe, observe != nil) } }
    var asks = false { didSet { note(.asks, asks) } }
    var confirmed: Bool?
    var asked: String?
    var hasAnswers = false
    var question, drawnTitle: String?
    var isOfItem = false { didSet { note(.ofItem, isOfItem) } }
    var beginning: (() -> Void)? { didSet { note(.beginning, beginning != nil) } }
    var subject = Value.null { didSet { note(.subject, !subject.isNull) } }
    var isDelivery = false
    var isExact = false
    /// Which values differ from the usual: every perform reads this, and reading the values would copy them.
    private(set) var kinds: Kinds = []

    private mutating func note(_ kind: Kinds, _ isGiven: Bool) {
      if isGiven { kinds.insert(kind) } else { kinds.remove(kind) }
    }
  }

  private struct Kinds: OptionSet {
    let rawValue: UInt16

    static let sender = Kinds(rawValue: 1 << 0)
    static let info = Kinds(rawValue: 1 << 1)
    static let arguments = Kinds(rawValue: 1 << 2)
    static let modifiers = Kinds(rawValue: 1 << 3)
    static let subject = Kinds(rawValue: 1 << 4)
    /// The values that a context would hold.
    static let held: Kinds = [.sender, .info, .arguments, .modifiers, .subject]
    /// A walk that doesn't begin at the focus.
    static let way = Kinds(rawValue: 1 << 5)
    static let skipsValidation = Kinds(rawValue: 1 << 6)
    /// An argument may leave out `needs` and `can`.
    static let leavesOut = Kinds(rawValue: 1 << 7)
    static let observe = Kinds(rawValue: 1 << 8)
    static let beginning = Kinds(rawValue: 1 << 9)
    static let asks = Kinds(rawValue: 1 << 10)
    static let ofItem = Kinds(rawValue: 1 << 11)
  }

  private var kinds: Kinds { given?.values.kinds ?? [] }

  private final class Given {
    // It is changed only while uniquely referenced.
    var values: Values

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

  /// The only responder that is asked, its own catch-all included.
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
  /// Put over the arguments of the reference.
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
  /// Whether a person asks, so that what has to be confirmed is asked first.
  public var asks: Bool {
    get { given?.values.asks ?? false }
    set { own.values.asks = newValue }
  }
  /// What the person answered; nil if nobody was asked yet.
  public var confirmed: Bool? {
    get { given?.values.confirmed }
    set { own.values.confirmed = newValue }
  }
  /// The text of the question that the person said yes to. If another is to be asked by now, nothing is done, and the outcome is that question.
  public var asked: String? {
    get { given?.values.asked }
    set { own.values.asked = newValue }
  }
  /// Whether arguments were given for what a form asks, if only none: then an action that shows its form by itself doesn't show it again.
  package var hasAnswers: Bool {
    get { given?.values.hasAnswers ?? false }
    set { own.values.hasAnswers = newValue }
  }
  /// The question that a person has to confirm, whatever the candidate's `confirm` asks.
  var question: String? {
    get { given?.values.question }
    set { own.values.question = newValue }
  }
  /// The title that the item was drawn with.
  var drawnTitle: String? {
    get { given?.values.drawnTitle }
    set { own.values.drawnTitle = newValue }
  }
  /// Whether the perform is an item's that is enabled only if a candidate enables it: if it would be drawn disabled, the outcome is
  /// `disabled`.
  var isOfItem: Bool {
    get { kinds.contains(.ofItem) }
    set { own.values.isOfItem = newValue }
  }
  /// Told right before a handler is asked.
  var beginning: (() -> Void)? {
    get { given?.values.beginning }
    set { own.values.beginning = newValue }
  }
  /// What a context menu is about.
  public var subject: Value {
    get { given?.values.subject ?? .null }
    set { own.values.subject = newValue }
  }
  /// Whether a waiting URL is handed over, or a handler is run by itself: then no catch-all is asked, no session is dismissed, and nobody
  /// is told that it was unhandled.
  var isDelivery: Bool {
    get { given?.values.isDelivery ?? false }
    set { own.values.isDelivery = newValue }
  }

  /// Whether only the whole id of a reference is looked for, and not its last component.
  public var isExact: Bool {
    get { given?.values.isExact ?? false }
    set { own.values.isExact = newValue }
  }

  /// The usual options.
  public init() {}

  /// The options of a perform that a person asks for, with the person's answers.
  package init(
    asking answered: Answered = Answered(), modifiers: [String] = [], by sender: Sender = .app,
    _ base: PerformOptions = PerformOptions()
  ) {
    let given = Given(base.given?.values ?? Values())
    given.values.asks = true
    given.values.confirmed = answered.confirmed
    given.values.asked = answered.asked
    given.values.modifiers = modifiers
    given.values.arguments = answered.arguments
    given.values.hasAnswers = answered.given != nil
    given.values.sender = sender
    self.given = given
  }

  /// Whether the walk begins at the focus.
  var isFromFocus: Bool { !kinds.contains(.way) }

  /// Whether nothing is given that a context would hold.
  var isUsual: Bool { kinds.isDisjoint(with: .held) }

  /// Whether arguments are put over those of the reference.
  var givesArguments: Bool { kinds.contains(.arguments) }

  /// Whether `observe` is set.
  var isObserved: Bool { kinds.contains(.observe) }

  /// Whether the options leave `needs` and `can` to be asked.
  var isValidated: Bool { kinds.isDisjoint(with: [.skipsValidation, .leavesOut]) }

  /// The title of the item that asks; nil if no item does.
  var title: String? {
    if case .item(_, let title, _, _) = sender { return title }
    return nil
  }

  /// Whether a person, who was shown no form yet, is shown the one of a candidate's action, even if it needs no argument.
  func showsForm(of candidate: Candidate) -> Bool {
    kinds.contains(.asks) && kinds.isDisjoint(with: [.arguments]) && candidate.showsForm && !hasAnswers
  }

  /// Whether a person, who has not said yes yet, may have to confirm a candidate's action.
  func mayAskToConfirm(_ candidate: Candidate) -> Bool {
    kinds.contains(.asks) && (confirmed != true || asked != nil) && (question != nil || candidate.confirm != nil)
  }

  /// Whether everything is as usual.
  var isPlain: Bool {
    kinds.isDisjoint(with: Kinds.held.union([.way, .skipsValidation, .observe, .asks]))
  }
}

/// A person's answers to the questions of an action.
package struct Answered {
  /// The answer to the question to confirm; nil if it was not asked.
  package var confirmed: Bool?
  /// The text of the question that was answered; nil if the yes is for whatever is asked.
  package var asked: String?
  /// The arguments that the person has given; nil if no form was answered.
  package var given: Arguments?
  /// The same, which are put over those of the deed.
  package var arguments: Arguments {
    get { given ?? Arguments() }
    set { given = newValue }
  }

  package init(confirmed: Bool? = nil, asked: String? = nil, arguments: Arguments? = nil) {
    self.confirmed = confirmed
    self.asked = asked
    given = arguments
  }

  package var isEmpty: Bool { confirmed == nil && given == nil }
}
