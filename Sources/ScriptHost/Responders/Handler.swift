/// A *handler* runs on behalf of a responder: a function of a script, or a closure of the program.
///
/// Each method answers one kind of question. The defaults act as if nothing were registered, and subclasses override
/// their own kind.
class Handler {
  let owner: Owner
  /// The line that registered it.
  var place: Place? { nil }
  /// True once the host has warned that it supplies one of the host's names.
  var wasToldOfShadows = false
  /// True for actions of the embedding program or the host: a perform's allowance rests while they run.
  var isOfProgram: Bool { false }
  /// True if its action may be done again while it waits.
  var isReentrant = false
  /// Whether it was called to do its action, also by `super` or `forward`.
  var hasRun = false
  /// Whether it waits for the value that it returns, so that the host can't get the value at once.
  var waits = false

  init(owner: Owner) {
    self.owner = owner
  }

  /// The context keys that it supplies, as far as static analysis finds them.
  var suppliedKeys: [String] { [] }
  /// The name as a supplier, for `why` and traces; nil for that of its responder.
  var supplierName: String? { nil }

  /// The context keys that it reads, as far as static analysis finds them.
  var readKeys: [String] { [] }
  /// True if static analysis finds all keys that it supplies and reads.
  var isReadable: Bool { false }
  /// The number of its lines.
  var lineCount: Int { 1 }
  /// The names of its parameters.
  var parameters: [String] { [] }
  /// A text that its code returns somewhere as the only value.
  var answeredText: String? { nil }
  /// A text that its code returns somewhere after `false` or `nil`.
  var answeredDenial: String? { nil }
  /// True if it returns a table that it has made.
  var answersTable: Bool { false }
  /// The context keys that it reads, with its place.
  final var reads: ContextReads { ContextReads(keys: readKeys, place: place, lineCount: lineCount) }

