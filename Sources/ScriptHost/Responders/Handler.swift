/// A *handler* is something that can be asked on behalf of a responder: a function of a script's, or a closure.
///
/// Each method answers one kind of question, by default as if nothing were registered; subclasses override those that they are registered
/// for.
class Handler {
  let owner: Owner
  /// Where it was registered.
  var place: Place? { nil }
  /// Whether the warning that it supplies one of the host's names was given already.
  var wasToldOfShadows = false
  /// Whether its action is the embedding program's or the host's own, so that a perform's allowance rests while it runs.
  var isOfProgram: Bool { false }
  /// Whether its action may be done again while it waits.
  var isReentrant = false

  init(owner: Owner) {
    self.owner = owner
  }

  /// The context keys that it supplies, as far as its code tells.
  var suppliedKeys: [String] { [] }

  /// The context keys that it reads, as far as its code tells.
  var readKeys: [String] { [] }
  /// Whether its code tells all keys that it supplies and reads.
  var isReadable: Bool { false }
  /// How many lines it has.
  var lineCount: Int { 1 }
  /// The name of a parameter, counted from 1.
  var parameters: [String] { [] }
  /// A text that its code returns somewhere as the only value.
  var answeredText: String? { nil }
  /// Whether it returns a table that it has made.
  var answersTable: Bool { false }
  /// The context keys that it is known to read, and where.
  final var reads: ContextReads { ContextReads(keys: readKeys, place: place, lineCount: lineCount) }

  func perform(for responder: Responder, in context: Context) -> Reply { .pass }
  func can(for responder: Responder, in context: Context) -> Verdict { .pass }
  func look(for responder: Responder, in context: Context) -> Result<Look, Failure> { .success(Look()) }
  /// Asked for a value: the choices or the default of an argument, or the question to confirm.
  func value(for responder: Responder, in context: Context) -> Result<Value, Failure> { .success(.null) }
  func provide(for responder: Responder, into context: Context) -> Failure? { nil }
  /// May add the action to its responder; returns whether it says that it did.
  func resolve(_ action: String, for responder: Responder) -> Result<Bool, Failure> { .success(false) }
  func redirect(_ action: String, for responder: Responder) -> Result<Responder?, Failure> { .success(nil) }
  func claims(_ action: String, for responder: Responder) -> Result<Claim, Failure> { .success(.no) }
  /// Whether a responder takes the focus now.
  func acceptsFocus(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Told that the responder gets the focus; false refuses it.
  func become(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Told that the responder loses the focus; false keeps it.
  func resign(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Told that the responder goes, or its owner; returns why it failed.
  func stop(for responder: Responder) -> Failure? { nil }
  /// Edits a menu by means of an editor.
  func build(for responder: Responder, _ editor: AnyObject, _ subject: Value) -> Failure? { nil }
  /// Asked when a failure comes by on its way up: the failure to pass on, or nil to end it.
  func failed(_ failure: Failure, for responder: Responder) -> Result<Failure?, Failure> { .success(failure) }
}

/// A *verdict* is what `can` answers: whether an action may be done now.
/// The cases with much in them are rare, and apart: a verdict is moved often.
enum Verdict {
  case yes
  case no(String?)
  /// An argument doesn't fit.
  indirect case unfit(Misfit)
  /// Arguments are missing.
  indirect case asks(Outcome.Question)
  /// This responder doesn't take the action now.
  case pass
  /// Its action waits, and can't be done again meanwhile.
  case running
  /// A function failed; the misfit names the argument that it is about.
  indirect case failed(Failure, Misfit? = nil)
}

/// A context key without which an action can't be done, and the reason to give then.
struct Need {
  /// The most keys that a script may have one action need: each is looked for whenever an item of it is drawn.
  static let most = 256
  let key: String
  let reason: String?

  var reasonOrDerived: String {
    if let reason, !reason.isEmpty { return reason }
    return "needs '\(key)', which nobody supplies now"
  }
}

/// How an item looks where it differs from what was declared.
public struct Look: Sendable, Equatable {
  /// Whether an item is ticked.
  public enum State: String, Sendable, CaseIterable {
    case on, off, mixed
  }

  /// The title instead of the declared one.
  public var title: String?
  /// A second, smaller line.
  public var subtitle: String?
  /// Whether it is ticked.
  public var state: State?
  /// Whether it is left out of what is shown.
  public var hidden: Bool?
  /// The name of an icon.
  public var icon: String?
  /// The title and the second line with styles, where they have any.
  public var spans: StyledText?
  public var subtitleSpans: StyledText?
  /// The style of an icon that is a glyph.
  public var iconStyle: TextStyle?
  /// Whether it destroys something, so that it can be shown as dangerous.
  public var destructive: Bool?
  /// Why an item's own `can` disables it; nil where it doesn't. An empty one gives no reason.
  var refusal: String?

  /// As declared.
  public init() {}
}

/// What a `claims` function answers for an action: whether the catch-all takes it, and, in the place of `can` and `look`, whether it can
/// be done now and how it looks.
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
  /// Whether its catch-all takes the action.
  public var isClaimed: Bool
  /// Why it can't be done now; nil where it can.
  public var reason: String?
  /// How an item of the action looks.
  public var look = Look()

  /// The action is not claimed.
  public static let no = Claim(isClaimed: false)
  /// The action is claimed, and can be done.
  public static let yes = Claim(isClaimed: true)
  /// The action is claimed, and can't be done now.
  public static func disabled(_ reason: String) -> Claim { Claim(isClaimed: true, reason: reason) }
  /// The action is claimed, and looks so.
  static func looking(_ look: Look) -> Claim { Claim(isClaimed: true, look: look) }

  /// Whether the claim says more than yes or no.
  var saysMore: Bool { reason != nil || look != Look() }
}

/// A *suspension* is a handler that waits; it can be resumed or unwound.
class Suspension {
  /// After how long to resume it; -1 if something else wakes it.
  final var nanoseconds: Int64 = -1
  /// The job for which it waits; `awaited` gives it its type.
  final var awaitedObject: AnyObject?
  /// Whether it performed the action for which it waits, which is cancelled with it.
  final var isNested = false
  /// The progress and text that the handler set before its first wait.
  final var fraction: Double?
  final var doing: String?

  init() {}

  /// Waits for what another suspension waits for; this one resumes that one when it goes on.
  final func follow(_ other: Suspension) {
    nanoseconds = other.nanoseconds
    awaitedObject = other.awaitedObject
    isNested = other.isNested
    fraction = other.fraction
    doing = other.doing
  }

  /// The owner, leaving or set aside, whose code would run if this went on; nil if there is none.
  var stray: Owner? { nil }

  /// Resumes the handler until it replies, maybe that it waits again.
  func resume() -> Reply { .pass }
  /// Drops the handler: no code of it runs any more.
  func unwind() {}
  /// Called when the perform is suspended and its recording was put away.
  func suspended() {}
}

/// A *reply* is what a handler answers when it is asked to do its action.
enum Reply {
  case value(Value)
  /// Not me: ask further up.
  case pass
  case refused(String)
  indirect case failed(Failure)
  /// Not yet: it goes on later.
  case waiting(Suspension)
}

/// A handler that answers `can` and `look` with what a `claims` function returned.
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
