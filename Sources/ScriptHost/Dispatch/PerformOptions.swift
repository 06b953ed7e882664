/// The options of a perform.
public struct PerformOptions {
  /// The values set; nil if none. Copies share them until one changes, because options pass through many calls.
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
    var about: [String]?
    var hasAnswers = false
    var question, drawnTitle: String?
    var itemQuestions: [ItemQuestion] = []
    var isOfItem = false { didSet { note(.ofItem, isOfItem) } }
    var beginning: (() -> Void)? { didSet { note(.beginning, beginning != nil) } }
    var subject = Value.null { didSet { note(.subject, !subject.isNull) } }
    var isDelivery = false
    var isExact = false
    var row: RowValues?
    /// Which values differ from the defaults. Every perform reads this; reading the values would copy them.
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
    /// The walk doesn't begin at the focus.
    static let way = Kinds(rawValue: 1 << 5)
    static let skipsValidation = Kinds(rawValue: 1 << 6)
    /// An argument may skip `needs` and `can`.
    static let leavesOut = Kinds(rawValue: 1 << 7)
    static let observe = Kinds(rawValue: 1 << 8)
    static let beginning = Kinds(rawValue: 1 << 9)
    static let asks = Kinds(rawValue: 1 << 10)
    static let ofItem = Kinds(rawValue: 1 << 11)
  }

  private var kinds: Kinds { given?.values.kinds ?? [] }

  private final class Given {
    // Changed only while uniquely referenced.
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

  /// The only responder to call, including its catch-all.
  public var to: Responder? {
    get { given?.values.to }
    set { own.values.to = newValue }
  }
  /// The start of the walk; nil for the focus.
  public var from: Responder? {
    get { given?.values.from }
    set { own.values.from = newValue }
  }
  /// The sender of the action.
  public var sender: Sender {
    get { given?.values.sender ?? .app }
    set { own.values.sender = newValue }
  }
  /// Values of the caller for the context, which override those of providers.
  public var info: Arguments {
    get { given?.values.info ?? Arguments() }
    set { own.values.info = newValue }
  }
  /// Arguments that override those of the reference.
  public var arguments: Arguments {
    get { given?.values.arguments ?? Arguments() }
    set { own.values.arguments = newValue }
  }
  /// The modifier keys that are held down.
  public var modifiers: [String] {
    get { given?.values.modifiers ?? [] }
    set { own.values.modifiers = newValue }
  }
  /// Skips `needs` and `can`.
  public var skipValidation: Bool {
    get { given?.values.skipValidation ?? false }
    set { own.values.skipValidation = newValue }
  }
  /// Called for this perform only, after the host's observers.
  public var observe: ((ActionEvent) -> Void)? {
    get { given?.values.observe }
    set { own.values.observe = newValue }
  }
  /// Whether a person performs the action, so that the host asks for confirmation first.
  public var asks: Bool {
    get { given?.values.asks ?? false }
    set { own.values.asks = newValue }
  }
  /// The person's answer; nil if the host hasn't asked yet.
  public var confirmed: Bool? {
    get { given?.values.confirmed }
    set { own.values.confirmed = newValue }
  }
  /// The text of the question that the person confirmed. If the current question differs, the outcome is that question
  /// instead.
  public var asked: String? {
    get { given?.values.asked }
    set { own.values.asked = newValue }
  }
  /// The rows and lines that the answered question named. If they have changed meanwhile, the action gets none.
  public var about: [String]? {
    get { given?.values.about }
    set { own.values.about = newValue }
  }
  /// Whether the person has answered the form, even with no arguments. Then the host doesn't show it again.
  package var hasAnswers: Bool {
    get { given?.values.hasAnswers ?? false }
    set { own.values.hasAnswers = newValue }
  }
  /// The question that a person has to confirm, which replaces the one of `confirm`.
  var question: String? {
    get { given?.values.question }
    set { own.values.question = newValue }
  }
  /// The questions of the items that may do the same. An assistant performs actions without their items.
  package var itemQuestions: [ItemQuestion] {
    get { given?.values.itemQuestions ?? [] }
    set { own.values.itemQuestions = newValue }
  }
  /// The title with which the item was drawn.
  var drawnTitle: String? {
    get { given?.values.drawnTitle }
    set { own.values.drawnTitle = newValue }
  }
  /// Whether an item performs the action. If the item would be drawn disabled, the outcome is `disabled`.
  var isOfItem: Bool {
    get { kinds.contains(.ofItem) }
    set { own.values.isOfItem = newValue }
  }
  /// The row whose item performs the action (P9).
  var row: RowValues? {
    get { given?.values.row }
    set { own.values.row = newValue }
  }
  /// Called right before the handler.
  var beginning: (() -> Void)? {
    get { given?.values.beginning }
    set { own.values.beginning = newValue }
  }
  /// The subject of a context menu.
  public var subject: Value {
    get { given?.values.subject ?? .null }
    set { own.values.subject = newValue }
  }
  /// Whether this delivers a waiting URL or runs a single handler. Then no catch-all runs, no session is dismissed, and
  /// unhandled actions aren't reported.
  var isDelivery: Bool {
    get { given?.values.isDelivery ?? false }
    set { own.values.isDelivery = newValue }
  }

  /// Whether to look for the whole id of a reference only, not its last component.
  public var isExact: Bool {
    get { given?.values.isExact ?? false }
    set { own.values.isExact = newValue }
  }

  /// Creates options with default values.
  public init() {}

  /// Creates options for a person's perform, with the person's answers.
  package init(
    asking answered: Answered = Answered(), modifiers: [String] = [], by sender: Sender = .app,
    _ base: PerformOptions = PerformOptions()
  ) {
    let given = Given(base.given?.values ?? Values())
    given.values.asks = true
    given.values.confirmed = answered.confirmed
    given.values.asked = answered.asked
    // A question that named nothing says nothing about what is current at the answer.
    if let about = answered.about, !about.isEmpty { given.values.about = about }
    given.values.modifiers = modifiers
    given.values.arguments = answered.arguments
    given.values.hasAnswers = answered.given != nil
    given.values.sender = sender
    self.given = given
  }

  /// Whether the walk begins at the focus.
  var isFromFocus: Bool { !kinds.contains(.way) }

  /// Whether no value is set that a context would hold.
  var isUsual: Bool { kinds.isDisjoint(with: .held) }

  /// Whether arguments override those of the reference.
  var givesArguments: Bool { kinds.contains(.arguments) }

  /// Whether `observe` is set.
  var isObserved: Bool { kinds.contains(.observe) }

  /// Whether the options don't skip `needs` and `can`.
  var isValidated: Bool { kinds.isDisjoint(with: [.skipsValidation, .leavesOut]) }

  /// The title of the item that performs the action; nil if no item does.
  var title: String? {
    if case .item(_, let title, _, _) = sender { return title }
    return nil
  }

  /// Returns true if a person should see the form of a candidate's action first, even if no argument is missing.
  func showsForm(of candidate: Candidate) -> Bool {
    kinds.contains(.asks) && kinds.isDisjoint(with: [.arguments]) && candidate.showsForm && !hasAnswers
  }

  /// Returns true if a person may still have to confirm a candidate's action.
  func mayAskToConfirm(_ candidate: Candidate) -> Bool {
    guard kinds.contains(.asks), confirmed != true || asked != nil else { return false }
    return question != nil || candidate.confirm != nil || !itemQuestions.isEmpty
  }

  /// Whether all options have their default values.
  var isPlain: Bool {
    kinds.isDisjoint(with: Kinds.held.union([.way, .skipsValidation, .observe, .asks]))
  }
}

/// A person's answers to an action's questions.
package struct Answered {
  /// The answer to the confirmation question; nil if there was none.
  package var confirmed: Bool?
  /// The text of the confirmed question; nil to confirm any question.
  package var asked: String?
  /// The rows and lines that the question named; nil for what is current at the answer.
  package var about: [String]?
  /// The person's arguments; nil without an answered form.
  package var given: Arguments?
  /// The person's arguments, which override those of the action; empty if there are none.
  package var arguments: Arguments {
    get { given ?? Arguments() }
    set { given = newValue }
  }

  package init(confirmed: Bool? = nil, asked: String? = nil, about: [String]? = nil, arguments: Arguments? = nil) {
    self.confirmed = confirmed
    self.asked = asked
    self.about = about
    given = arguments
  }

  package var isEmpty: Bool { confirmed == nil && given == nil }
}