  func perform(for responder: Responder, in context: Context) -> Reply { .pass }
  func can(for responder: Responder, in context: Context) -> Verdict { .pass }
  func look(for responder: Responder, in context: Context) -> Result<Look, Failure> { .success(Look()) }
  /// Returns a value: the choices or the default of an argument, or the question to confirm.
  func value(for responder: Responder, in context: Context) -> Result<Value, Failure> { .success(.null) }
  func provide(for responder: Responder, into context: Context) -> Failure? { nil }
  /// May add the action to its responder. Returns whether the hook reports that it did.
  func resolve(_ action: String, for responder: Responder) -> Result<Bool, Failure> { .success(false) }
  func redirect(_ action: String, for responder: Responder) -> Result<Responder?, Failure> { .success(nil) }
  func claims(_ action: String, for responder: Responder) -> Result<Claim, Failure> { .success(.no) }
  /// Returns whether a responder accepts the focus now.
  func acceptsFocus(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Runs when the responder gets the focus. Returns false to refuse it.
  func become(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Runs when the responder loses the focus. Returns false to keep it.
  func resign(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Runs when the responder or its owner is removed. Returns the failure, if there is one.
  func stop(for responder: Responder) -> Failure? { nil }
  /// Edits a menu through an editor.
  func build(for responder: Responder, _ editor: AnyObject, _ subject: Value) -> Failure? { nil }
  /// Sees a failure on its way up the chain. Returns the failure to pass on, or nil to end it.
  func failed(_ failure: Failure, for responder: Responder) -> Result<Failure?, Failure> { .success(failure) }
}

/// A *verdict* is the result of `can`: whether an action may be done now.
/// The large cases are rare and boxed, because verdicts are copied often.
enum Verdict {
  case yes
  case no(String?)
  /// An argument doesn't fit.
  indirect case unfit(Misfit)
  /// Arguments are missing.
  indirect case asks(Outcome.Question)
  /// This responder doesn't handle the action now.
  case pass
  /// Its action waits, and can't be done again meanwhile.
  case running
  /// A function failed. The misfit names its argument.
  indirect case failed(Failure, Misfit? = nil)
}

/// A context key that an action needs, and the reason to show if the key is missing.
struct Need {
  /// The most keys that a script may declare for one action: each item looks them all up when it is drawn.
  static let most = 256
  let key: String
  let reason: String?

  var reasonOrDerived: String {
    if let reason, !reason.isEmpty { return reason }
    return "needs '\(key)', but nothing supplies it now"
  }
}

/// How an item looks where it differs from its declaration.
public struct Look: Sendable, Equatable {
  /// Whether an item is ticked.
  public enum State: String, Sendable, CaseIterable {
    case on, off, mixed
  }

  /// The title instead of the declared one.
  public var title: String?
  /// A second, smaller line.
  public var subtitle: String?
  /// Whether the item is ticked.
  public var state: State?
  /// Whether menus hide the item.
  public var hidden: Bool?
  /// The name of an icon.
  public var icon: String?
  /// The title and the second line with styles, if they have any.
  public var spans: StyledText?
  public var subtitleSpans: StyledText?
  /// The style of an icon that is a glyph.
  public var iconStyle: TextStyle?
  /// Whether the action destroys something, so that a face can show it as dangerous.
  public var destructive: Bool?
  /// The reason why the item's own `can` disables it; nil if it doesn't. An empty text gives no reason.
  var refusal: String?

  /// A look that changes nothing.
  public init() {}
}

/// The result of a `claims` function for an action: whether the catch-all takes it, can do it now, and how it looks.
///
/// ```swift
/// let host = ScriptHost()
/// let shell = try host.responder("shell")
/// shell.unknown { command in .text("ran \(command.action)") }
/// shell.claims { action -> Claim in action == "run" ? .disabled("nothing is open") : .no }
/// try host.focus(shell)
/// print(host.validate("run").reason ?? "")  // nothing is open
/// ```
public struct Claim: Sendable, Equatable {
  /// Whether the responder's catch-all takes the action.
  public var isClaimed: Bool
  /// The reason why the action can't be done now; nil if it can.
  public var reason: String?
  /// How an item of the action looks.
  public var look = Look()

  /// The action is not claimed.
  public static let no = Claim(isClaimed: false)
  /// The action is claimed, and can be done.
  public static let yes = Claim(isClaimed: true)
  /// The action is claimed, and can't be done now.
  public static func disabled(_ reason: String) -> Claim { Claim(isClaimed: true, reason: reason) }
  /// The action is claimed, and has this look.
  static func looking(_ look: Look) -> Claim { Claim(isClaimed: true, look: look) }

  /// True if the claim has a reason or a look.
  var saysMore: Bool { reason != nil || look != Look() }
}

/// A *suspension* is a waiting handler that the host can resume or unwind.
class Suspension {
  /// The time after which to resume it; -1 if something else wakes it.
  final var nanoseconds: Int64 = -1
  /// The job that it waits for; `awaited` gives it its type.
  final var awaitedObject: AnyObject?
  /// True if it waits for an action that it performed. Cancelling it cancels that action too.
  final var isNested = false
  /// The progress and text that the handler set before its first wait.
  final var fraction: Double?
  final var doing: String?

  init() {}

  /// Copies the wait of another suspension. This suspension resumes the other when it goes on.
  final func follow(_ other: Suspension) {
    nanoseconds = other.nanoseconds
    awaitedObject = other.awaitedObject
    isNested = other.isNested
    fraction = other.fraction
    doing = other.doing
  }

  /// An owner, leaving or set aside, whose code would run after a resume; nil if there is none.
  var stray: Owner? { nil }

  /// For how many nanoseconds it goes on waiting, though its time has come: nothing has happened for which it waits. Nil if it can be resumed.
  var stillWaits: Int64? { nil }

  /// Resumes the handler until it replies, maybe that it waits again.
  func resume() -> Reply { .pass }
  /// Drops the handler: its code doesn't run again.
  func unwind() {}
  /// Called when the perform is suspended, after its recording was stored.
  func suspended() {}
}

/// A *reply* is the result of a handler that performs its action.
enum Reply {
  case value(Value)
  /// The host tries the next candidate.
  case pass
  case refused(String)
  indirect case failed(Failure)
  /// The handler goes on later.
  case waiting(Suspension)
}

/// A handler that answers `can` and `look` with the result of a `claims` function.
final class ClaimAnswer: Handler {
  private let claim: Claim
  override var place: Place? { known }
  private let known: Place?

  init(_ claim: Claim, by hook: Handler) {
    self.claim = claim
    known = hook.place
    super.init(owner: hook.owner)
  }

  override func can(for responder: Responder, in context: Context) -> Verdict { claim.reason.map { .no($0) } ?? .yes }
  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> { .success(claim.look) }
}
